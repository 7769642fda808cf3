/* SPDX-License-Identifier: MIT */
/* Reading the table that a policy file returns. Private to core/policy_run.c, policy_rules.c and policy_expects.c.
 * What is wrong goes to job->problems; lack of memory raises. */
#ifndef CROFT_POLICY_RUN_PARTS_H
#define CROFT_POLICY_RUN_PARTS_H

#include <lauxlib.h>
#include <lua.h>

#include "policy_load.h"

struct run_job {
    struct policy *policy;
    struct policy_expects *expects;
    const char *file; /* as it was given: what problems call it; the policy's own */
    const char *name; /* its last part: what rules are called by */
    const struct bytes *text;
    bool is_first;
    struct problems *problems;
};

#define WRONG(job, ...) problems_add_format((job)->problems, __VA_ARGS__)

/* What the constructors leave in the tables that they are given, under these keys. */
extern const char policy_decision_key, policy_line_key;

/* ---- policy_run.c ---- */

_Noreturn void policy_no_memory(lua_State *L);

/* The text at the index; NULL when it is none. */
const char *policy_text_at(lua_State *L, int index);
char *policy_copy_text(lua_State *L, const char *text);
bool policy_is_list(lua_State *L, int index);

/* What a constructor left in the table at the index under `key`; -1: nothing. */
lua_Integer policy_get_mark(lua_State *L, int index, const char *key);

/* ---- policy_expects.c ---- */

/* The decision that the word is; -1: none. */
int policy_decision_of(const char *word);

/* ---- what is at the top of the stack, and stays there ---- */

void policy_read_rules(lua_State *L, struct run_job *job);
void policy_read_expects(lua_State *L, struct run_job *job);

#endif
