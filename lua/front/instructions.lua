-- SPDX-License-Identifier: MIT
--- instructions: what a model is told about the server as a whole; at most 1000 characters.
local instructions = {}

local MOST = 1000

local function and_list(names)
  if #names < 2 then return names[1] or "" end
  return table.concat(names, ", ", 1, #names - 1) .. " and " .. names[#names]
end

local function writable(host)
  if host.read_only then return "The whole workspace is read-only: nothing can be changed. " end
  if #host.read_only_names == 0 then return "" end
  return ("The directories %s at the top can be read but not changed. ")
    :format(and_list(host.read_only_names))
end

--- `host` has prefix, read_only and read_only_names.
function instructions.text(host)
  local reading = "%slist shows directories and finds files by name; %sgrep searches in files;"
    .. ' %sread shows a text file in lines numbered "12|", page by page. '
  local changing = "%sedit replaces an exact piece of a file's text, so read the file first;"
    .. " %swrite makes a file, replaces it whole or appends to it. "
  local text = "Tools over one directory, the workspace. Every path is relative to its root, such"
    .. ' as "notes/a.md"; absolute paths and paths that leave the workspace are refused. '
    .. writable(host)
    .. reading:gsub("%%s", host.prefix)
    .. (host.read_only and "" or changing:gsub("%%s", host.prefix))
    .. "A last line in [brackets] says what was left out and how to get it. A refusal names the"
    .. " rule and what to send instead; the same call again gets the same answer."
  return #text <= MOST and text or text:sub(1, MOST):match("^(.*)%. .*$") .. "."
end

return instructions
