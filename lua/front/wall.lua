-- SPDX-License-Identifier: MIT
--- wall: puts the program behind the kernel's second wall, and says what came of it.
local core = require("front.core")

--- To be called when all is open that will be needed, and before threads are started. `values` are
--- the options of the command line. Returns "landlock 7", or "no landlock: " and the reason.
return function(view, values)
  if values["no-landlock"] then return "no landlock: as asked for" end
  if core.instrumented then return "no landlock: this build is instrumented" end
  local wall, err = view:confine()
  if not wall then return "no landlock: " .. err.message end
  return "landlock " .. wall.landlock
end
