-- SPDX-License-Identifier: MIT
--- Refusals of arguments, before any file is looked at. What a row may have is said in
--- spec/support/catalogue.lua.
return {
  { "A1", "an argument that is needed is missing or null", tool = "grep", args = { path = "." },
    parts = { A_add = "and a value for it can be made up" } },
  { "A2", "a value of another type", tool = "list", args = { recursive = "maybe" },
    parts = { A_send = "and a value can be made up" } },
  { "A3", "an empty text where one is needed", tool = "list", args = { path = "" },
    parts = { A_names = "and it is a path, which cannot be made up" } },
  { "A4", "a fraction, or a word, for a whole number", tool = "read",
    args = { path = "a.md", offset = 1.5 } },
  { "A5", "a number outside its two bounds", tool = "grep",
    args = { pattern = "x", context = 11 } },
  { "A5_low", "a number below its one bound", tool = "read", args = { path = "a.md", limit = 0 } },
  { "A5_high", "a number greater than any", tool = "read",
    args = { path = "a.md", offset = 1e30 } },
  { "A6", "an argument that the tool does not have", tool = "list", args = { recursiv = true },
    parts = { A6_near = "and it has one like it" } },
  { "A7", "none of the words that an argument takes", tool = "write",
    args = { path = "a.md", content = "", mode = "replace" } },
  { "A8", "a tool that there is not (the text of the -32602)", tool = "rm", args = {} },
  { "A9", "arguments that are no object (the text of the -32602)", tool = "read", args = "[1]" },
  { "A10", "half of a surrogate pair", tool = "read", args = [[{"path": "\udcff"}]] },
  { "A11", "arguments nested too deeply", tool = "read",
    args = '{"path": ' .. ("["):rep(70) .. ("]"):rep(70) .. "}" },
}
