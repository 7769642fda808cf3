-- SPDX-License-Identifier: MIT
--- new: writes a tool and its spec, which pass as they are.
local core = require("front.core")
local fail = require("front.fail")

local TOOL = [==[
-- %NAME%: counts the lines below a directory that fit a pattern. Change it to what you need.
local tool = %REQUIRE%("croft.tool")

local function run(args, ctx)
  local regex = ctx.regex(args.pattern)
  local count, files = 0, 0
  for entry in ctx.fs:walk(args.path or ".", { glob = args.glob }) do
    if entry.type == "file" and entry.sendable then -- its name is UTF-8, and can be opened
      files = files + 1
      for line in ctx.fs:open(entry.path):lines() do
        if regex:test(line) then
          count = count + 1
        end
      end
      ctx.progress(files)
    end
  end
  if files == 0 then
    ctx.refuse("no_match", "no_files", { p = args.path or "." })
  end
  return ("%d of the lines in %d files fit."):format(count, files)
end

return tool.define({
  name = "%NAME%",
  description = 'Count the lines below the directory "path" that fit the pattern "pattern".',
  access = "read", -- or "write": then ctx.fs may change files
  input = {
    type = "object",
    required = { "pattern" },
    properties = {
      path = { type = "string", description = "Directory, relative to the workspace root." },
      pattern = { type = "string", minLength = 1, description = "What a line has to fit." },
      glob = { type = "string", description = 'Only files that fit, such as "*.md".' },
    },
  },
  -- What ctx.refuse says: what is so, and what to send instead.
  messages = {
    no_files = 'There are no such files below "{p}". Send another "path" or "glob", or call {list} '
      .. 'with "path": "{p}".',
  },
  -- Calls that `croft check` makes, each in a root that holds `files`.
  examples = {
    {
      args = { pattern = "^b" },
      files = { ["one.txt"] = "a\nb\n", ["d/two.txt"] = "bb\n" },
      expect = "2 of the lines in 2 files fit.",
    },
    { args = { pattern = "x", glob = "*.md" }, files = { one = "x\n" }, error = "no_match" },
  },
  run = run,
})
]==]

local SPEC = [==[
local testing = %REQUIRE%("croft.testing")

describe("%NAME%", function()
  local session

  before_each(function()
    session = testing.session({
      files = { ["one.txt"] = "a\nb\n", ["d/two.txt"] = "bb\n", ["out"] = { link = "/etc" } },
      tools = { testing.directory() }, -- all tools beside this spec
    })
  end)

  after_each(function() session:close() end)

  it("counts the lines that fit", function()
    local result = session:call("%NAME%", { pattern = "^b" })
    assert.equal("2 of the lines in 2 files fit.", result.text)
  end)

  it("says what to send where there are no files", function()
    local result = session:call("%NAME%", { pattern = "b", glob = "*.md" })
    assert.is_true(result.is_error)
    assert.matches('"glob"', result.text)
  end)

  it("cannot leave the root", function()
    assert.equal("outside", session:call("%NAME%", { pattern = "b", path = "out" }).code)
    assert.equal("outside", session:call("%NAME%", { pattern = "b", path = ".." }).code)
  end)
end)
]==]

--- The names of croft's own tools, of all sets: an operator may offer any of them beside.
local BUILT_IN = {}
for name in ([[
  apply_patch artifact_grep artifact_json artifact_outline artifact_read edit find_files grep list
  list_directory media_list move open_file open_json_file open_markdown_file read remove run
  save_media search_files stage_file stat write
]]):gmatch("%S+") do
  BUILT_IN[name] = true
end

--- Files of a directory of tools that are none, by what stands before their ".lua".
local OTHERS = { messages = "texts of messages", toolset = "what a tool set hides and limits" }

--- Why `name` cannot be a tool's; nil when it can.
local function problem_of(name)
  local shown, stem = core.quote(name), name:match("^(.+)_spec$")
  if not name:find("^%l[%l%d_]*$") or #name > 50 then
    return shown .. " is no name for a tool: small letters, digits and _, and a letter first"
  elseif stem then
    return ("%s is no name for a tool: %s.lua would be taken for a spec; give the tool's name "
      .. "alone, such as %s"):format(shown, name, BUILT_IN[stem] and "my_" .. stem or stem)
  elseif OTHERS[name] then
    return ("%s is no name for a tool: %s.lua holds %s; give another, such as %s_tool"):format(
      shown, name, OTHERS[name], name)
  elseif BUILT_IN[name] then
    return ("%s is a tool of croft's own; give another name, such as my_%s"):format(shown, name)
  end
end

local function write_new(path, text)
  local file, reason = io.open(path, "w")
  if not file then fail.usage("%s", reason) end
  local written, why = file:write(text)
  local closed, also = file:close()
  if not written or not closed then
    os.remove(path)
    fail.usage("%s: %s", core.quote(path), why or also)
  end
end

--- The text for the tool `name`. What it requires is not required here.
local function filled(template, name)
  return (template:gsub("%%(%u+)%%", { NAME = name, REQUIRE = [[require]] }))
end

local function exists(path)
  local file = io.open(path, "r")
  if file then file:close() end
  return file ~= nil
end

return function(write, _, operands)
  local name = operands[1]
  local problem = problem_of(name)
  if problem then fail.usage("%s", problem) end
  local tool, spec = name .. ".lua", name .. "_spec.lua"
  for _, path in ipairs { tool, spec } do
    if exists(path) then fail.usage("%s exists already; nothing was written", core.quote(path)) end
  end
  write_new(tool, filled(TOOL, name))
  write_new(spec, filled(SPEC, name))
  write(("wrote %s and %s; next: croft check . && croft test .\n"):format(tool, spec))
  return fail.DONE
end
