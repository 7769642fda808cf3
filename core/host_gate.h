/* SPDX-License-Identifier: MIT */
/* The gate of a session that a Lua program owns: a function of it, or a word. */
#ifndef CROFT_HOST_GATE_H
#define CROFT_HOST_GATE_H

#include <lua.h>

#include "croft.h"
#include "host_tty.h"

enum {
    HOST_GATE_VALUE = 3,
    HOST_RUNNER_VALUE = 4
}; /* the user value of the session's userdata in which the function is kept */

/* A gate that is a function: what its callback gets as `user`. */
struct host_gate {
    lua_State *const *caller; /* as for host_functions_take */
    struct host_tty tty;      /* in the place of a function */
};

/*
 * Takes the fields `policies`, `gate`, `decider` and `gate_time` (milliseconds) of the options at `index` (nil for none).
 * A gate is a function from a request to a verdict, both tables, or "needs_input", "tty", "policy",
 * "allow" or "deny". Raises for anything else. False where there is no terminal to ask at.
 */
bool host_gate_take(lua_State *L, int index, int session, struct host_gate *gate,
                    croft_session_options *options);

/* Takes {id =, decision =, scope =, note =, cause =} at `index`; false for nil. Raises for anything else. */
bool host_gate_answer(lua_State *L, int index, croft_answer *answer);

/* Pushes a request as a table. */
void host_gate_push(lua_State *L, const croft_gate_request *request);

#endif
