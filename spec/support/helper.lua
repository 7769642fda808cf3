-- SPDX-License-Identifier: MIT
--- What every spec sees: the Lua files of the tree, and the module and the program that were built.
--- Specs run from the top of the tree. CROFT_MODULE_DIR is where croft_core.so lies, CROFT_PROGRAM
--- names the program; both default to the dev build.
local build = os.getenv("CROFT_MODULE_DIR") or "build/dev"

package.path = "lua/host/?.lua;spec/support/?.lua;" .. package.path
package.cpath = build .. "/?.so;" .. package.cpath

-- An installed croft has croft/testing.lua beside croft.lua; here the two lie side by side.
package.preload["croft.testing"] = function(name)
  return assert(loadfile("lua/host/testing.lua"))(name, "lua/host/testing.lua")
end
