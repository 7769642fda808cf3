-- SPDX-License-Identifier: MIT
--- recording_reader: reads a recording, the form of which is in recording.lua, and trusts nothing
--- in it.
local core = require("front.core")
local recording = require("front.recording")

local reader = {}

--- Bytes of a line, and of a recording as a whole.
local LINE_BYTES, WHOLE_BYTES = 64 * 1024 * 1024, 1024 * 1024 * 1024

local BLOCK = 64 * 1024

local OUTCOMES = {
  done = true, failed = true, ended = true, called_off = true, needs_input = true, refused = true,
}

--- Raises what is wrong with a line; the caller adds which line.
local function wrong(message, ...) error({ fault = message:format(...) }, 0) end

--- Something of a recording in a sentence: short, and on one line.
local function shown(text)
  local cut = core.quote(text:sub(1, 64))
  return #text > 64 and cut .. "..." or cut
end

-- ---- what a member must be ----------------------------------------------------------------------

local function text(slice, name)
  if not slice or slice:type() ~= "string" then wrong('"%s" must be a string', name) end
  return (slice:text())
end

--- A text that is handed to C.
local function plain_text(slice, name)
  local value = text(slice, name)
  if value:find("\0", 1, true) then wrong('"%s" must have no NUL in it', name) end
  return value
end

local function flag(slice, name)
  local kind = slice and slice:type()
  if kind ~= "true" and kind ~= "false" then wrong('"%s" must be true or false', name) end
  return kind == "true"
end

local function number(slice, name)
  local value = slice and slice:type() == "number" and math.tointeger(tonumber(slice:raw()))
  if not value or value < 0 then wrong('"%s" must be a whole number', name) end
  return value
end

local function container(slice, kind, name)
  if not slice or slice:type() ~= kind then wrong('"%s" must be an %s', name, kind) end
  return slice
end

