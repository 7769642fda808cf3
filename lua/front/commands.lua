-- SPDX-License-Identifier: MIT
--- commands: the one table of what the program takes. options.lua parses by it, help.lua prints it.

--- A value is "flag" (none), "text", or "limit" (NAME=VALUE); `many` may be given repeatedly.
local options = {
  tools = {
    value = "text", metavar = "DIR", many = true,
    help = "load each *.lua file in DIR as a tool",
  },
  enable = {
    value = "text", metavar = "NAMES", many = true,
    help = "offer apply_patch, move, remove, run or stat too; with commas between",
  },
  ["run-limit"] = {
    value = "text", metavar = "NAME=VALUE", many = true,
    help = "change a limit of run: seconds (600), output (64MiB), processes (256), memory (4GiB)",
  },
  toolset = {
    value = "text", metavar = "NAME",
    help = "workspace (list, read, grep, write, edit) or staged (handles and staged changes)",
  },
  ["write-root"] = {
    value = "text", metavar = "DIR",
    help = "staged: save_media writes below DIR of ROOT alone",
  },
  ["trust-tier"] = {
    value = "text", metavar = "TIER",
    help = "staged: what the tools call the trust in what they show; untrusted if left out",
  },
  ["read-only"] = { value = "flag", help = "nothing may be changed" },
  ["one-file-system"] = { value = "flag", help = "do not enter mounts below ROOT" },
  mount = {
    value = "text", metavar = "NAME=PATH[:ro]", many = true,
    help = "show the directory PATH as NAME; with :ro it cannot be changed",
  },
  hide = {
    value = "text", metavar = "PATH", many = true,
    help = "show nothing of PATH, whether it exists or not",
  },
  view = {
    value = "text", metavar = "FILE",
    help = "take ROOT, mounts and what is hidden from FILE: JSON, or Lua in a file *.lua",
  },
  tenant = { value = "text", metavar = "NAME", help = "the view of this tenant" },
  exclude = {
    value = "text", metavar = "GLOB", many = true,
    help = "leave out of list and grep what fits GLOB; it is counted",
  },
  audit = {
    value = "text", metavar = "FILE",
    help = "append a record of all that calls do to FILE, which is not in ROOT",
  },
  record = {
    value = "text", metavar = "FILE",
    help = "append what each call is given and answers to FILE, for croft replay",
  },
  ["record-bytes"] = {
    value = "text", metavar = "SIZE",
    help = "with --record: keep of longer texts only the size and SHA-256 (64KiB)",
  },
  redact = {
    value = "flag",
    help = "with --record: keep of all contents only the size and SHA-256",
  },
  ["keep-going"] = {
    value = "flag", help = "go on after a call that differs, or a line that failed",
  },
  gate = {
    value = "text", metavar = "KIND",
    help = "who says which calls run: elicit (the client's user), tty, policy, allow, deny",
  },
  policy = {
    value = "text", metavar = "FILE", many = true,
    help = "rules that allow, ask or deny calls; of a second FILE those that narrow the first",
  },
  log = { value = "text", metavar = "FILE", help = "append log lines to FILE, not to stderr" },
  ["log-level"] = {
    value = "text", metavar = "LEVEL",
    help = "quiet (nothing), info (what tools print and what fails), or debug (each call)",
  },
  trace = { value = "flag", help = "print what the call did, on stderr" },
  ["no-landlock"] = {
    value = "flag",
    help = "do without the kernel's second wall",
  },
  ["no-fsync"] = {
    value = "flag",
    help = "do not wait for the disk; a power cut may lose a write",
  },
  prefix = { value = "text", metavar = "P", help = "put P before the name of every tool" },
  limit = {
    value = "limit", metavar = "NAME=VALUE", many = true,
    help = "change a limit; see below",
  },
  ["read-only-name"] = {
    value = "text", metavar = "NAME", many = true,
    help = "a name at the top that is read-only, in place of the four",
  },
  cwd = {
    value = "text", metavar = "DIR",
    help = "a directory of the host that the view shows, to start in; default the root",
  },
  print = { value = "flag", help = "print the command in place of running it" },
  from = { value = "text", metavar = "TREE", help = "the directory that is copied" },
  to = { value = "text", metavar = "DIR", help = "the directory that is made" },
  skip = {
    value = "text", metavar = "NAME", many = true,
    help = "a further name at the top that is left out",
  },
  json = { value = "flag", help = "print JSON" },
  yes = { value = "flag", help = "what a gate asks is answered by yes" },
  no = { value = "flag", help = "what a gate asks is answered by no; so it is in a script" },
  script = { value = "text", metavar = "FILE", help = "read the lines from FILE, not from stdin" },
  ["show-host-paths"] = {
    value = "flag", help = "show where links point even if that is outside of ROOT",
  },
  man = { value = "flag", help = "print the manual page croft(1), for man(1) to read" },
  help = { value = "flag", help = "print this and exit" },
}

