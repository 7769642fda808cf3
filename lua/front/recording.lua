-- SPDX-License-Identifier: MIT
--- recording: what calls were given and what they answered, as lines of JSON, to be made again.
--
-- A recording is one or more parts, each a head and then its calls, in the order in which they were
-- answered. Blank lines mean nothing, and members that are not listed here are ignored.
--
--     {"recording":1,            the version of this form
--      "croft":"0.1.0",          who recorded
--      "tools":["edit",...],     what was offered, sorted
--      "options":{"prefix":"","read_only":false,"one_file_system":false,"exclude":[],
--                 "enable":[],"limits":{}},  what results depend on; limits that were changed
--      "most_bytes":65536,       longer texts are left out
--      "redacted":false}         so are contents
--
--     {"call":1,                 its number, from 1, in the order in which calls were asked for
--      "tool":"read",
--      "arguments":{"path":"a"}, as they were sent
--      "left_out":1,             how many of their texts stand below as TEXT; missing for none
--      "outcome":"done",         or "failed", "ended" (by a limit), "called_off", "needs_input" (a
--                                gate's question: nothing ran), "refused" (no such tool, or the
--                                arguments are no object: nothing ran)
--      "code":"",                the word for the error
--      "is_error":false,
--      "text":"1|one",           what a model reads
--      "usage":{"steps":1400,"heap_bytes":500000,"microseconds":210}}
--
-- In place of a text that is left out stands TEXT: {"bytes":5,"sha256":"2c6..."}, and in place of a
-- member's name "sha256:2c6...". A call of which an argument was left out cannot be made again; a
-- text of an answer that was left out is compared by its hash. When contents are left out, what
-- stays of texts are: names of tools that are offered; names of members and words that their
-- schemas list; the arguments "path" and "file_path", and of the tool `move` "from" and "to".
local core = require("front.core")

local recording = { VERSION = 1, MOST_BYTES = 64 * 1024 }

local function list_of(texts)
  local quoted = {}
  for index, text in ipairs(texts or {}) do quoted[index] = core.quote(text) end
  return "[" .. table.concat(quoted, ",") .. "]"
end

--- {steps = 1000} -> '{"steps":1000}', sorted
local function numbers_of(numbers)
  local members = {}
  for name, number in pairs(numbers or {}) do
    members[#members + 1] = ("%s:%d"):format(core.quote(name), number)
  end
  table.sort(members)
  return "{" .. table.concat(members, ",") .. "}"
end

local function names_of(tools)
  local names = {}
  for tool in assert(core.parse(tools)):each() do names[#names + 1] = tool:pick("name"):text() end
  return names
end

--- The head of what `about` has, with its newline.
function recording.head(about)
  local options = about.options
  return ('{"recording":%d,"croft":%s,"tools":%s,"options":{"prefix":%s,"read_only":%s,'
    .. '"one_file_system":%s,"exclude":%s,"enable":%s,"limits":%s},"most_bytes":%d,'
    .. '"redacted":%s}\n'):format(recording.VERSION, core.quote(core.version()),
    list_of(names_of(about.tools)), core.quote(options.prefix or ""),
    tostring(options.read_only or false), tostring(options.one_file_system or false),
    list_of(options.exclude), list_of(options.enable), numbers_of(options.limits),
    about.most_bytes or recording.MOST_BYTES,
    tostring(about.redact or false))
end

--- Starts to record to the file `path` what is called over `view`. `about` has tools, as
--- session:tools() gives them; options, as in a head, each of which may be left out; redact,
--- whether contents are left out; and most_bytes, MOST_BYTES if left out.
--
-- @return a recorder of front.core; or nil and why not, as in "its disk is full"
function recording.create(view, path, about)
  return core.recorder(view, path, recording.head(about), "front.recording_line", about.tools,
    about.options.prefix or "", about.most_bytes or recording.MOST_BYTES, about.redact or false)
end

--- What is left out of a text stands there in its place.
local function same_text(recorded, text)
  if type(recorded) == "string" then return recorded == text end
  return recorded.bytes == #text and recorded.sha256 == core.sha256(text)
end

local STATUS = { "outcome", "code", "is_error" }

--- What differs between a recorded call, as recording_reader gives it, and the result of making it
--- again: nil where nothing does, else {status =, text =}, each true where it does. What a call
--- took is not looked at.
function recording.compare(call, result)
  local differs = { text = not same_text(call.text, result.text) }
  for _, name in ipairs(STATUS) do
    if call[name] ~= result[name] then differs.status = true end
  end
  return (differs.text or differs.status) and differs or nil
end

return recording