local function texts(slice, name)
  local list = {}
  for element in container(slice, "array", name):each() do
    list[#list + 1] = plain_text(element, name)
  end
  return list
end

local function numbers(slice, name)
  local found = {}
  for member, key in container(slice, "object", name):each() do
    local key_text = plain_text(key, name)
    found[key_text] = number(member, key_text)
  end
  return found
end

--- A text, or {bytes =, sha256 =} for one that was left out.
local function kept_text(slice, name)
  if not slice or slice:type() ~= "object" then return text(slice, name) end
  local bytes, sha256 = slice:pick("bytes", "sha256")
  local hash = text(sha256, "sha256")
  if not hash:find("^%x+$") or #hash ~= 64 then
    wrong('"sha256" must have 64 hexadecimal digits')
  end
  return { bytes = number(bytes, "bytes"), sha256 = hash:lower() }
end

-- ---- lines --------------------------------------------------------------------------------------

local function options_of(slice)
  local prefix, read_only, one_file_system, exclude, enable, limits =
    container(slice, "object", "options"):pick("prefix", "read_only", "one_file_system", "exclude",
      "enable", "limits")
  return {
    prefix = plain_text(prefix, "prefix"),
    read_only = flag(read_only, "read_only"),
    one_file_system = flag(one_file_system, "one_file_system"),
    exclude = texts(exclude, "exclude"),
    enable = texts(enable, "enable"),
    limits = numbers(limits, "limits"),
  }
end

local function head_of(slice)
  local version, croft, tools, options = slice:pick("recording", "croft", "tools", "options")
  local known = number(version, "recording")
  if known ~= recording.VERSION then
    wrong("the recording has form %d; this croft knows form %d", known, recording.VERSION)
  end
  return {
    croft = text(croft, "croft"),
    tools = texts(tools, "tools"),
    options = options_of(options),
    calls = {},
  }
end

--- The arguments as JSON, or nil when a part of them was left out.
local function arguments_of(slice, left_out)
  if not slice then wrong('"arguments" is missing') end
  if left_out and number(left_out, "left_out") > 0 then return nil end
  return slice:raw()
end

local function call_of(slice)
  local id, tool, arguments, left_out, outcome, code, is_error, answer = slice:pick("call", "tool",
    "arguments", "left_out", "outcome", "code", "is_error", "text")
  local call = {
    id = number(id, "call"),
    tool = kept_text(tool, "tool"),
    arguments = arguments_of(arguments, left_out),
    outcome = text(outcome, "outcome"),
    code = text(code, "code"),
    is_error = flag(is_error, "is_error"),
    text = kept_text(answer, "text"),
  }
  if not OUTCOMES[call.outcome] then
    wrong('"outcome" is %s, which is none', shown(call.outcome))
  elseif type(call.tool) == "string" and call.tool:find("\0", 1, true) then
    wrong('"tool" must have no NUL in it')
  end
  return call
end

--- Adds what a line says to the parts.
local function take(line, parts, at)
  local slice, reason, byte = core.parse(line)
  if not slice then
    wrong("it is not JSON: %s at byte %d", reason, byte)
  elseif slice:type() ~= "object" then
    wrong("a line is an object, not a %s", slice:type())
  end
  local part
  if slice:pick("recording") then
    part = head_of(slice)
    part.at = at
    parts[#parts + 1] = part
    return
  end
  part = parts[#parts]
  if not part then wrong('it is no recording: the first line of one has "recording" in it') end
  local call = call_of(slice)
  call.at = at
  part.calls[#part.calls + 1] = call
end

-- ---- the file -----------------------------------------------------------------------------------

--- An iterator of (line, whether it is ended). Raises when reading goes wrong.
local function lines_of(file)
  local rest, read, over = {}, 0, false
  local block, from = "", 1
  local function next_block()
    local more, reason = file:read(BLOCK)
    if not more and reason then wrong("it cannot be read: %s", reason) end
    read = read + (more and #more or 0)
    if read > WHOLE_BYTES then wrong("the recording is larger than 1 GiB") end
    over = not more
    block, from = more or "", 1
  end
  return function()
    local size = 0
    while true do
      local stop = block:find("\n", from, true)
      rest[#rest + 1] = block:sub(from, (stop or 0) - 1)
      size = size + #rest[#rest]
      if size > LINE_BYTES then wrong("the line is longer than 64 MiB") end
      if stop or over then
        local line = table.concat(rest)
        rest, from = {}, (stop or #block) + 1
        if stop or line ~= "" then return line, stop ~= nil end
        return nil
      end
      next_block()
    end
  end
end

--- Where a line that has no end goes wrong, that is why.
local function take_guarded(line, is_ended, parts, at)
  local good, err = pcall(take, line, parts, at)
  if good then return end
  if not is_ended and type(err) == "table" then wrong("the line is cut short") end
  error(err, 0)
end

--- Reads all of an open file into the parts; `state.at` counts the lines.
local function read_all(file, parts, state)
  local next_line = lines_of(file)
  repeat
    state.at = state.at + 1
    local line, is_ended = next_line()
    if line and line:find("%S") then take_guarded(line, is_ended, parts, state.at) end
  until not line
end

--- The parts of the recording in the file `path`: a list of {croft =, tools =, options =, at =,
--- calls =}, each call {id =, tool =, arguments =, outcome =, code =, is_error =, text =, at =};
--- `at` is the number of the line. `arguments` are JSON, or nil when a part of them was left out;
--- `tool` and `text` are a text, or {bytes =, sha256 =}. With `only_regular` nothing is read that
--- one may have to wait for, such as a FIFO.
--
-- @return nil and a sentence, with the number of the line, when it is no whole recording
function reader.read(path, only_regular)
  local file, reason = core.file(path, only_regular)
  if not file then return nil, reason end
  local parts, state = {}, { at = 0 }
  local good, err = pcall(read_all, file, parts, state)
  file:close()
  if not good then
    if type(err) ~= "table" then error(err, 0) end
    return nil, ("%s:%d: %s"):format(path, state.at, err.fault)
  end
  if #parts == 0 then return nil, path .. ":1: it is no recording: it is empty" end
  return parts
end

return reader