local opening = {
  "tools", "enable", "toolset", "write-root", "trust-tier", "read-only",
  "one-file-system", "exclude", "no-fsync", "prefix", "limit",
}

local function with(...)
  local names = { ... }
  table.move(opening, 1, #opening, #names + 1, names)
  return names
end

--- In the order in which --help shows them. Operands in square brackets may be left out; a last one
--- with dots takes all the rest.
local commands = {
  {
    name = "serve",
    operands = { "ROOT" },
    options = with("mount", "hide", "view", "tenant", "run-limit", "gate", "policy", "audit",
      "record", "record-bytes", "redact", "log", "log-level", "no-landlock"),
    summary = "serve the files in ROOT to an MCP client over stdin and stdout",
    about = {
      "Speaks the Model Context Protocol, one message a line, until stdin ends. ROOT is",
      "opened once, at the start; no tool reads or writes anything outside of it. Where the",
      "kernel has Landlock, it refuses that too. Log lines go to stderr.",
      "A call of which no record can be written to the FILE of --audit does not run. When the FILE",
      "of --record has no room, calls go on without being recorded, and the log says so once.",
      "Neither FILE is in ROOT. With --redact the names of tools and arguments, paths and words",
      "that a tool lists stay; a call of which anything else was given cannot be made again. A",
      "short text can be guessed from its hash.",
      "With --gate nothing of a call is done, and no file looked at, before somebody said that",
      "it may run: elicit asks the client's user over MCP, tty at the terminal that the server",
      "was started from, allow and deny decide so about all. With --policy that is so for what",
      "its rules ask for; what they allow runs, what they deny is refused and in no listing. With",
      "--gate policy they are alone: what they ask for is refused. Without --gate the decider of",
      "the file is taken.",
      "With --view there is no ROOT: the FILE has it, as root = \"/srv/work\" in Lua.",
    },
  },
  {
    name = "call",
    operands = { "ROOT", "TOOL", "[ARGUMENT...]" },
    options = with("mount", "hide", "view", "tenant", "run-limit", "json", "trace", "gate",
      "policy", "audit", "record", "record-bytes", "redact", "no-landlock"),
    summary = "call one tool and print what a model would read",
    about = {
      "The arguments are one JSON object, or words of the form key=text or key:=JSON:",
      "    croft call . read path=README.md limit=20",
      "    croft call . read '{\"path\": \"README.md\", \"limit\": 20}'",
      "Exit status: 0 done, 1 the tool refused or failed, 2 the call cannot be made, 3 a limit",
      "stopped it.",
    },
  },
  {
    name = "replay",
    operands = { "FILE", "ROOT" },
    options = { "keep-going", "json", "tools", "gate", "no-landlock" },
    summary = "make the calls that --record kept in FILE again, and say what differs",
    about = {
      "ROOT has to be as it was when FILE was begun, and is changed as the calls change it: use a",
      "copy. The other options are taken from FILE. The same outcome, error and text count as the",
      "same, whatever time they took. A call that differs is printed with a diff and ends it,",
      "unless --keep-going is given; one that a gate or policy refused, or that lacks a part of",
      "its arguments in FILE, is not made. The last line is \"N same, N different\".",
      "Exit status: 0 all that could be made are the same, 1 one differs, 2 they cannot be made.",
    },
  },
  {
    name = "repl",
    operands = { "ROOT" },
    options = with("mount", "hide", "view", "tenant", "script", "json", "keep-going", "yes", "no",
      "show-host-paths", "no-landlock"),
    summary = "call tools by hand, see what they do, and stop them where you want",
    about = {
      "Reads lines: NAME key=value ... calls a tool, = EXPR evaluates Lua as a tool sees it, and",
      ":help says which commands there are. At a terminal lines can be edited and completed, and",
      "Ctrl-C ends the call that runs. Without one, or with --script, it ends at the first line",
      "that fails; # begins a comment. With --json each line is answered by one object.",
      "Exit status: 0 all went well, or that of the first line that failed: 1 the tool refused or",
      "failed, 2 the line could not be understood, 3 a limit stopped the call.",
    },
  },
  {
    name = "tools",
    operands = { "[ROOT]" },
    options = { "json", "tools", "enable", "toolset", "write-root", "trust-tier", "prefix" },
    summary = "print the tools as a model sees them",
    about = { "ROOT is the current directory if left out. With --json, as tools/list sends them." },
  },
  {
    name = "check",
    operands = { "DIR" },
    options = { "enable", "prefix" },
    summary = "look through the tools in DIR and make the calls that they give as examples",
    about = {
      "Loads each *.lua file in DIR, and its toolset.lua and messages.lua, and prints all that is",
      "wrong with them: what keeps a tool from loading, what would mislead a model, and examples",
      "that do not come out as they say. Each example runs in a new directory with its files.",
      "Exit status: 0 nothing is wrong, 1 something is, 2 it cannot be looked at.",
    },
  },
  {
    name = "new",
    operands = { "NAME" },
    options = {},
    summary = "write a tool, NAME.lua, and its spec, NAME_spec.lua",
    about = {
      "They are written to the current directory, where nothing of that name may be. Both pass as",
      "they are: croft check . and croft test .",
    },
  },
  {
    name = "test",
    operands = { "DIR" },
    options = {},
    summary = "run the specs in DIR, *_spec.lua, with busted",
    about = {
      "Needs lua5.4 with busted and cjson. In the specs, require(\"croft.testing\") makes sessions",
      "over directories that are thrown away.",
      "Exit status: 0 all pass, 1 some fail, 2 they cannot be run.",
    },
  },
  {
    name = "policy",
    operands = { "check|explain", "FILE", "[TOOL]", "[ARGUMENT...]" },
    options = { "policy", "tools", "enable", "toolset", "json" },
    summary = "look through a policy, or say what it says of one call",
    about = {
      "check loads FILE as serve --policy does, and prints all that is wrong: what does not parse,",
      "tools that there are not (--tools DIR adds those of DIR), rules that can never decide, and",
      "expectations that do not come true. explain prints which rules match a call and which",
      "decides; the arguments are written as for croft call. Nothing is looked at for it.",
      "--policy adds further files, which narrow FILE.",
      "Exit status of check: 0 nothing is wrong, 1 something is; of explain: 0 allow, 1 deny,",
      "3 ask.",
    },
  },
  {
    name = "verify-links",
    operands = { "DIR" },
    options = { "read-only-name", "json" },
    summary = "say whether the symbolic links in a checkout can be trusted",
    about = {
      "DIR is refused as a whole when a link in it, however deep, has an absolute target, leads",
      "out of DIR or to nothing, or has the name of a read-only directory or lies in one (skills,",
      "docs, templates and context). So is a mount, and a directory that cannot be read. Each is",
      "printed with the reason, up to 1000; with --json, as one object a line with path, code and",
      "reason.",
      "Exit status: 0 nothing is wrong, 1 DIR is refused, 2 it cannot be looked at.",
    },
  },
  {
    name = "fill",
    operands = {},
    options = { "from", "to", "skip", "read-only-name", "no-fsync", "json" },
    summary = "make a root from a checkout whose links can be trusted",
    about = {
      "Copies TREE to DIR, where nothing or an empty directory may be, as far as the file system",
      "can by sharing the blocks. TREE is looked at as verify-links does it, and so is the copy;",
      "only then it gets its name. When it is interrupted there is no DIR: the same command goes",
      "on with what was copied. Prints what was left out, and what was copied; with --json, as one",
      "object a line.",
      "Exit status: 0 done, 1 TREE is refused, 2 it cannot be done.",
    },
  },
  {
    name = "harvest",
    operands = { "ROOT" },
    options = { "to", "skip", "read-only-name", "no-fsync", "json" },
    summary = "copy what sessions made in a root",
    about = {
      "Copies ROOT to DIR, as fill does it, but for the read-only names (skills, docs, templates",
      "and context) and those of --skip. No link is followed, and one that verify-links would",
      "refuse in DIR does not come along. What cannot be copied is left out and printed.",
      "Exit status: 0 done, 1 done but for what could not be read, 2 it cannot be done.",
    },
  },
  {
    name = "wrap",
    operands = { "ROOT", "COMMAND", "[ARGUMENT...]" },
    options = { "mount", "hide", "view", "tenant", "read-only", "cwd", "print" },
    summary = "run a program that sees what a view shows, and nothing else",
    about = {
      "    croft wrap ROOT -- COMMAND ARGUMENT...",
      "    croft wrap --view FILE -- COMMAND ARGUMENT...",
      "It is started by bubblewrap (bwrap), and finds the root of the view as /workspace, global",
      "as /global, what is mapped to NAME as /NAME, and binds under their own paths. /tmp is its",
      "own. It has no network unless the view says so, no capabilities, and of our environment",
      "and descriptors only what the view names, and stdin, stdout and stderr. The read-only names",
      "of tools do not hold it.",
      "Exit status: that of the program, 128 and the number where a signal ended it; 125 it was",
      "not started; 2 the view is refused, or bubblewrap does not work here, with the reason.",
    },
  },
  {
    name = "version",
    operands = {},
    options = {},
    summary = "print the version",
    about = {},
  },
  {
    name = "help",
    operands = { "[COMMAND]" },
    options = { "man" },
    summary = "say what the program or one command does",
    about = {},
  },
}

local by_name, names = {}, {}
for index, command in ipairs(commands) do
  by_name[command.name] = command
  names[index] = command.name
end

return { list = commands, names = names, by_name = by_name, options = options }
