-- SPDX-License-Identifier: MIT
--- A small MCP client: starts `croft serve`, makes the calls that a model would make, prints each
--- with its answer, and stops with an error when an answer is not what it should be.
---
---   lua5.4 client.lua PROGRAM WORKSPACE TOOLS
local cjson = require("cjson")

local SHOWN_LINES, SHOWN_BYTES = 12, 112

local program, workspace, tools = table.unpack(arg, 1, 3)
assert(tools, "usage: client.lua PROGRAM WORKSPACE TOOLS")

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Starts a command; what we write goes to its stdin, what we read comes from its stdout.
local function start(command)
  local fifo = os.tmpname()
  os.remove(fifo)
  assert(os.execute("mkfifo " .. quote(fifo)))
  local input = assert(io.popen(command .. " >" .. quote(fifo), "w"))
  local output = assert(io.open(fifo, "r"))
  os.remove(fifo)
  return { input = input, output = output, id = 0 }
end

--- Sends one line of JSON.
local function send(server, message)
  server.input:write(message, "\n")
  server.input:flush()
end

--- Sends a request whose parameters are a JSON text, and returns the result of its answer.
local function request(server, method, params)
  server.id = server.id + 1
  local form = '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}'
  send(server, form:format(server.id, method, params))
  local line = assert(server.output:read("l"), "the server has gone")
  local answer = cjson.decode(line)
  assert(answer.id == server.id and answer.result, line)
  return answer.result
end

local function cut(line)
  return #line > SHOWN_BYTES and line:sub(1, SHOWN_BYTES) .. " ..." or line
end

--- Prints a text between blanks: its first lines, each cut, and its last.
local function show(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    lines[#lines + 1] = cut(line)
  end
  for i, line in ipairs(lines) do
    if i < SHOWN_LINES or i == #lines then
      print("    " .. line)
    elseif i == SHOWN_LINES then
      print(("    ... (%d more lines)"):format(#lines - SHOWN_LINES))
    end
  end
end

--- Prints a sentence whole, folded between words.
local function show_folded(text)
  local line = "   "
  for word in text:gmatch("%S+") do
    if #line + #word >= SHOWN_BYTES then
      print(line)
      line = "   "
    end
    line = line .. " " .. word
  end
  print(line)
end

--- Calls a tool, shows call and answer, and holds the answer to what was expected: "ok" or
--- "refused", and a piece of text that must be in it.
local function call(server, expected, piece, name, arguments)
  print(("\n> %s %s"):format(name, arguments))
  local params = ('{"name":"%s","arguments":%s}'):format(name, arguments)
  local result = request(server, "tools/call", params)
  local text = result.content[1].text
  if expected == "refused" then
    show_folded(text)
  else
    show(text)
  end
  assert((result.isError == true) == (expected == "refused"), "this should be " .. expected)
  assert(text:find(piece, 1, true), "this should say: " .. piece)
end

local function heading(text)
  print("\n== " .. text)
end

local command = ("%s serve %s --tools %s"):format(quote(program), quote(workspace), quote(tools))
local server = start(command .. " 2>/dev/null")

local hello = request(server, "initialize", '{"protocolVersion":"2025-11-25","capabilities":{},'
  .. '"clientInfo":{"name":"quickstart","version":"1"}}')
send(server, '{"jsonrpc":"2.0","method":"notifications/initialized"}')
heading(("Connected to %s %s. Its tools:"):format(hello.serverInfo.name, hello.serverInfo.version))
local names = {}
for i, tool in ipairs(request(server, "tools/list", "{}").tools) do
  names[i] = tool.name
  print(("    %-12s %s"):format(tool.name, cut(tool.description:match("^[^.,:]*"))))
end
assert(table.concat(names, " ") == "count_lines edit find_words grep list read write",
  "seven tools, sorted")

heading("Looking around")
call(server, "ok", "docs/", "list", "{}")
call(server, "ok", '"offset": 6', "read", '{"path": "README.md", "limit": 5}')
call(server, "ok", "6|", "read", '{"path": "README.md", "offset": 6, "limit": 3}')
call(server, "ok", "core/root.h", "grep",
  '{"pattern": "root_open\\\\(", "path": "core", "glob": "*.h"}')

heading("Changing files")
call(server, "ok", "Created", "write",
  [[{"path": "notes/plan.md", "content": "# Plan\n\n- read the code\n- write it\n- test it\n"}]])
call(server, "ok", "1 replacement", "edit",
  '{"path": "notes/plan.md", "old_string": "- read", "new_string": "- done: read"}')

heading("A tool of our own: " .. tools .. "/count_lines.lua")
call(server, "ok", "3 lines", "count_lines", '{"path": "notes/plan.md", "match": "^- "}')

heading("What is refused, and what the model is told")
call(server, "refused", '".."', "read", '{"path": "../secret.txt"}')
call(server, "refused", "outside the workspace", "read", '{"path": "host/passwd"}')
call(server, "refused", "read-only", "write", '{"path": "docs/plan.md", "content": "mine"}')
call(server, "refused", '"replace_all": true', "edit",
  '{"path": "notes/plan.md", "old_string": " it", "new_string": " the code"}')

server.input:close()
server.output:close()
