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

--- What each tool is for, in the order in which it is told.
local ABOUT = {
  { "list", "%slist shows directories and finds files by name" },
  { "grep", "%sgrep searches in files" },
  { "read", '%sread shows a text file in lines numbered "12|", page by page' },
  {
    "edit", "%sedit replaces an exact piece of a file's text, so read the file first",
    writes = true,
  },
  { "write", "%swrite makes a file, replaces it whole or appends to it", writes = true },
}

--- The same for the staged tool set.
local STAGED = {
  { "list_directory", "%slist_directory shows directories" },
  { "find_files", "%sfind_files finds files by name" },
  { "search_files", "%ssearch_files searches in files" },
  { "open_file", "%sopen_file gives a handle, which the artifact_ tools show" },
  { "stage_file", "%sstage_file puts a file in memory to be changed" },
  { "apply_patch", "%sapply_patch changes it there" },
  {
    "save_media", "%ssave_media writes it: nothing is on disk before",
    writes = true,
  },
}

--- How many there are.
instructions.TOOLS = #ABOUT

--- The built-in tools that are offered, one clause each.
local function tools_of(host)
  local clauses = {}
  for _, tool in ipairs(host.staged and STAGED or ABOUT) do
    local is_there = not host.names or host.names[host.prefix .. tool[1]]
    if is_there and not (tool.writes and host.read_only) then
      clauses[#clauses + 1] = tool[2]:format(host.prefix)
    end
  end
  return #clauses > 0 and table.concat(clauses, "; ") .. ". " or ""
end

--- `host` has prefix, read_only, read_only_names, and names: the tools that are offered, as a set;
--- nil for croft's own.
function instructions.text(host)
  local text = "Tools over one directory, the workspace. Every path is relative to its root, such"
    .. ' as "notes/a.md"; absolute paths and paths that leave the workspace are refused. '
    .. writable(host)
    .. tools_of(host)
    .. "A last line in [brackets] says what was left out and how to get it. A refusal names the"
    .. " rule and what to send instead; the same call again gets the same answer."
  return #text <= MOST and text or text:sub(1, MOST):match("^(.*)%. .*$") .. "."
end

return instructions
