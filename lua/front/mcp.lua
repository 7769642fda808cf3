-- SPDX-License-Identifier: MIT
--- mcp: the methods of the Model Context Protocol, in both of its eras.
--
-- The legacy era opens with `initialize`; in the modern one (2026-07-28) every request says in its
-- _meta which version it speaks. Each request is judged by itself.
local core = require("front.core")
local gate = require("front.gate")
local instructions = require("front.instructions")
local jsonrpc = require("front.jsonrpc")
local resources = require("front.resources")

local mcp = {}
mcp.__index = mcp

local MODERN = "2026-07-28"
local LEGACY = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" }
local SUPPORTED = '["' .. MODERN .. '","' .. table.concat(LEGACY, '","') .. '"]'
local META = "io.modelcontextprotocol/"
local VERSION, CAPABILITIES = META .. "protocolVersion", META .. "clientCapabilities"
local UNSUPPORTED_VERSION = -32022

--- The tools never change while the server runs.
local CACHE = '"ttlMs":3600000,"cacheScope":"public",'

local CONTENT = '"content":[{"type":"text","text":'

--- Streams that a client holds open; nothing is ever sent on them.
local MOST_SUBSCRIPTIONS = 64

local function bad_params(id, message)
  return jsonrpc.failure(id, jsonrpc.INVALID_PARAMS, message)
end

local function no_method(id, method)
  return jsonrpc.failure(id, jsonrpc.METHOD_NOT_FOUND,
    ('there is no method "%s"'):format(method:sub(1, 64)))
end

--- The form of the answers to calls: `head` is how a result begins, `question` one that asks.
local function form_of(head, links, question)
  local done = '"result":' .. head .. CONTENT
  return core.form {
    done = done,
    after_done = "}]}}",
    failed = done,
    after_failed = '}],"isError":true}}',
    refused = ('"error":{"code":%d,"message":'):format(jsonrpc.INVALID_PARAMS),
    broken = jsonrpc.BROKEN,
    question = question,
    links = links,
  }
end

--- A service for jsonrpc.answer. `host` has start(job), plain(calls), answer(question, verdict) and
--- cancel(key) of front.core; asks, whether the client's user is asked about calls; tools(), that
--- gives a JSON array; handles(), what the session holds as a JSON array, or nil where it cannot be
--- read as resources; version; prefix, read_only, read_only_names and names for the instructions.
function mcp.new(host)
  local info = ('{"name":"croft","title":"croft: file tools","version":%s}'):format(
    core.quote(host.version))
  local meta = ('"_meta":{"%sserverInfo":%s},'):format(META, info)
  local modern_head = '{"resultType":"complete",' .. meta
  local about = ('"capabilities":{"tools":{}%s},"instructions":%s'):format(
    host.handles and ',"resources":{}' or "", core.quote(instructions.text(host)))
  local question = '"result":{"resultType":"input_required",' .. meta
  local plain = form_of("{", false)
  return setmetatable({
    host = host,
    opened = false, -- by initialize
    subscriptions = {}, -- key of an id -> the id as it came
    subscription_count = 0,
    modern_head = modern_head,
    question = question,
    modern_form = form_of(modern_head, true, question),
    plain_form = plain,
    linked_form = form_of("{", true),
    form = plain, -- as initialize says whether the client knows links to resources
    can_ask = false, -- what initialize said: the client shows forms to its user
    opening = ('"serverInfo":%s,%s}'):format(info, about),
    discovery = ('%s%s"supportedVersions":%s,%s}'):format(modern_head, CACHE, SUPPORTED, about),
  }, mcp)
end

--- Both eras: what was asked for is in `asked`: params, of these _meta, name and arguments, and the
--- key of the id; `modern` tells the era.
local shared = {}

--- Another member of params.
local function member(asked, name)
  return asked.params and asked.params:pick(name)
end

shared["tools/list"] = function(self, id, asked, modern)
  local cursor = member(asked, "cursor")
  if cursor and cursor:type() ~= "null" then
    return bad_params(id, 'there is one page of tools and no "cursor" for another')
  end
  local head = modern and self.modern_head .. CACHE or "{"
  return jsonrpc.success(id, head, '"tools":', self.host.tools() .. "}")
end

