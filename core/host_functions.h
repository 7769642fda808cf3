/* SPDX-License-Identifier: MIT */
/* Functions of a Lua program, given to the tools of a session. */
#ifndef CROFT_HOST_FUNCTIONS_H
#define CROFT_HOST_FUNCTIONS_H

#include <lua.h>

#include "croft.h"

enum { HOST_FUNCTIONS_VALUES = 2 }; /* user values that the session's userdata needs for them */

/*
 * Takes the field "functions" of the options at `index` (nil for none), a list of {name =, description =,
 * run = function(json) -> json}, for the session whose userdata stands at `session`, and keeps what calls
 * will need in its user values. `*caller` is to be the state that makes a call, while it does with that
 * userdata at index 1 of its frame, and NULL otherwise. Pushes values that must stay until the session is
 * open.
 */
void host_functions_take(lua_State *L, int index, int session, lua_State *const *caller,
                         croft_session_options *options);

#endif
