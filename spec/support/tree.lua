-- SPDX-License-Identifier: MIT
--- tree: reads files of the source tree, and runs commands, for specs.
local tree = {}

--- The whole text of a file.
function tree.text(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

--- Writes a file.
function tree.write(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

--- The paths that a shell pattern names, sorted; none if there are none.
function tree.files(pattern)
  local found = {}
  for path in tree.output("ls -d -- " .. pattern .. " 2>/dev/null"):gmatch("[^\n]+") do
    found[#found + 1] = path
  end
  return found
end

--- What a shell command prints, and whether it succeeded.
function tree.output(command)
  local pipe = assert(io.popen(command, "r"))
  local text = pipe:read("a")
  return text, pipe:close() == true
end

--- What a shell command prints that has to succeed.
function tree.shell(command)
  local text, good = tree.output(command)
  assert(good, command)
  return text
end

--- The program under test.
function tree.program()
  return os.getenv("CROFT_PROGRAM") or "build/dev/croft"
end

--- The interpreter that can load the module under test: with sanitizers a plain one cannot.
function tree.lua()
  return os.getenv("CROFT_LUA") or "lua5.4"
end

--- Whether the module is one that a plain lua5.4 loads.
function tree.is_plain() return tree.lua() == "lua5.4" end

return tree
