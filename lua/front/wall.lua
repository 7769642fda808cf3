-- SPDX-License-Identifier: MIT
--- wall: puts the program behind the kernel's second wall, and says what came of it.
local core = require("front.core")

--- To be called when all is open that will be needed, and before threads are started that work on
--- calls. `values` are the options of the command line; `confine` keeps the program to its view and
--- returns what view:confine does. Returns "landlock 7", or "no landlock: " and the reason, and why
--- system calls are not filtered where they are not.
return function(values, confine)
  if values["no-landlock"] then return "no landlock: as asked for" end
  if core.instrumented then return "no landlock: this build is instrumented" end
  local wall, err = confine()
  local held = wall and "landlock " .. wall.landlock or "no landlock: " .. err.message
  local fenced, why = core.fence()
  return fenced and held or held .. "; no seccomp: " .. why
end
