-- SPDX-License-Identifier: MIT
--- croft: tools for a language model over exactly the files it may see, for hosts in plain Lua 5.4.
--
--     local croft = require("croft")
--     local view = assert(croft.open("/srv/work"))
--     local session = assert(view:session { limits = { time = 2000 } })
--     print(session:call("read", { path = "notes.md" }).text)
--
-- What fails returns nil and an error: a table {code, message, errno, at, detail} that prints as
-- its message. A tool that fails is no such error: its result says so. What is misused raises.
local cjson = require("cjson").new()
local core = require("croft_core")

local croft = {}

local failure = {}
failure.__index = failure
failure.__tostring = function(self)
  return self.message ~= "" and self.message or self.code
end

local View, Session, Template, Policy = {}, {}, {}, {}
View.__index, Session.__index, Template.__index = View, Session, Template
Policy.__index = Policy

local VIEW_OPTIONS = {
  read_only = true, one_file_system = true, no_fsync = true, resolver = true,
  read_only_names = true, exclude = true, mounts = true, hide = true,
}
local TENANT_OPTIONS = {
  read_only = true, one_file_system = true, no_fsync = true, resolver = true,
  read_only_names = true, exclude = true,
}
local LINKS_OPTIONS = { read_only_names = true }
local WRAP_OPTIONS = {
  program = true, version = true, seccomp_fd = true, status_fd = true, tmp_bytes = true,
}
local COPY_OPTIONS = { read_only_names = true, skip = true, no_fsync = true }
local SESSION_OPTIONS = {
  tools = true, prefix = true, limits = true, log = true, audit = true, trace = true,
  functions = true, enable = true, leave_out_broken = true, gate = true, decider = true,
  gate_time = true, policies = true,
  toolset = true, write_root = true, trust_tier = true,
}

local function check_options(options, known, level)
  for name in pairs(options or {}) do
    if not known[name] then error(("there is no option %q"):format(tostring(name)), level or 3) end
  end
  return options
end

--- A value of cjson's with whole numbers as integers and null, at the top, as nil.
local function plain(value)
  if value == cjson.null then
    return nil
  elseif math.type(value) == "float" then
    return math.tointeger(value) or value
  elseif type(value) == "table" then
    for key, inner in next, value do
      if inner ~= cjson.null then value[key] = plain(inner) end
    end
  end
  return value
end

local function encode_number(number)
  if math.type(number) == "integer" then return ("%d"):format(number) end
  for digits = 14, 17 do
    local shown = ("%." .. digits .. "g"):format(number)
    if tonumber(shown) == number then return shown end
  end
  error("a number that is not finite cannot be written as JSON", 0)
end

