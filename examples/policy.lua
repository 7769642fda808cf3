-- SPDX-License-Identifier: MIT
-- Rules for croft serve --policy: who may be asked, and what nobody may allow.
return policy {
  version = 1,
  default = "ask",
  decider = { kind = "elicit", timeout_s = 120, on_timeout = "deny" },
  rules = {
    deny {
      tools = "*",
      paths = { "**/.env", "**/.env.*", "**/id_*", "**/*.pem" },
      why = "credentials; ask the operator for a redacted copy",
    },
    ask {
      tools = { "grep", "search_files" },
      when = { regex_like = "(?i)(secret|token|password|api.?key)" },
      why = "looks for secrets",
    },
    allow { tools = { "list", "read", "grep" }, paths = { "**" } },
  },
  expect = {
    { "deny", "read", { path = "src/.env" } },
    { "ask", "write", { path = "out/a.txt" } },
    { "allow", "grep", { pattern = "needle" } },
    { "ask", "grep", { pattern = "api_key" } },
  },
}
