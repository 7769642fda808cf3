-- SPDX-License-Identifier: MIT
--- What a gate refuses. What a row may have is said in spec/support/catalogue.lua.
local READ = { path = "a.md" }
local GATE = { tool = "write", of = ' of "a.md"', note = "not before Friday" }

local function deny(note)
  return function() return { decision = "deny", note = note } end
end

return {
  { "V_rule", "a rule of a policy denies it, and gives no reason", fills = GATE },
  { "V_rule_note", "a rule of a policy denies it", fills = GATE },
  { "V_default", "no rule of a policy allows it", fills = GATE },
  { "V_nobody", "it would be asked for, and nobody can be (serve --gate deny)", tool = "read",
    args = READ, gate = "deny", parts = { V_of = "with a path" } },
  { "V_declined", "it was declined", tool = "read", args = READ, gate = deny() },
  { "V_declined_note", "it was declined with a note", tool = "read", args = READ,
    gate = deny("no") },
  { "V_timeout", "nobody answered in time", fills = GATE },
  { "V_error", "whoever decides failed", tool = "read", args = READ,
    gate = function() return nil end },
  { "V_no_decider", "the client cannot ask its user", fills = GATE },
  { "V_cancelled", "the question was closed", fills = GATE },
  { "V_too_many", "the client's user has 48 questions open", fills = GATE },
  { "V_answer", "an approval that is not good for the call", tool = "read", args = READ,
    gate = "needs_input", answer = { id = 77, decision = "allow" } },
  { "V_needs_input", "an approval is needed, and the host makes the call again with it",
    tool = "read", args = READ, gate = "needs_input" },
  { "V_elsewhere", "a link leads to a path that was not approved", tool = "read",
    args = { path = "b" }, gate = function() return { decision = "allow" } end,
    files = { ["a.md"] = "one\n", b = { link = "a.md" } } },
  { "V_contents", "a directory is moved, and something in it may not be",
    raise = { code = "denied", detail = "contents", op = "rename", path = "d" } },
  { "V_unasked", "a tool touches a path that was not approved",
    raise = { code = "denied", detail = "elsewhere", reason = "d/a.md", op = "read",
      path = "d/a.md" } },
}