--- The JSON text of `value`. cjson alone would keep 14 digits of a number.
local function encode(value)
  if math.type(value) then return encode_number(value) end
  if type(value) ~= "table" then return cjson.encode(value) end
  local parts, is_list = {}, rawlen(value) > 0
  for key, inner in next, value do
    if is_list and math.type(key) == "integer" and key >= 1 and key <= rawlen(value) then
      parts[key] = encode(inner)
    elseif not is_list and type(key) == "string" then
      parts[#parts + 1] = cjson.encode(key) .. ":" .. encode(inner)
    else
      error(("a key that is %s cannot be written as JSON here"):format(tostring(key)), 0)
    end
  end
  return (is_list and "[%s]" or "{%s}"):format(table.concat(parts, ","))
end

--- A function of the host as the core calls it: from JSON to JSON.
local function over_json(run)
  return function(json)
    local value = run(plain(cjson.decode(json)))
    return value == nil and "null" or encode(value)
  end
end

--- {name = function, ...} or {name = {description =, run =}, ...} as a list, sorted by name.
local function function_list(functions)
  local list = {}
  for name, what in pairs(functions) do
    local full = type(what) == "table" and what or { run = what }
    if type(name) ~= "string" or type(full.run) ~= "function" then
      error(("functions: %s is not a function under a name"):format(tostring(name)), 4)
    end
    list[#list + 1] = {
      name = name, description = full.description or "", run = over_json(full.run),
    }
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end

--- A request of the gate, with the arguments as a table.
local function with_arguments(request)
  request.arguments = plain(cjson.decode(request.args))
  return request
end

local function session_options(options)
  check_options(options, SESSION_OPTIONS, 4)
  if not options then return nil end
  local given = {}
  for name, value in pairs(options) do given[name] = value end
  if given.functions then given.functions = function_list(options.functions) end
  if type(given.gate) == "function" then
    given.gate = function(request) return options.gate(with_arguments(request)) end
  end
  return given
end

local function wrap(class, handle, err)
  if not handle then return nil, setmetatable(err, failure) end
  return setmetatable({ handle = handle }, class)
end

--- Opens the directory `root`. Options, all off unless given: read_only, one_file_system, no_fsync
--- (true or false), resolver ("auto" or "walk"), read_only_names (a list, in place of skills, docs,
--- templates and context), exclude (a list of globs that list and grep leave out), mounts (a list
--- of {name = "lib", path = "/srv/lib", read_only = true}: other directories of the host, which the
--- model sees under these names), hide (a list of paths of the host that nobody sees, whether they
--- exist or not). Where mounts are wrong the error has `problems`: all of it, a sentence each.
function croft.open(root, options)
  return wrap(View, core.open(root, check_options(options, VIEW_OPTIONS)))
end

--- Reads the configuration of a view, or of the views of many tenants: a table or its JSON.
--- croft.h, croft_template, has the keys. What is wrong is an error with `problems`: all of it, a
--- sentence each.
function croft.template(configuration)
  return wrap(Template, core.template(configuration))
end

--- The view of one tenant, made by looking at the host anew; nil where the template is for none.
--- Options as for croft.open, but for mounts and hide.
function Template:view(tenant, options)
  return wrap(View, self.handle:view(tenant, check_options(options, TENANT_OPTIONS)))
end

--- Views that were made of it live on.
function Template:close() self.handle:close() end

Template.__close = Template.close

--- A view that holds nobody to anything: its checks allow all, and no session can be opened over
--- it.
function croft.disabled()
  return wrap(View, core.disabled())
end

--- Whether the symbolic links of a checkout can be trusted, before it is opened as a root: true, or
--- nil and an error. With the code "denied" the error is also the list of what cannot be trusted,
--- in the order of the paths; `count` is how many there are, 1000 are in the list at most. Each is
---   path                  as its bytes are; a directory's ends in "/"
---   shown                 the same on one line, in UTF-8
---   code, reason          "outside", "leads outside"; croft.h has all codes
--- Option: read_only_names, as for open.
function croft.verify_links(checkout, options)
  local good, err = core.verify_links(checkout, check_options(options, LINKS_OPTIONS))
  if not good then return nil, setmetatable(err, failure) end
  return true
end

local function copy(how, from, to, options)
  local copied, err = how(from, to, check_options(options, COPY_OPTIONS, 4))
  if not copied then return nil, setmetatable(err, failure) end
  return copied
end

--- Makes the directory `to`, which may not be there, with all that the checkout `from` holds but
--- for the names options.skip; all or nothing. What an interrupted run made is gone on with.
--- Returns the numbers of `files`, `directories`, `links`, `bytes`, and a list of what was left
--- out, as croft.verify_links has it. Options: read_only_names, skip, no_fsync.
function croft.fill(from, to, options) return copy(core.fill, from, to, options) end

--- The same with what sessions made in `root`: without the read-only names and all that cannot be
--- copied or trusted.
function croft.harvest(root, to, options) return copy(core.harvest, root, to, options) end

--- A policy: rules of the files, a list of which the first is the operator's and the others only
--- narrow it. `session`, which may be left out, is one whose tools they may name. It has
---   explain(tool, arguments)   {tool =, verdict =, default =, paths = {{path =, verdict =, by =,
---                              rules = {{decision =, file =, line =, glob =, why =, decides =}}}}}
---   about()                    {decider =, rules = how many, milliseconds =}
---   close()
--- An error has all that is wrong as `problems`, a list of sentences.
function croft.policy(files, session)
  return wrap(Policy, core.policy(files, session and session.handle))
end

function Policy:explain(tool, arguments)
  if type(arguments) == "table" then arguments = encode(arguments) end
  local text, err = self.handle:explain(tool, arguments)
  if not text then return nil, setmetatable(err, failure) end
  return plain(cjson.decode(text))
end

function Policy:about() return self.handle:about() end
function Policy:close() self.handle:close() end

--- JSON's null, where it stands inside of a table.
croft.null = cjson.null

croft.version = core.version

--- Lends croft the signal `number` for as long as the process runs, best a real-time one that
--- nothing else uses: the time limit then also ends a call in the middle of one instruction of Lua,
--- which may take minutes. True; or nil and an error, where there is no such signal, or something
--- handles it.
croft.lend_signal = core.lend_signal

--- All limits with their defaults: {steps = 50000000, ...}; bytes in bytes, time in milliseconds.
function croft.limits()
  local limits = {}
  for _, limit in ipairs(core.limits()) do limits[limit.name] = limit.value end
  return limits
end

--- A session over the view. Options: tools (a list of directories with *.lua files), prefix (put
--- before every tool's name), limits ({name = number}), log ("stderr"; otherwise session:log() has
--- it), audit (a file outside of the root: a record of all that calls do is appended to it, and no
--- call runs without), trace (true: session:records() has them), functions,
--- enable (names of croft's own tools that are off otherwise), leave_out_broken (tools that cannot
--- be loaded do not keep the session from opening: session:problems() has why. A toolset.lua that
--- is wrong does: what it restricts is not known then).
---
--- functions = {name = function(value) ... end} gives functions to tools, as ctx.host.name(value);
--- in the place of a function may stand {description = "...", run = function}. Values go there and
--- back as JSON: null is nil, and croft.null inside of a table; an empty table is an object. An
--- error becomes one of the tool: a table {code = "missing", message = "There is no ..."} with that
--- code and text, anything else "internal", and goes to the log. A function may not call or close
--- the session that calls it.
---
--- gate = function(request) ... end is asked before each call whether it may run, and nothing of it
--- runs before the answer: {decision = "allow" or "deny", scope = "once" or "session", note = text
--- for the model}. Anything else, nil, an error and an answer after the deadline refuse the call
--- with the code "gate_unavailable". The request has
---   tool, arguments, args  the call; args is the JSON as it came
---   effect                 "read", "write" or "search"
---   paths                  that it names: cleaned, relative to the root; nothing was looked at
---   content_size, content_sha256   of what a call that writes sends
---   digest                 of tool and arguments; an approval is good for it alone, once
---   why                    what the rule that asks gives as its reason, or ""
---   deadline, milliseconds in microseconds since 1970; how much is left (the option gate_time,
---                          120000 unless given)
---   id, call
--- policies = {file, ...} are rules that allow, ask or deny (croft.policy): then only what they ask
--- for comes to the gate, and what they deny is not there.
---
--- gate = "needs_input" is the other form: the outcome of a call is "needs_input", its `question`
--- is such a request, and the call is made again with the answer. gate = "allow" and "deny" decide
--- so about every call that is asked for, "policy" refuses what the rules do not allow, "tty" asks
--- at the terminal of the process. decider = a name for the records.
function View:session(options)
  return wrap(Session, self.handle:session(session_options(options)))
end

--- False for croft.disabled() alone.
function View:enabled() return self.handle:enabled() end

local function checked(good, err)
  if not good then return nil, setmetatable(err, failure) end
  return true
end

--- Whether a host may let somebody read what is at `path`, or write there: an absolute path of the
--- host's, or one as a subprocess has it ("/workspace/a"). true, or nil and an error with the code
--- "denied". It holds for the moment: croft.h, croft_check_read.
function View:check_read(path) return checked(self.handle:check_read(path)) end

function View:check_write(path) return checked(self.handle:check_write(path)) end

--- The command that starts `argv` (a list) so that it sees what the view shows and nothing else: a
--- list too, with `split`, the place of "--". `workdir` is a directory of the host's that the view
--- shows; nil for the root. Options: program, version (of bubblewrap: 12003 for 0.12.3),
--- seccomp_fd, status_fd, tmp_bytes. nil and an error where it could not hold: croft.h,
--- croft_wrap_argv.
function View:wrap_argv(workdir, argv, options)
  check_options(options, WRAP_OPTIONS)
  local wrapped, err = self.handle:wrap_argv(workdir, argv, options)
  if not wrapped then return nil, setmetatable(err, failure) end
  return wrapped
end

--- The host's path behind one as a subprocess has it; nil where it is to be used as it is.
function View:translate(path) return self.handle:translate(path) end

--- The names of mounts under which the root has something itself, which nobody sees: a new list.
function View:covered() return self.handle:covered() end

--- "openat2" or "walk".
function View:resolver() return self.handle:resolver() end

--- The top-level names that cannot be changed, as a new list.
function View:read_only_names() return self.handle:read_only_names() end

--- Puts this thread behind Landlock, for good: it can open what lies below the root, and nothing
--- else. Returns {landlock = version, no_new_privileges =, network =, scopes =}, or nil and an
--- error that says why not. croft.h, croft_confine, has what that means; Lua too can then load no
--- file.
function View:confine()
  local wall, err = self.handle:confine()
  if not wall then return nil, setmetatable(err, failure) end
  return wall
end

--- Sessions over the view live on.
function View:close() self.handle:close() end

View.__close = View.close

--- Calls a tool with a table of arguments, or with the text of a JSON object. The result has
---   text                  what a model reads
---   is_error, code        code is "" or a word such as "missing"
---   structured            a table, where the tool returned one
---   outcome               "done", "failed", "ended" by a limit, "called_off" by the host,
---                         "needs_input", or "refused": nothing ran
---   question              with "needs_input": what is to be answered, as the gate is asked
---   steps, heap_bytes, microseconds
--- `answer` is one to such a question: what a gate answers, and the question's `id`. In the place
--- of a decision may stand cause = "error", "timeout", "no_decider", "cancelled" or "too_many". An
--- answer is good once, for the same call.
function Session:call(name, arguments, answer)
  if type(arguments) == "table" then arguments = encode(arguments) end
  local result = self.handle:call(name, arguments, answer)
  if result.question then with_arguments(result.question) end
  if result.structured then result.structured = cjson.decode(result.structured) end
  return result
end

--- The tools as a list of {name, title, description, inputSchema, annotations}, sorted by name.
function Session:tools() return cjson.decode(self.handle:tools()) end

--- The same as JSON, as tools/list of MCP has it.
function Session:tools_json() return self.handle:tools() end

--- What the session holds: a list of {handle, kind, path, bytes}, the oldest first; media also have
--- unsaved, saved_path and made_of (cjson's null where there is none). croft.h has more on it.
function Session:handles() return cjson.decode(self.handle:handles()) end

--- What calls have taken: {steps = {last =, most =, limit =}, heap = {...}, calls = {...},
--- calls_ended =, interpreters_made =, interpreters_trapped =}; croft.h, croft_usage, says of what.
function Session:usage() return self.handle:usage() end

--- What tools printed, and what went wrong inside them, since the last time.
function Session:log() return self.handle:log() end

--- What calls did since the last time, with the option `trace`: a list of
---   time, call, tool      when it began (ISO 8601, UTC), the number of the call, its tool
---   op                    "call", "question", "verdict", "end", or a primitive of ctx.fs;
---                         croft.h, croft_audit_function
---   path, resolved        as it was spelled, and root-relative with links resolved; or nil
---   verdict, rule         "ok" or a code such as "missing"; what refused, or nil
---   decider, digest, note of a question and its verdict
---   bytes, us             that it gave to the tool or wrote, and microseconds
function Session:records()
  local records = {}
  for line in self.handle:trace():gmatch("[^\n]+") do
    local record = cjson.decode(line)
    for name, value in pairs(record) do
      if value == cjson.null then record[name] = nil end
    end
    records[#records + 1] = record
  end
  return records
end

--- What is wrong with the tools that were left out, with the option `leave_out_broken`: sentences.
function Session:problems() return self.handle:problems() end

--- What there is to say of the operator's tools, as croft.h has it at croft_session_report; or nil
--- and a word.
function Session:report()
  local text, code = self.handle:report()
  if not text then return nil, code end
  return cjson.decode(text)
end

--- The top-level names that cannot be changed, with those that tool sets add, as a new list.
function Session:read_only_names() return self.handle:read_only_names() end

function Session:close() self.handle:close() end

Session.__close = Session.close

return croft
