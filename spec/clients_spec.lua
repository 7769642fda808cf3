-- SPDX-License-Identifier: MIT
--- The client configurations: each parses, and names the server croft in its client's own form.
local cjson = require("cjson")
local tree = require("tree")

local DIRECTORY = "examples/clients/"
local SERVERS = { -- the file, and the key that its client reads
  ["claude-code.mcp.json"] = "mcpServers",
  ["claude_desktop_config.json"] = "mcpServers",
  ["cursor.mcp.json"] = "mcpServers",
  ["vscode.mcp.json"] = "servers",
}

describe("a client configuration", function()
  for file, key in pairs(SERVERS) do
    it("names the server in " .. file, function()
      local servers = cjson.decode(tree.text(DIRECTORY .. file))[key]
      assert.equal("croft", next(servers))
      assert.is_nil(next(servers, "croft"))
      assert.equal("/path/to/croft", servers.croft.command)
      assert.same({ "serve", "/path/to/your/files" }, servers.croft.args)
    end)
  end

  it("names the server in codex.config.toml", function()
    local lines = {}
    for line in tree.text(DIRECTORY .. "codex.config.toml"):gmatch("[^\n]+") do
      lines[#lines + 1] = line
    end
    assert.same({
      "[mcp_servers.croft]",
      'command = "/path/to/croft"',
      'args = ["serve", "/path/to/your/files"]',
    }, lines)
  end)

  it("is there for each client that the project's README names", function()
    local beside = tree.text(DIRECTORY .. "README.md")
    local rows = tree.text("README.md"):match("\n| client | file |\n| %-%-%- | %-%-%- |\n(.-)\n\n")
    local count = 0
    for client in (rows .. "\n"):gmatch("| ([^|]+) | [^|]+ |\n") do
      count = count + 1
      local file = beside:match("\n| " .. client .. " | `([^`]+)` |")
      assert.is_truthy(file, client .. " has no file")
      assert.is_true(#tree.text(DIRECTORY .. file) > 0)
    end
    assert.equal(5, count)
  end)

  it("stands in the table of the README beside it", function()
    local readme = tree.text(DIRECTORY .. "README.md")
    for _, path in ipairs(tree.files(DIRECTORY .. "*.json " .. DIRECTORY .. "*.toml")) do
      local file = path:sub(#DIRECTORY + 1)
      assert(readme:find("`" .. file .. "`", 1, true), file .. " is not in the table")
    end
  end)
end)
