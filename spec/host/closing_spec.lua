-- SPDX-License-Identifier: MIT
--- Views and sessions give back their memory and descriptors, closed or dropped.
local croft = require("croft")
local testing = require("croft.testing")
local tree = require("tree")

--- A sanitizer is slow, and keeps freed memory for a while, to catch its use.
local is_plain = tree.is_plain()

local SESSIONS = is_plain and 1000 or 150
local A_FEW = 16 -- of the last views may still stand in a register of Lua: not one of a thousand
local GROWTH_KIB = 24 * 1024 -- what a few sessions hold, far from what a thousand do

local function descriptors()
  local pipe = assert(io.popen("ls /proc/$PPID/fd | wc -l"))
  local count = tonumber(pipe:read("a"))
  pipe:close()
  return count
end

local function resident()
  for line in io.lines("/proc/self/status") do
    local size = line:match("^VmRSS:%s*(%d+) kB")
    if size then return tonumber(size) end
  end
end

describe("many sessions", function()
  local place

  before_each(function() place = testing.session { files = { ["a.txt"] = "one\n" } } end)
  after_each(function() place:close() end)

  --- Opens one, makes a call, and leaves it to `leave`.
  local function use(leave)
    local view = assert(croft.open(place:root(), { no_fsync = true }))
    local session = assert(view:session { functions = { f = function() return view end } })
    assert.equal("", session:call("read", { path = "a.txt" }).code)
    assert.is_true(session:usage().heap.most > 0)
    leave(view, session)
  end

  local function check(leave)
    for _ = 1, 20 do use(leave) end
    collectgarbage()
    collectgarbage()
    local open, size = descriptors(), resident()
    for _ = 1, SESSIONS do use(leave) end
    local most = resident()
    collectgarbage()
    collectgarbage()
    assert(descriptors() <= open + A_FEW)
    if is_plain then
      assert(most - size < GROWTH_KIB, ("grew by %d KiB"):format(most - size))
    end
  end

  it("are given back when they are closed", function()
    check(function(view, session)
      view:close()
      session:close()
      session:close()
    end)
  end)

  it("are given back when they are dropped", function()
    check(function() end)
  end)

  it("are given back when their block ends", function()
    check(function(view, session)
      local held <close> = session
      local seen <close> = view
      return held and seen
    end)
  end)

  it("say so when they are used afterwards", function()
    local view = assert(croft.open(place:root()))
    local session = assert(view:session())
    session:close()
    view:close()
    for _, use_it in ipairs {
      function() session:call("read") end, function() session:tools() end,
      function() session:usage() end, function() session:log() end,
      function() view:session() end, function() view:resolver() end,
    } do
      local good, message = pcall(use_it)
      assert.is_false(good)
      assert(message:find("is closed", 1, true), message)
    end
  end)
end)
