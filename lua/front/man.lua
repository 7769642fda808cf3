-- SPDX-License-Identifier: MIT
--- man: the manual page croft(1), from the table of commands.lua. "croft help --man" prints it.
local commands = require("front.commands")
local core = require("front.core")
local help = require("front.help")
local limits = require("front.limits")

--- Text as troff takes it: nothing in it is a request or a hyphen.
local function plain(text)
  text = text:gsub("\\", "\\e"):gsub("-", "\\-")
  return (text:gsub("^([.'])", "\\&%1"))
end

--- The words in capitals, which stand for something, in italics.
local function marked(text)
  return (plain(text):gsub("%u[%u=]+", "\\fI%0\\fR"))
end

--- `about`, whose indented lines are examples and whose others are one paragraph.
local function paragraph(lines, about)
  local is_example = false
  for _, line in ipairs(about) do
    if (line:find("^    ") ~= nil) ~= is_example then
      is_example = not is_example
      lines[#lines + 1] = is_example and ".PP\n.RS 4\n.nf" or ".fi\n.RE\n.PP"
    end
    if line:find("^Exit status") then lines[#lines + 1] = ".PP" end
    lines[#lines + 1] = plain(line:gsub("^    ", ""))
  end
  if is_example then lines[#lines + 1] = ".fi\n.RE" end
end

local function add_command(lines, command)
  lines[#lines + 1] = ".SS " .. marked(help.synopsis(command))
  lines[#lines + 1] = plain(command.summary:gsub("^%l", string.upper)) .. "."
  if #command.about > 0 then lines[#lines + 1] = ".PP" end
  paragraph(lines, command.about)
  if #command.options == 0 then return end
  local spelled = {}
  for index, name in ipairs(command.options) do
    spelled[index] = ("\\fB%s\\fR"):format(plain("--" .. name))
  end
  lines[#lines + 1] = ".PP\nOptions: " .. table.concat(spelled, ", ") .. "."
end

local function add_options(lines)
  local names = {}
  for name in pairs(commands.options) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local spelled, text = table.unpack(help.option(name))
    lines[#lines + 1] = ".TP\n.B " .. marked(spelled)
    lines[#lines + 1] = plain(text:gsub("^%l", string.upper)) .. "."
  end
end

local function add_limits(lines)
  lines[#lines + 1] = "Each with its default, as it is typed behind \\fB\\-\\-limit\\fR. Bytes may"
  lines[#lines + 1] = "end in KiB, MiB or GiB, times in ms or s."
  lines[#lines + 1] = ".PP\n.RS 4\n.nf"
  for _, limit in ipairs(core.limits()) do lines[#lines + 1] = plain(limits.show(limit)) end
  lines[#lines + 1] = ".fi\n.RE"
end

--- The text of the page.
return function()
  local lines = {
    ('.TH CROFT 1 "" "croft %s" "User Commands"'):format(core.version()),
    ".SH NAME",
    "croft \\- file tools for a language model, over exactly the files it may see",
    ".SH SYNOPSIS",
    ".B croft\n\\fICOMMAND\\fR ...",
    ".SH COMMANDS",
  }
  for _, command in ipairs(commands.list) do add_command(lines, command) end
  lines[#lines + 1] = ".SH OPTIONS"
  add_options(lines)
  lines[#lines + 1] = ".SH LIMITS"
  add_limits(lines)
  lines[#lines + 1] = ".SH ENVIRONMENT\n.TP\n.B CROFT_RESOLVER"
  lines[#lines + 1] = 'With the value "walk", paths are resolved without openat2(2).'
  lines[#lines + 1] = ".SH SEE ALSO\n.BR openat2 (2),\n.BR landlock (7)"
  return table.concat(lines, "\n") .. "\n"
end