--- Tools of whose calls nothing has to be known here but the name; and whether these are long.
local PLAIN = { read = false, grep = true }

--- Whether a call is better run beside the reading of what follows: it may take long.
local function is_long(tool, arguments)
  if PLAIN[tool] ~= nil then return PLAIN[tool] end
  if tool == "list" then
    local recursive, depth, glob = nil, nil, nil
    if arguments and arguments:type() == "object" then
      recursive, depth, glob = arguments:pick("recursive", "depth", "glob")
    end
    return (recursive or depth or glob) ~= nil
  end
  return not (tool == "write" or tool == "edit")
end

--- The tools whose calls for one path run in their order.
local CHANGES = { write = true, edit = true, save_media = true }

--- The path that a call changes, as it was sent.
local function changed_path(tool, arguments)
  if CHANGES[tool] and arguments and arguments:type() == "object" then
    local path, alias = arguments:pick("path", "file_path")
    path = path or alias
    return path and path:raw()
  end
end

--- A progress notification up to its number, around the token.
local BEFORE_TOKEN = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'
local AFTER_TOKEN = ',"progress":'

--- The same, where the request wants them.
local function progress_head(meta)
  local token = meta and meta:type() == "object" and meta:pick("progressToken")
  local echoed = token and jsonrpc.echo(token)
  return echoed and BEFORE_TOKEN .. echoed .. AFTER_TOKEN
end

--- Adds to `job` how the client can be asked whether it may run, and what it answered before.
local function add_gate(self, job, asked, modern)
  if not modern then
    job.asks = self.can_ask and "request" or nil
    return
  end
  job.asks = gate.can_ask(asked.capabilities) and "result" or nil
  local responses, state = asked.params:pick("inputResponses", "requestState")
  state = state and state:text()
  local response = state and responses and responses:type() == "object" and responses:pick("gate")
  if not response then return end
  local verdict = gate.verdict(response)
  job.decision, job.scope, job.note = verdict.decision, verdict.scope, verdict.note
  job.cause, job.state = verdict.cause, state:gsub("%z", " ")
end

--- Hands a job over: it is answered when it is done.
function mcp:start(job, asked, modern)
  if self.host.asks then add_gate(self, job, asked, modern) end
  self.host.start(job)
end

--- croft_call takes a C string, which a NUL would cut short.
local function without_nul(name)
  return name:find("\0", 1, true) and name:gsub("%z", "\u{FFFD}") or name
end

