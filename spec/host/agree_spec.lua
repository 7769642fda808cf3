-- SPDX-License-Identifier: MIT
--- One view, two answers: what a session's tools do and what the checks say of the same path, over
--- random trees, views and paths. S1-1, S1-9, S1-10
local croft = require("croft")
local host_tree = require("host_tree")

local VIEWS, PATHS = 32, 60
local MAKE = "{ mkdir -p $(dirname %s) && test ! -e %s"
local NAMES = { "a", "b", "c", "A", "secret", "x.txt" }

--- A generator of its own, so that a failure can be had again: xorshift.
local function generator(seed)
  local state = seed * 2654435769 + 1
  return function(most)
    state = state ~ (state << 13)
    state = state ~ (state >> 7)
    state = state ~ (state << 17)
    return (state & 0x7fffffff) % most + 1
  end
end

local function pick(random, list) return list[random(#list)] end

local function random_path(random, depth)
  local parts = {}
  for i = 1, random(depth) do parts[i] = pick(random, NAMES) end
  return table.concat(parts, "/")
end

--- Lines of shell that fill `top` with directories, files and links.
local function random_tree(random, top, lines)
  lines[#lines + 1] = "mkdir -p " .. top
  for _ = 1, 8 + random(8) do
    local path = top .. "/" .. random_path(random, 3)
    local kind = random(6)
    if kind <= 2 then
      lines[#lines + 1] = ("mkdir -p %s 2>&- || true"):format(path)
    elseif kind <= 5 then
      lines[#lines + 1] = (MAKE .. " && echo text > %s; } 2>&- || true"):format(path, path, path)
    else
      local target = pick(random, { "../", "", "../../", "./" }) .. random_path(random, 2)
      lines[#lines + 1] = (MAKE .. " && ln -s %s %s; } 2>&- || true")
        :format(path, path, target, path)
    end
  end
end

local function random_view(random)
  local config = {
    root = "@/tenants/me", tenants = "@/tenants", global = "@/global",
    secret_files = { random_path(random, 2) }, hide = {}, maps = {},
  }
  for i = 1, random(4) do
    config.hide[i] = "@/" .. pick(random, { "global", "map1", "map2", "tenants/me" }) .. "/"
      .. random_path(random, 3)
  end
  local names = { "m", "n/o", "a" }
  for i = 1, random(3) - 1 do
    config.maps[i] = {
      src = "@/map" .. i, dst = names[random(2) + i - 1], mode = pick(random, { "ro", "rw" }),
    }
  end
  return config
end

--- A path of the tools' tree, and the same as a subprocess spells it.
local function spellings(random, config)
  local tops = { "", "", "global" }
  for _, map in ipairs(config.maps) do tops[#tops + 1] = map.dst end
  local top, rest = pick(random, tops), random_path(random, 3)
  if top ~= "" then return top .. "/" .. rest, "/" .. top .. "/" .. rest end
  for _, map in ipairs(config.maps) do -- what a mount covers is seen by a subprocess alone
    if map.dst == rest or rest:find(map.dst .. "/", 1, true) == 1
      or map.dst:find(rest .. "/", 1, true) == 1 then
      return nil
    end
  end
  return rest, "/workspace/" .. rest
end

--- "file", "directory" or "nothing", as the host has it.
local function kind_of(path)
  local file = io.open(path, "rb")
  if not file then return "nothing" end
  local _, _, number = file:read(0)
  file:close()
  return number == 21 and "directory" or "file"
end

--- What does not agree, or nil.
local function disagreement(view, session, path, inside)
  local host = view:translate(inside)
  local kind = kind_of(host)
  local may_read, may_write = view:check_read(inside), view:check_write(inside)
  local read = session:call("read", { path = path })
  local listed = session:call("list", { path = path })
  if not read.is_error and not (may_read and kind == "file") then return "read what is denied" end
  if not listed.is_error and not (may_read and kind == "directory") then
    return "listed what is denied"
  end
  if may_read and kind == "file" and read.is_error then return "no read: " .. read.text end
  if may_read and kind == "directory" and listed.is_error then return "no list: " .. listed.text end
  local written = session:call("write", { path = path, content = "new\n" })
  if not written.is_error and not may_write then return "wrote what is denied" end
  if written.code == "read_only" and may_write then return "no write: " .. written.text end
  if may_write and kind == "file" and written.is_error then return "no write: " .. written.text end
  return nil
end

--- Nothing of a listing or a search is denied to a host.
local function leak(view, session, config)
  local listing = session:call("list", { recursive = true }).text
  for line in listing:gmatch("[^\n]+") do
    local path = line:match("^(.-)/?$"):gsub(" %(%d+ bytes?%)$", "")
    local inside = "/workspace/" .. path
    for _, name in ipairs { "global", config.maps[1] and config.maps[1].dst,
      config.maps[2] and config.maps[2].dst } do
      if path == name or path:find(name .. "/", 1, true) == 1 then inside = "/" .. path end
    end
    if not path:find(" -> ") and path ~= "n" and not view:check_read(inside) then return line end
  end
  return nil
end

describe("the tools and the checks of a view", function()
  for _, resolver in ipairs { "auto", "walk" } do
    it("agree on random paths, resolver " .. resolver, function()
      local asked = 0
      for seed = 1, VIEWS do
        local random = generator(seed)
        local lines = {}
        for _, top in ipairs { "tenants/me", "tenants/other", "global", "map1", "map2" } do
          random_tree(random, top, lines)
        end
        local tree = host_tree.make(table.concat(lines, "\n"))
        local config = random_view(random)
        local template, err = croft.template(tree:filled(config))
        if template then
          local view <close> = assert(template:view(nil, {
            no_fsync = true, resolver = resolver, read_only_names = {},
          }))
          local session <close> = assert(view:session())
          assert.is_nil(leak(view, session, config), "seed " .. seed)
          for _ = 1, PATHS do
            local path, inside = spellings(random, config)
            local what = path and disagreement(view, session, path, inside)
            asked = asked + (path and 3 or 0)
            assert.is_nil(what and ("seed %d, %s: %s"):format(seed, path, what))
          end
          assert.is_nil(leak(view, session, config), "seed " .. seed)
        else
          -- A path that is hidden above all of a tree is a contradiction.
          assert.equal("bad_argument", err.code)
        end
        tree:remove()
      end
      assert.is_true(asked > 2000, asked .. " questions")
    end)
  end
end)
