/* SPDX-License-Identifier: MIT */
/* Policies for Lua. */
#ifndef CROFT_HOST_POLICY_H
#define CROFT_HOST_POLICY_H

#include <lua.h>

/* policy(files, session or nil) -> policy | nil, error      the error also has `problems`, a list; and
 *   policy:explain(tool, json) -> json | nil, error
 *   policy:about() -> {decider =, rules =, milliseconds =}
 *   policy:close() */
int host_policy(lua_State *L);

/* Makes the class. Pushes nothing. */
void host_policy_class(lua_State *L);

#endif
