-- SPDX-License-Identifier: MIT
--- The staged tool set under a policy: what a rule denies is not there, whatever looks for it.
local cjson = require "cjson"
local staged = require "staged"

local RULES = [[
return policy {
  version = 1,
  rules = {
    deny { tools = "*", paths = { "**/.env", "secret/**", "secret" }, why = "credentials" },
    allow { tools = "*", paths = { "**" } },
  },
}]]

describe("The staged tools under a policy", function()
  local session, file

  before_each(function()
    file = os.tmpname()
    local out = assert(io.open(file, "w"))
    out:write(RULES)
    out:close()
    assert(os.execute("chmod 600 " .. file))
    session = staged.session {
      files = {
        ["a.txt"] = "token\n", [".env"] = "token\n", ["d/.env"] = "token\n", ["d/x"] = "token\n",
        ["secret/key"] = "token\n", l = { link = "secret/key" }, dl = { link = "d" },
      },
      policies = { file }, gate = "policy",
    }
  end)

  after_each(function()
    session:close()
    os.remove(file)
  end)

  local function call(tool, args) return session:call(tool, args) end

  local function paths(text)
    local found = {}
    for line in text:gmatch("[^\n]+") do
      found[#found + 1] = cjson.decode(line).path
    end
    return found
  end

  it("leave denied entries out, and change nothing about the others", function() -- S2-34 S2-40
    assert.same({ "a.txt", "d", "d/x", "dl", "l" },
      paths(call("list_directory", { path = "." }).text))
    assert.same({ "a.txt", "d/x" },
      paths(call("search_files", { pattern = "token", limit = 9, hidden = true }).text))
    assert.same({ "a.txt", "d/x" },
      paths(call("find_files", { glob = "**", limit = 9, hidden = true }).text))
  end)

  it("open nothing that is denied, there or not", function() -- S2-36
    for _, tool in ipairs { "open_file", "stage_file" } do
      local there, gone = call(tool, { path = ".env" }), call(tool, { path = "d/q/.env" })
      assert.equal("denied", there.code)
      assert.matches("credentials", there.text)
      assert.equal((there.text:gsub('"%.env"', "")), (gone.text:gsub('"d/q/%.env"', "")))
      assert.equal(call(tool, { path = "l" }).code, "denied")
      assert.is_nil(call(tool, { path = "l" }).text:find("secret", 1, true))
    end
  end)

  it("save nothing to what is denied", function()
    local media = staged.handle(session, "stage_file", { path = "a.txt" })
    for _, path in ipairs { ".env", "secret/new", "l" } do
      local args = { media_id = media, path = path, overwrite = true }
      assert.is_true(call("save_media", args).is_error)
    end
    assert.equal("token\n", staged.content(session, "secret/key"))
    assert.is_nil(staged.content(session, "secret/new"))
  end)

  it("save through no link, though a rule allows what it leads to", function() -- S2-29
    local media = staged.handle(session, "stage_file", { path = "a.txt" })
    local result = call("save_media", { media_id = media, path = "dl/new" })
    assert.equal('"dl/new" leads through the link "dl", and save_media writes through no link. '
      .. 'Nothing was written. Send a "path" without links; list_directory with "path": "." shows '
      .. 'them.', result.text)
    assert.is_nil(staged.content(session, "d/new"))
  end)
end)
