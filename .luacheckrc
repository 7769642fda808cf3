-- SPDX-License-Identifier: MIT
-- luacheck knows the sandbox: what is not listed here does not exist for a tool, and is reported.
std = "lua54"
codes = true
max_line_length = 100
exclude_files = { "build" }

--- The fields of a library, from their names in one text.
local function fields(names)
  local found = {}
  for name in names:gmatch("%S+") do
    found[name] = {}
  end
  return { fields = found }
end

stds.sandbox = {
  read_globals = {
    "_G", "_VERSION", "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print",
    "rawequal", "rawget", "rawlen", "require", "select", "setmetatable", "tonumber", "tostring", "type",
    "xpcall",
    string = fields [[byte char format len lower pack packsize rep reverse sub unpack upper]],
    table = fields [[concat insert move pack remove sort unpack]],
    math = fields [[abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min
      mininteger modf pi rad random sin sqrt tan tointeger type ult]],
    utf8 = fields [[char charpattern codepoint codes len offset]],
  },
}

files["lua/croft"] = { std = "sandbox" }
files["tools"] = { std = "sandbox" }
files["examples/custom-tool"] = { std = "sandbox" }
files["spec"] = { std = "+busted" }
files["examples/custom-tool/spec"] = { std = "lua54+busted" }
