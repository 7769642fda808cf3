-- SPDX-License-Identifier: MIT
-- luacheck knows the sandbox: what is not listed here does not exist for a tool, and is reported.
std = "lua54"
codes = true
max_line_length = 100
exclude_files = { "build" }

--- The names that the sandbox has, from the list that the library itself is held to.
local function names_of_sandbox()
  local file = assert(io.open("core/sandbox_allow.c"))
  local list = file:read("*a"):match("allowed%[%] = {(.-)};")
  file:close()
  local names = {}
  for name in list:gmatch('"([^"]+)"') do
    local library, field = name:match("^(.-)%.(.*)$")
    if library then
      names[library].fields[field] = {}
    else
      names[name] = { fields = {} }
    end
  end
  for _, global in pairs(names) do
    if next(global.fields) == nil then
      global.fields = nil
    end
  end
  return names
end

stds.sandbox = { read_globals = names_of_sandbox() }

files["lua/croft"] = { std = "sandbox" }
files["tools"] = { std = "sandbox" }
files["examples/custom-tool"] = { std = "sandbox" }
files["examples/policy.lua"] = { read_globals = { "policy", "deny", "ask", "allow" } }
files["examples/debugging"] = { std = "sandbox" }
files["spec"] = { std = "+busted" }
files["examples/custom-tool/*_spec.lua"] = { std = "lua54+busted" }
files["examples/custom-tool/spec"] = { std = "lua54+busted" }
