-- SPDX-License-Identifier: MIT
--- How any call can end. What a row may have is said in
--- spec/support/catalogue.lua.
local FOREVER = "while true do end"

return {
  { "T1", "the time is over", body = FOREVER, limits = { time = 30 },
    parts = { T1_any = "and the tool does not say what is less" } },
  { "T1_list", "the time of list is over", body = FOREVER, narrower = "T1_list",
    limits = { time = 30 } },
  { "T1_read", "the time of read is over", body = FOREVER, narrower = "T1_read",
    limits = { time = 30 } },
  { "T1_grep", "the time of grep is over", body = FOREVER, narrower = "T1_grep",
    limits = { time = 30 } },
  { "T3_steps", "more steps than a call may take", body = FOREVER, limits = { steps = 100000 },
    parts = { T3_clean = "and nothing was changed before" } },
  { "T3_heap", "more memory than a call may use", limits = { heap = 2097152 },
    body = [[local all = {} for i = 1, 1e9 do all[i] = { i } end]] },
  { "T3_dirty", "a call was stopped that had written", access = "write",
    limits = { steps = 100000 }, body = [[ctx.fs:replace("f", "x", {}) while true do end]] },
  { "T3_made", 'in the place of "Nothing was changed.": a directory was made for what failed',
    fills = { done = "changed", made = 1, first_made = "d" } },
  { "T3_made_more", "the same, of several",
    fills = { done = "moved", made = 2, first_made = "d" } },
  { "T4", "a fault in the tool", body = [[error("a fault")]] },
  { "T5", "the workspace was removed", tool = "list", args = {},
    prepare = [[cd .. && rm -r "$OLDPWD"]] },
  { "T7", "another program holds the file",
    raise = { code = "busy", op = "write", path = "d/a.md" } },
  { "T8", "a mount (--one-file-system)",
    raise = { code = "crosses_mount", detail = "kept", op = "read", path = "d/a.md" } },
  { "T19", "the host has no descriptor or no memory left",
    raise = { code = "exhausted", op = "read", path = "d/a.md" } },
  { "T17", "a tool's own result is too long", body = [[return ("line\n"):rep(9000)]] },
  { "T18", "the audit log cannot be written (serve --audit)",
    fills = { tool = "write", outcome = "Nothing was changed." } },
}
