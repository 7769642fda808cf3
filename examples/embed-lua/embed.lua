-- SPDX-License-Identifier: MIT
--- A host in plain Lua 5.4: opens a directory, makes two calls, and prints what a model would read.
---
---   lua5.4 embed.lua DIRECTORY
local croft = require("croft")

local view = assert(croft.open(assert(arg[1], "usage: embed.lua DIRECTORY"), { read_only = true }))
local session = assert(view:session({ limits = { time = 2000 } }))

local function call(tool, arguments)
  local result = session:call(tool, arguments)
  print(tool .. "\n" .. result.text .. "\n")
  return not result.is_error
end

assert(call("list", {}))
assert(not call("read", { path = "../secret" }))
session:close()
view:close()
