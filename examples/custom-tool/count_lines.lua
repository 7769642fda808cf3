-- SPDX-License-Identifier: MIT
--- count_lines: how many lines a file has, or how many of them fit a pattern.
local tool = require("croft.tool")

local function run(args, ctx)
  local file = ctx.fs:open(args.path) -- what may not be read is refused here
  local regex = args.match and ctx.regex(args.match, {})
  local count = 0
  for line in file:lines() do
    if not regex or regex:test(line) then
      count = count + 1
    end
  end
  return ("%s: %d %s"):format(file.path, count, count == 1 and "line" or "lines")
end

return tool.define({
  name = "count_lines",
  title = "Count lines",
  description = "Count the lines of a text file, or only those that fit a regular expression.",
  access = "read",
  input = {
    type = "object",
    required = { "path" },
    properties = {
      path = { type = "string", description = "The file, relative to the workspace root." },
      match = { type = "string", description = "Count only lines that fit this pattern." },
    },
  },
  examples = {
    { args = { path = "a.txt" }, files = { ["a.txt"] = "one\ntwo\n" }, expect = "a.txt: 2 lines" },
  },
  run = run,
})
