-- SPDX-License-Identifier: MIT
--- reference: what a policy says of a call, worked out slowly and by other means than the core's:
--- braces are written out, globs are matched component by component with all ways tried.
local reference = {}

--- All texts that a pattern with braces stands for.
local function expand(pattern)
  local from, to = pattern:find("%b{}")
  if not from then return { pattern } end
  local all, depth, start = {}, 0, from + 1
  for at = from + 1, to do
    local c = pattern:sub(at, at)
    if (c == "," and depth == 0) or at == to then
      for _, rest in ipairs(expand(pattern:sub(1, from - 1) .. pattern:sub(start, at - 1)
        .. pattern:sub(to + 1))) do
        all[#all + 1] = rest
      end
      start = at + 1
    elseif c == "{" then
      depth = depth + 1
    elseif c == "}" then
      depth = depth - 1
    end
  end
  return all
end

--- Whether the characters of one component fit.
local function fits_name(pattern, name)
  local c = pattern:sub(1, 1)
  if c == "" then return name == "" end
  if c == "*" then
    for at = 1, #name + 1 do
      if fits_name(pattern:sub(2), name:sub(at)) then return true end
    end
    return false
  end
  if name == "" then return false end
  local first = name:sub(1, 1)
  if c == "[" then
    local set, rest = pattern:match("^%[([^%]]+)%](.*)$")
    local negated = set:sub(1, 1) == "!"
    local found = first:match("[" .. (negated and set:sub(2) or set) .. "]") ~= nil
    return found ~= negated and fits_name(rest, name:sub(2))
  end
  return (c == "?" or c == first) and fits_name(pattern:sub(2), name:sub(2))
end

local function split(text)
  local parts = {}
  for part in text:gmatch("[^/]+") do
    if part ~= "." then parts[#parts + 1] = part end
  end
  return parts
end

local function fits_parts(patterns, p, names, n)
  if p > #patterns then return n > #names end
  if patterns[p] == "**" then
    local least = p == #patterns and 1 or 0 -- at the end it takes one level at least
    for skip = n + least, #names + 1 do
      if fits_parts(patterns, p + 1, names, skip) then return true end
    end
    return false
  end
  return n <= #names and fits_name(patterns[p], names[n])
    and fits_parts(patterns, p + 1, names, n + 1)
end

local function fits_one(pattern, path, is_directory)
  if pattern:sub(-1) == "/" then
    if not is_directory then return false end
  end
  local patterns, names = split(pattern), split(path)
  if #patterns == 1 and pattern:sub(1, 1) ~= "/" and patterns[1] ~= "**" then
    return fits_name(patterns[1], names[#names])
  end
  return fits_parts(patterns, 1, names, 1)
end

--- Whether `pattern` fits `path`, "." for the root, which may be a directory or none.
function reference.glob(pattern, path, is_directory)
  if path == "." then return pattern == "**" end
  for _, one in ipairs(expand(pattern)) do
    if fits_one(one, path, is_directory) then return true end
  end
  return false
end

local function fits_path(rule, path)
  for _, pattern in ipairs(rule.paths) do
    if reference.glob(pattern, path, true) or reference.glob(pattern, path, false) then
      return true
    end
    if rule.decision ~= "allow" and path ~= "." then
      local above = path
      while above:find("/", 1, true) do
        above = above:match("^(.*)/")
        if reference.glob(pattern, above, true) then return true end
      end
      if pattern == "**" then return true end
    end
  end
  return false
end

local function names_tool(rule, tool)
  if rule.tools == "*" then return true end
  for _, name in ipairs(rule.tools) do
    if name == tool then return true end
  end
  return false
end

local function is_like(rule, arguments)
  if not rule.like then return true end
  for _, value in pairs(arguments) do
    if type(value) == "string" and value:find(rule.like, 1, true) then return true end
  end
  return false
end

local STRICT = { allow = 1, ask = 2, deny = 3 }

--- Of {default =, rules = {{decision =, tools =, paths = or nil, like = plain text or nil}}}: the
--- verdict on a call that names `paths`.
function reference.verdict(policy, tool, arguments, paths)
  local strictest = "allow"
  for _, path in ipairs(#paths > 0 and paths or { false }) do
    local said
    for _, rule in ipairs(policy.rules) do
      local matches = names_tool(rule, tool) and is_like(rule, arguments)
        and (not rule.paths or path and fits_path(rule, path))
      if matches and (not said or STRICT[rule.decision] > STRICT[said]) then
        said = rule.decision
      end
    end
    said = said or policy.default
    if STRICT[said] > STRICT[strictest] then strictest = said end
  end
  return strictest
end

return reference
