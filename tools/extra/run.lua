-- SPDX-License-Identifier: MIT
--- run: one command, started by the host in the view of the session.
local output = require "croft.output"
local tool = require "croft.tool"

local DESCRIPTION = [[
Run one command of a POSIX shell (sh -c) and read what it writes, stdout and stderr in the order in
which they come, and its exit code. An exit code that is not 0 is an answer, not an error.

- It starts in "directory", which is relative to the workspace root. A command finds the root as
  /workspace, and other trees at the top of the tools' tree under "/" and their name: "global/a.md"
  is /global/a.md there.
- It can write below /workspace where the tools can, and in /tmp, which is empty at the start and
  gone at the end. It sees neither other files of the host nor its processes, and has a network
  only where the host allows one. Nothing that it starts outlives it.
- A directory at the top of the root that the tools may not change is not to be made by a command
  where it is missing: no command is run once it is there.
- Of much output the beginning and the end are shown.
- To read, search or change files use {read}, {grep} and {edit}.]]

local MOST, USUAL = 600, 60
local COMMAND_BYTES = 128 * 1024 - 1 -- an argument of execve(2), with its NUL

local MESSAGES = {
  no_directory = '"{path}" is no directory. Nothing was run. Send another "directory", or call '
    .. '{list} with "path": "." to see those that there are.',
  nul = '"command" has a NUL character in it, and no command can have one. Nothing was run. '
    .. 'Send "command" without it.',
  too_long = '"command" is {size} bytes, and may be {most} at most. Nothing was run. Send less: '
    .. 'put a long script into a file with {write}, and run that.',
  absent = "The host runs no commands here. Nothing was run. Use {read}, {grep} and {edit}.",
}

local ENDED = {
  output = "[ended, as it wrote more than a command may]",
  processes = "[ended, as it had more processes at once than a command may]",
}

--- The last line: how it ended.
local function ending(reply, seconds, body)
  if reply.ended == "exited" then
    local silent = body == "" and "; it wrote nothing" or ""
    return ("[exit code %d%s]"):format(reply.exit, silent)
  elseif reply.ended == "time" then
    local more = seconds < MOST and ('; more, up to %d, is had by "seconds"'):format(MOST) or ""
    return ("[ended after %d s, which is as long as it may run%s]"):format(seconds, more)
  end
  return ENDED[reply.ended]
end

--- The directory's path in the tools' tree, with links resolved.
local function directory_of(args, ctx)
  local found = ctx.fs:stat(args.directory or ".")
  if found.type ~= "directory" then
    ctx.refuse("not_a_directory", "no_directory", { path = args.directory })
  end
  return found.path
end

--- What no program can be started with.
local function check_command(command, ctx)
  if command:find("\0", 1, true) then
    ctx.refuse("bad_argument", "nul", {})
  elseif #command > COMMAND_BYTES then
    ctx.refuse("bad_argument", "too_long", { size = #command, most = COMMAND_BYTES })
  end
end

local function run(args, ctx)
  check_command(args.command, ctx)
  local offered, start = pcall(function() return ctx.host.run end)
  if not offered then
    ctx.refuse("denied", "absent", {})
  end
  local seconds = args.seconds or USUAL
  local reply = start {
    command = args.command, directory = directory_of(args, ctx), seconds = seconds,
  }
  local body, dropped = output.body(reply)
  local lines = output.denials(body, reply)
  lines[#lines + 1] = ending(reply, seconds, body)
  if body ~= "" then
    table.insert(lines, 1, body)
  end
  return {
    text = table.concat(lines, "\n"),
    structured = { exit_code = reply.exit, ended = reply.ended, dropped_bytes = dropped },
  }
end

return tool.define {
  name = "run",
  title = "Run a command",
  description = DESCRIPTION,
  access = "write",
  annotations = { openWorldHint = true },
  messages = MESSAGES,
  samples = { command = "make test", directory = "." },
  examples = {
    { args = { command = "true" }, error = "denied" },
  },
  input = {
    type = "object",
    required = { "command" },
    properties = {
      command = { type = "string", minLength = 1, description = "For a POSIX shell: sh -c." },
      directory = {
        type = "string", minLength = 1,
        description = "Where to start, relative to the workspace root. Default: the root.",
      },
      seconds = {
        type = "integer", minimum = 1, maximum = MOST,
        description = "It is ended after so long. Default: 60.",
      },
    },
  },
  run = run,
}
