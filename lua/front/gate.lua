-- SPDX-License-Identifier: MIT
--- gate: what a client answers to elicitation/create, as a verdict: {decision =, scope =, note =,
--- cause =}, of which a table without a decision is none.
local gate = {}

--- What the form offers, as the server's own words have it.
local CHOICES = {
  ["allow once"] = { decision = "allow", scope = "once" },
  ["allow for this session"] = { decision = "allow", scope = "session" },
  deny = { decision = "deny" },
}

--- The fields of an accepted form.
local function chosen(content)
  if not content or content:type() ~= "object" then return {} end
  local decision, note = content:pick("decision", "note")
  local choice = CHOICES[decision and decision:text() or ""] or {}
  note = note and note:text() or nil
  return { decision = choice.decision, scope = choice.scope, note = note and note:gsub("%z", " ") }
end

--- The verdict in an ElicitResult, a slice or nil.
function gate.verdict(result)
  if not result or result:type() ~= "object" then return {} end
  local action, content = result:pick("action", "content")
  local word = action and action:text()
  if word == "accept" then
    return chosen(content)
  elseif word == "decline" then
    return { decision = "deny" }
  end
  return word == "cancel" and { cause = "cancelled" } or {}
end

--- Whether the capabilities of a client, a slice or nil, say that it can show a form.
function gate.can_ask(capabilities)
  local elicitation = capabilities and capabilities:type() == "object"
    and capabilities:pick("elicitation")
  if not elicitation or elicitation:type() ~= "object" then return false end
  local form, url = elicitation:pick("form", "url")
  return form ~= nil or url == nil
end

--- The number of the question that the id of a response stands for, or nil.
function gate.question(id)
  local number = id:type() == "string" and id:text():match("^croft%-gate%-(%d+)$")
  return number and math.tointeger(tonumber(number))
end

return gate
