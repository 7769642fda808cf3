/* SPDX-License-Identifier: MIT */
/* The runner of commands for Lua, and for the sessions that are to have it. */
#ifndef CROFT_HOST_RUNNER_H
#define CROFT_HOST_RUNNER_H

#include <lua.h>

#include "croft.h"

/* runner(view, limits) -> runner | nil, why there is none; as host.h has it. */
int host_runner(lua_State *L);

/* Takes the field "runner" of the options at `index`: the session's tools have it as ctx.host.run. It stays in
 * the user value `value` of the session's userdata at `session`. Pushes values that must stay until the
 * session is open. */
void host_runner_take(lua_State *L, int index, int session, int value,
                      croft_session_options *options);

#endif
