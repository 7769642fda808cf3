-- SPDX-License-Identifier: MIT
--- jsonrpc: one line in, the pieces of one line out. Knows JSON-RPC 2.0 and nothing of MCP.
--
-- A service has request(self, id, method, params, key) -> pieces, notify(self, method, params), and
-- respond(self, id, result, err); params is a slice of an object or nil. Ids are handed about as
-- they came, byte for byte; key is what two spellings of one have in common.
local core = require("front.core")

local jsonrpc = {
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  METHOD_NOT_FOUND = -32601,
  INVALID_PARAMS = -32602,
  INTERNAL_ERROR = -32603,
}

--- The answer to a call that failed within, behind jsonrpc.start().
jsonrpc.BROKEN = ('"error":{"code":%d,"message":"internal error"}}'):format(jsonrpc.INTERNAL_ERROR)

--- Bytes of a message, so that a long input does not come back.
local MESSAGE_BYTES = 1000

--- How each answer begins, around its id.
jsonrpc.BEFORE_ID, jsonrpc.AFTER_ID = '{"jsonrpc":"2.0","id":', ","

function jsonrpc.start(id)
  return jsonrpc.BEFORE_ID .. id .. jsonrpc.AFTER_ID
end

--- An answer with a result, given in up to three pieces of JSON.
function jsonrpc.success(id, first, second, third)
  return '{"jsonrpc":"2.0","id":', id, ',"result":', first, second or "", third or "", "}"
end

--- An answer with an error; `data` is JSON.
function jsonrpc.failure(id, code, message, data)
  return '{"jsonrpc":"2.0","id":', id, ',"error":{"code":', tostring(code), ',"message":',
    core.quote(message:sub(1, MESSAGE_BYTES)), data and ',"data":' .. data or "", "}}"
end

local function invalid(id, message)
  return jsonrpc.failure(id, jsonrpc.INVALID_REQUEST, message)
end

--- The bytes of an id or a token that may be echoed, or nil: a text, or a whole number of 64 bits.
function jsonrpc.echo(id)
  local kind = id:type()
  if kind == "number" then
    local raw = id:raw()
    return math.type(tonumber(raw)) == "integer" and raw or nil
  elseif kind == "string" then
    local _, whole = id:text()
    return whole and id:raw() or nil
  end
end

--- What two spellings of one id have in common: a text without NUL, at which C would cut it.
function jsonrpc.key(id)
  local kind = id and id:type()
  if kind == "string" then
    return "s" .. id:text():gsub("[\0\1]", { ["\0"] = "\1\1", ["\1"] = "\1\2" })
  end
  return kind == "number" and "n" .. id:raw() or nil
end

--- What a request says, or what is wrong with it.
local function answer_request(id, key, version, method, params, service)
  local kind = params and params:type()
  if not version or version:text() ~= "2.0" then
    return invalid(id, '"jsonrpc" must be "2.0"')
  elseif not method or method:type() ~= "string" then
    return invalid(id, '"method" must be a string')
  elseif kind and kind ~= "object" and kind ~= "null" then
    return jsonrpc.failure(id, jsonrpc.INVALID_PARAMS, '"params" must be an object')
  end
  return service:request(id, method:text(), kind == "object" and params or nil, key)
end

--- The pieces, or an error in their place when making them went wrong.
local function guarded(id, done, ...)
  if done then return ... end
  core.note("croft: internal error: " .. tostring((...)))
  return jsonrpc.failure(id, jsonrpc.INTERNAL_ERROR, "internal error; the server's log has it")
end

local function answer_object(message, service)
  local version, id, method, params, result, err =
    message:pick("jsonrpc", "id", "method", "params", "result", "error")
  if not method and (result or err) then
    if id then service:respond(id, result, err) end
    return -- a response is never answered
  elseif not id then
    if not method then return invalid("null", "neither a request nor a response") end
    if method:type() == "string" then service:notify(method:text(), params) end
    return -- a notification is never answered
  end

  local echoed = jsonrpc.echo(id)
  if not echoed then
    return invalid("null", '"id" must be a string or a whole number of at most 64 bits')
  end
  return guarded(echoed,
    pcall(answer_request, echoed, jsonrpc.key(id), version, method, params, service))
end

--- The pieces of the answer to one line; nothing where none is due.
function jsonrpc.answer(line, service)
  local common, id, given, key = core.request(line)
  if common then
    return guarded(id, pcall(service.request, service, id, common, given, key))
  end
  local message, reason, at = core.parse(line)
  if not message then
    local text = ("not JSON: %s at byte %d"):format(reason, at)
    return jsonrpc.failure("null", jsonrpc.PARSE_ERROR, text)
  end
  local kind = message:type()
  if kind == "array" then
    return invalid("null", "batches are not served: send one message a line")
  elseif kind ~= "object" then
    return invalid("null", "a message is an object, not a " .. kind)
  end
  return answer_object(message, service)
end

--- The answer to a line over the ceiling.
function jsonrpc.too_long()
  return invalid("null", "the line is longer than 8 MiB; it was skipped")
end

return jsonrpc
