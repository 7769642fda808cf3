-- SPDX-License-Identifier: MIT
--- resources: the methods of MCP about what a session holds. A resource is a file that was opened.
--- To read it is a call of artifact_read, asked for and recorded as any other: the text is a page
--- of numbered lines, and its last line, in [ ], says how to get the next.
local core = require("front.core")
local jsonrpc = require("front.jsonrpc")

local resources = {}

local SCHEME = "croft://handle/"

--- Resources in one answer of resources/list.
local PAGE = 100

--- What is held changes with each call, and belongs to this client.
local CACHE = '"ttlMs":0,"cacheScope":"private",'

local NOT_FOUND = -32002 -- of the legacy era

local TEMPLATE = ('{"uriTemplate":"%s{handle}{?offset,limit}","name":"page","mimeType":'
  .. '"text/plain","description":"Lines of an opened file, numbered: offset is the first line, '
  .. 'from 1, limit the most lines."}'):format(SCHEME)

local function bad_params(id, message)
  return jsonrpc.failure(id, jsonrpc.INVALID_PARAMS, message)
end

local function head_of(self, modern)
  return modern and self.modern_head .. CACHE or "{"
end

--- One file that was opened, as resources/list shows it; nil for a medium.
local function shown(held)
  local handle, kind, path, bytes = held:pick("handle", "kind", "path", "bytes")
  if kind:text() == "media" then return nil end
  return ('{"uri":"%s%s","name":%s,"mimeType":"text/plain","size":%s}'):format(SCHEME,
    handle:text(), path:raw(), bytes:raw())
end

--- Where the page begins that `cursor` asks for; nil when it is none of ours.
local function start_of(cursor)
  if not cursor or cursor:type() == "null" then return 1 end
  local text = cursor:text()
  return text and math.tointeger(tonumber(text:match("^from%-(%d+)$")))
end

resources["resources/list"] = function(self, id, asked, modern)
  local start = start_of(asked.params and asked.params:pick("cursor"))
  if not start then return bad_params(id, '"cursor" is not one that resources/list gave') end
  local list, count = {}, 0
  for held in assert(core.parse(self.host.handles())):each() do
    local resource = shown(held)
    if resource then
      count = count + 1
      if count >= start and count - start < PAGE then list[#list + 1] = resource end
    end
  end
  if start > math.max(count, 1) then
    return bad_params(id, '"cursor" is not one that resources/list gave, or less is open since: '
      .. "leave it out for the first page")
  end
  local next_cursor = count - start >= PAGE and (',"nextCursor":"from-%d"'):format(start + PAGE)
  return jsonrpc.success(id, head_of(self, modern),
    '"resources":[' .. table.concat(list, ",") .. "]" .. (next_cursor or "") .. "}")
end

resources["resources/templates/list"] = function(self, id, asked, modern)
  local cursor = asked.params and asked.params:pick("cursor")
  if cursor and cursor:type() ~= "null" then
    return bad_params(id, 'there is one page of templates and no "cursor" for another')
  end
  return jsonrpc.success(id, head_of(self, modern), '"resourceTemplates":[' .. TEMPLATE .. "]}")
end

local PARAMETERS = { offset = true, limit = true }

--- The handle in `uri`, and the arguments of artifact_read as JSON; nil and what is wrong.
local function parse(uri)
  local handle, query = uri:match("^croft://handle/([%w_]+)(.*)$")
  if not handle then
    return nil, ('"uri" must be %s and a handle that a tool gave'):format(SCHEME)
  end
  local members = { '"handle":' .. core.quote(handle) }
  for pair in query:gsub("^%?", ""):gmatch("[^&]+") do
    local name, value = pair:match("^(%l+)=(%-?%d+)$")
    if not PARAMETERS[name] or #value > 18 then
      return nil, '"uri" may have offset and limit, which are whole numbers'
    end
    members[#members + 1] = ('"%s":%s'):format(name, math.tointeger(tonumber(value)))
  end
  return handle, "{" .. table.concat(members, ",") .. "}"
end

local DONE = '"result":%s"contents":[{"uri":%s,"mimeType":"text/plain","text":'

--- What the answers to resources/read have in common; `code` is that of an error.
local function form_of(self, code)
  local failed = ('"error":{"code":%d,"message":'):format(code)
  return core.form {
    done = "", -- each answer has its own
    after_done = "}]}}",
    failed = failed,
    after_failed = "}}",
    refused = failed,
    broken = jsonrpc.BROKEN,
    question = self.question,
  }
end

--- Made once: a form is kept for as long as the server runs.
local function form_for(self, modern)
  local name = modern and "modern_read" or "legacy_read"
  self[name] = self[name] or form_of(self, modern and jsonrpc.INVALID_PARAMS or NOT_FOUND)
  return self[name]
end

resources["resources/read"] = function(self, id, asked, modern)
  local uri = asked.params and asked.params:pick("uri")
  uri = uri and uri:text()
  if not uri then return bad_params(id, '"uri" must be a string: which resource to read') end
  local handle, arguments = parse(uri)
  if not handle then return bad_params(id, arguments) end
  if handle:find("^med_") then
    return bad_params(id, "E_READER_NOT_DESCRIBABLE: a staged medium has no URI; save it with "
      .. "save_media, and open the file")
  end
  self:start({
    key = asked.key,
    name = self.host.prefix .. "artifact_read",
    arguments = core.parse(arguments),
    long = true,
    form = form_for(self, modern),
    start = jsonrpc.start(id),
    done = DONE:format(head_of(self, modern), core.quote(uri)),
  }, asked, modern)
end

return resources
