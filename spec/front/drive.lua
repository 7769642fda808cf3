-- SPDX-License-Identifier: MIT
--- drive: runs the program and talks to its server, for the specs beside it.
local cjson = require("cjson").new()
local tree = require("tree")

local drive = {}

local HANDSHAKE = {
  jsonrpc = "2.0", id = "hello", method = "initialize",
  params = { protocolVersion = "2025-11-25", capabilities = {}, clientInfo = { name = "spec" } },
}
local MODERN = {
  ["io.modelcontextprotocol/protocolVersion"] = "2026-07-28",
  ["io.modelcontextprotocol/clientCapabilities"] = {},
}

function drive.quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function take(path)
  local text = tree.text(path)
  os.remove(path)
  return text
end

--- Runs a shell command with `input` on its stdin; $CROFT is the program: {status, out, err}.
function drive.shell(command, input)
  local given, out, err = os.tmpname(), os.tmpname(), os.tmpname()
  local file = assert(io.open(given, "wb"))
  file:write(input or "")
  file:close()
  local script = ("CROFT=%s\n{ %s\n} <%s >%s 2>%s"):format(drive.quoted(tree.program()), command,
    given, out, err)
  local _, how, status = os.execute(script)
  os.remove(given)
  return { status = how == "exit" and status or -status, out = take(out), err = take(err) }
end

--- Runs the program with these arguments.
function drive.run(...)
  local words = { '"$CROFT"' }
  for _, word in ipairs { ... } do words[#words + 1] = drive.quoted(word) end
  return drive.shell(table.concat(words, " "))
end

local function lines_of(messages)
  local lines = {}
  for index, message in ipairs(messages) do
    lines[index] = type(message) == "string" and message or cjson.encode(message)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Serves `root`, sends the messages (tables, or lines as they are), and ends the input. Returns
--- the replies in their order, decoded, and what became of the program.
function drive.serve(root, messages, ...)
  local words = { '"$CROFT" serve', drive.quoted(root) }
  for _, word in ipairs { ... } do words[#words + 1] = drive.quoted(word) end
  local result = drive.shell(table.concat(words, " "), lines_of(messages))
  local replies = {}
  for line in result.out:gmatch("[^\n]+") do replies[#replies + 1] = cjson.decode(line) end
  return replies, result
end

--- The same after a handshake, whose reply is left out.
function drive.talk(root, messages, ...)
  local all = { HANDSHAKE, '{"jsonrpc":"2.0","method":"notifications/initialized"}' }
  table.move(messages, 1, #messages, 3, all)
  local replies, result = drive.serve(root, all, ...)
  assert(table.remove(replies, 1).result, "no handshake: " .. result.err)
  return replies, result
end

local CONVERSATION = [[
coproc SERVER { exec %s serve %s; }
server=$SERVER_PID in=${SERVER[1]} out=${SERVER[0]}
send() { printf '%%s\n' "$1" >&"$in"; }
receive() { IFS= read -r -t 30 line <&"$out" && printf '%%s\n' "$line"; }
leave() { exec {in}>&-; }
finish() { while receive; do :; done; wait "$server"; }
%s
]]

--- Talks with a server step by step: `script` is bash with `send LINE`, `receive` (waits for a line
--- and prints it), `leave` (closes the server's input), `finish` (prints what still comes, and
--- gives the exit status), and $server, its process. The handshake is done. Returns what was
--- received, decoded, and the result of the shell.
function drive.converse(root, script, ...)
  local words = { drive.quoted(root) }
  for _, word in ipairs { ... } do words[#words + 1] = drive.quoted(word) end
  local hello = drive.send(HANDSHAKE) .. "receive >/dev/null\n"
  local result = drive.shell("exec timeout 60 bash -s", CONVERSATION:format(
    drive.quoted(tree.program()), table.concat(words, " "), hello .. script))
  local replies = {}
  for line in result.out:gmatch("[^\n]+") do replies[#replies + 1] = cjson.decode(line) end
  return replies, result
end

--- A line of such a script that sends a message.
function drive.send(message) return "send " .. drive.quoted(cjson.encode(message)) .. "\n" end

--- A request of the legacy era.
function drive.request(id, method, params)
  return { jsonrpc = "2.0", id = id, method = method, params = params }
end

--- A request that carries its version, as the modern era has it. Fields of `meta` replace its own.
function drive.modern(id, method, params, meta)
  local all = {}
  for name, value in pairs(params or {}) do all[name] = value end
  all._meta = meta or MODERN
  return drive.request(id, method, all)
end

function drive.call(id, name, arguments)
  return drive.request(id, "tools/call", { name = name, arguments = arguments })
end

drive.MODERN = MODERN
drive.HANDSHAKE = HANDSHAKE
drive.null = cjson.null

return drive