shared["tools/call"] = function(self, id, asked, modern)
  local name = asked.name and asked.name:text()
  local arguments = asked.arguments
  if not name then return bad_params(id, '"name" must be a string: which tool to call') end
  if arguments and arguments:type() == "null" then arguments = nil end

  local prefix = self.host.prefix
  local tool = name:sub(1, #prefix) == prefix and name:sub(#prefix + 1) or name
  self:start({
    key = asked.key,
    name = without_nul(name),
    arguments = arguments,
    long = is_long(tool, arguments),
    order = changed_path(tool, arguments),
    form = modern and self.modern_form or self.form,
    start = jsonrpc.start(id),
    progress = progress_head(asked._meta),
  }, asked, modern)
end

--- What is said here of a good call of a plain tool, so that it is taken without this module; nil
--- where the client may be asked about calls.
function mcp:plain()
  if self.host.asks then return nil end
  local tools = {}
  for name, long in pairs(PLAIN) do tools[core.quote(self.host.prefix .. name)] = long end
  return {
    method = core.quote("tools/call"),
    version_key = core.quote(VERSION),
    version = core.quote(MODERN),
    capabilities_key = core.quote(CAPABILITIES),
    modern = self.modern_form,
    legacy = self.opened and self.form or nil,
    before_id = jsonrpc.BEFORE_ID,
    after_id = jsonrpc.AFTER_ID,
    before_token = BEFORE_TOKEN,
    after_token = AFTER_TOKEN,
    tools = tools,
  }
end

for method, answer in pairs(resources) do
  shared[method] = function(self, id, asked, modern)
    if not self.host.handles then return no_method(id, method) end
    return answer(self, id, asked, modern)
  end
end

local legacy = setmetatable({}, { __index = shared })

function legacy.ping(_, id) return jsonrpc.success(id, "{}") end

function legacy.initialize(self, id, asked)
  local wanted = member(asked, "protocolVersion")
  wanted = wanted and wanted:text()
  if not wanted then
    return bad_params(id, '"protocolVersion" must be a string such as "' .. LEGACY[1] .. '"')
  end
  local version = LEGACY[1]
  for _, known in ipairs(LEGACY) do
    if known == wanted then version = known end
  end
  self.opened = true
  self.form = version >= "2025-06-18" and self.linked_form or self.plain_form
  self.can_ask = gate.can_ask(member(asked, "capabilities"))
  local plain = self:plain()
  if plain then self.host.plain(plain) end
  return jsonrpc.success(id, ('{"protocolVersion":"%s",'):format(version), self.opening)
end

--- What is served before initialize.
local OPEN = { initialize = true, ping = true }

local modern = setmetatable({}, { __index = shared })

modern["server/discover"] = function(self, id)
  return jsonrpc.success(id, self.discovery)
end

modern["subscriptions/listen"] = function(self, id, asked)
  local key = asked.key
  if not self.subscriptions[key] then
    if self.subscription_count >= MOST_SUBSCRIPTIONS then
      return bad_params(id, ("at most %d subscriptions are held"):format(MOST_SUBSCRIPTIONS))
    end
    self.subscription_count = self.subscription_count + 1
  end
  self.subscriptions[key] = id
  return '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",',
    '"params":{"_meta":{"', META, 'subscriptionId":', id, '},"notifications":{}}}'
end

local function speaks_modern(version, capabilities)
  return version and version:text() == MODERN and capabilities and capabilities:type() == "object"
end

--- Says what is wrong with a _meta for which speaks_modern is false.
local function refuse_meta(id, version, capabilities)
  local named = version and version:text()
  if not named then
    return bad_params(id, ('"_meta" needs "%s", a string'):format(VERSION))
  elseif not capabilities or capabilities:type() ~= "object" then
    return bad_params(id, ('"_meta" needs "%s", an object'):format(CAPABILITIES))
  end
  return jsonrpc.failure(id, UNSUPPORTED_VERSION, "unsupported protocol version",
    ('{"supported":%s,"requested":%s}'):format(SUPPORTED, core.quote(named:sub(1, 64))))
end

function mcp:modern_request(id, method, asked, version, capabilities)
  if not modern[method] then return no_method(id, method) end
  if not speaks_modern(version, capabilities) then return refuse_meta(id, version, capabilities) end
  asked.capabilities = capabilities
  return modern[method](self, id, asked, true)
end

function mcp:legacy_request(id, method, asked)
  if not legacy[method] then return no_method(id, method) end
  if not self.opened and not OPEN[method] then
    return bad_params(id, 'send "initialize" first, or name the version in "_meta"')
  end
  return legacy[method](self, id, asked, false)
end

function mcp:request(id, method, params, key)
  local meta, name, arguments, version, capabilities
  if params then
    meta, name, arguments = params:pick("_meta", "name", "arguments")
  end
  if meta then
    version, capabilities = meta:pick(VERSION, CAPABILITIES)
  end
  local asked = { params = params, key = key, _meta = meta, name = name, arguments = arguments }
  if method == "server/discover" or (method ~= "initialize" and (version or capabilities)) then
    return self:modern_request(id, method, asked, version, capabilities)
  end
  return self:legacy_request(id, method, asked)
end

--- A call or a subscription may be cancelled; what is unknown or over is ignored.
function mcp:notify(method, params)
  if method ~= "notifications/cancelled" or not params then return end
  local key = jsonrpc.key((params:pick("requestId")))
  if key and self.subscriptions[key] then
    self.subscriptions[key] = nil
    self.subscription_count = self.subscription_count - 1
  elseif key then
    self.host.cancel(key)
  end
end

--- What a client answers to a question of ours; an error is no verdict.
function mcp:respond(id, result)
  local question = gate.question(id)
  if question then self.host.answer(question, gate.verdict(result)) end
end

--- The end of one open subscription; nothing when there is none left.
function mcp:finish()
  local key, id = next(self.subscriptions)
  if not key then return end
  self.subscriptions[key] = nil
  return jsonrpc.success(id, ('{"resultType":"complete","_meta":{"%ssubscriptionId":'):format(META),
    id, "}}")
end

return mcp
