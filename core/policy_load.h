/* SPDX-License-Identifier: MIT */
/*
 * Policy files: Lua that is data. A file is run in a state of its own with no library, under a ceiling of memory
 * and of instructions, with the functions policy, deny, ask and allow alone; what it returns is checked
 * against a closed schema and copied.
 *
 *     return policy {
 *       version = 1, default = "ask",                    -- or "deny"
 *       decider = { kind = "elicit", timeout_s = 120, on_timeout = "deny" },
 *       rules = {
 *         deny { tools = "*", paths = { "id_*" }, why = "credentials" },
 *         ask { tools = { "grep" }, when = { regex_like = "(?i)token" } },
 *         allow { tools = { "read" }, paths = { "src/x" } },
 *       },
 *       expect = { { "deny", "read", { path = "src/.env" } } },
 *     }
 */
#ifndef CROFT_POLICY_LOAD_H
#define CROFT_POLICY_LOAD_H

#include "gate_tools.h"
#include "policy.h"
#include "problems.h"
#include "view.h"

/*
 * Makes one policy of the files, of which the first is the operator's and the others may only narrow it:
 * deny, ask, and a stricter default. `view` (may be NULL) is one in whose trees none may lie; `tools` are those that a
 * rule may name. All that is wrong with them is in *problems, and the status CROFT_BAD_ARGUMENT then;
 * CROFT_INTERNAL when memory ran out. *policy is to be freed in any case.
 */
croft_status policy_load(struct policy *policy, const char *const *files, size_t count,
                         const croft_view *view, const struct gate_tools *tools,
                         struct problems *problems, croft_error *err);

/* For policy_load.c: an expectation of a file. */
struct policy_expect {
    enum decision decision;
    char *tool, *args; /* JSON */
    const char *file;  /* as it was given */
    int number;        /* from 1 */
};
struct policy_expects {
    struct policy_expect *items;
    size_t count;
};

/* Runs the text of one file and adds what it says. False when memory ran out. `is_first`: the operator's. */
bool policy_run(struct policy *policy, struct policy_expects *expects, const char *file,
                const struct bytes *text, bool is_first, struct problems *problems);

/* What is wrong with rules that are well-formed: tools that there are not, rules that can never decide. */
void policy_check_rules(const struct policy *policy, const struct gate_tools *tools,
                        struct problems *problems);

/* The strictest judgement of a call, as far as its arguments tell. False when they are none. */
bool policy_judge_args(const struct policy *policy, const struct gate_tool *tool, const char *args,
                       enum decision *decision);

extern const char *const decision_words[]; /* by enum decision */

#endif
