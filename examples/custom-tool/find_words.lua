-- SPDX-License-Identifier: MIT
--- find_words: the lines below a directory that hold one of several words, with file and line.
local tool = require("croft.tool")

local MOST = 100 -- lines that are shown

local function run(args, ctx)
  local regex = ctx.regex("\\b(" .. args.words .. ")\\b", { ignore_case = true })
  local found, files = {}, 0
  for entry in ctx.fs:walk(args.path or ".", { glob = args.glob }) do
    if entry.type == "file" and entry.sendable then -- its name is UTF-8, and can be opened
      files = files + 1
      local number = 0
      for line in ctx.fs:open(entry.path):lines() do
        number = number + 1
        if regex:test(line) then
          found[#found + 1] = ("%s:%d|%s"):format(ctx.text.name(entry.path), number, line)
        end
      end
      ctx.progress(files)
    end
    if #found >= MOST or ctx.cancelled() then
      found[#found + 1] = '[there may be more. For fewer: a deeper "path" or a "glob"]'
      break
    end
  end
  if files == 0 then
    ctx.refuse("no_match", "no_files", { p = args.path or "." })
  end
  return #found > 0 and table.concat(found, "\n") or ("nothing in %d files"):format(files)
end

return tool.define({
  name = "find_words",
  description = 'Show the lines below the directory "path" that hold one of "words", in any case.',
  access = "read", -- with "write", ctx.fs may change files too
  input = {
    type = "object",
    required = { "words" },
    properties = {
      words = { type = "string", minLength = 1, description = 'Such as "error|warning".' },
      path = { type = "string", description = "Directory, relative to the workspace root." },
      glob = { type = "string", description = 'Only files that fit, such as "*.md".' },
    },
  },
  messages = { -- what ctx.refuse says: what is so, and what to send instead
    no_files = 'There are no such files below "{p}". Send another "path" or "glob", or call {list} '
      .. 'with "path": "{p}".',
  },
  examples = { -- calls that `croft check` makes, each in a root that holds `files`
    {
      args = { words = "error", path = "d" },
      files = { ["d/a.log"] = "ok\nError 7\nterrors\n", ["b.log"] = "error\n" },
      expect = "d/a.log:2|Error 7",
    },
    { args = { words = "x", glob = "*.md" }, files = { ["a.c"] = "x\n" }, error = "no_match" },
  },
  run = run,
})
