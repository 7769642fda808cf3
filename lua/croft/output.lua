-- SPDX-License-Identifier: MIT
--- output: what a command wrote, as a model is shown it.
local text = require "croft.text"

local output = {}

local HEAD, TAIL, DENIALS = 8192, 16384, 5

--- What of `whole` fits into `size` bytes, by characters.
local function first(whole, size)
  if #whole <= size then
    return whole
  end
  return (whole:sub(1, size):gsub("[\xC2-\xF4][\x80-\xBF]*$", ""))
end

local function last(whole, size)
  if #whole <= size then
    return whole
  end
  return (whole:sub(-size):gsub("^[\x80-\xBF]+", ""))
end

--- The beginning and the end of what was written, without a line end. `reply` has `head`, `tail`,
--- and `dropped`, the bytes between. Returns it, and how many bytes are not in it.
function output.body(reply)
  local head, tail = first(reply.head, HEAD), last(reply.tail, TAIL)
  local dropped = reply.dropped + #reply.head - #head + #reply.tail - #tail
  local body = head .. tail
  if dropped > 0 then
    body = ("%s\n[%d bytes left out here]\n%s"):format(head, dropped, tail)
  end
  return text.ends(body, "\n") and body:sub(1, -2) or body, dropped
end

local NETWORK = {
  "Network is unreachable", "Could not resolve host", "Temporary failure in name resolution",
  "Name or service not known",
}

--- The path that a program says it could not write to; nil for none.
local function path_in(line)
  local before = line:match("^(.*): Read%-only file system")
  return before and (before:match("'([^']+)'$") or before:match("([^%s:'\"]+)$"))
end

local function denial_of(line, reply)
  local path = path_in(line)
  if path then
    local can = reply.read_only and "only /tmp" or "/workspace and /tmp"
    return ("[denied: %s cannot be written by a command; %s can]"):format(path, can)
  end
  for _, sign in ipairs(reply.network and {} or NETWORK) do
    if line:find(sign, 1, true) then
      return "[denied: a command has no network here]"
    end
  end
  return nil
end

--- A line for each thing that the view refused, as far as programs say so: the first five. `reply`
--- says what the view is: `read_only`, and whether it has the host's `network`.
function output.denials(body, reply)
  local said, list = {}, {}
  for _, line in ipairs(text.split(body, "\n")) do
    local denial = denial_of(line, reply)
    if denial and not said[denial] and #list < DENIALS then
      said[denial] = true
      list[#list + 1] = denial
    end
  end
  return list
end

return output
