/* SPDX-License-Identifier: MIT */
/* Options as Lua tables, turned into the structures of croft.h. What a structure points to belongs to
 * the table and to values left on the stack: both must stay until the structure has been used. */
#ifndef CROFT_HOST_OPTIONS_H
#define CROFT_HOST_OPTIONS_H

#include <lua.h>

#include "croft.h"

/* The string at `index`; raises when it holds a NUL, which would cut it short. */
const char *host_check_text(lua_State *L, int index);

/* Both take nil for the defaults. Unknown fields are not looked for; mistyped ones raise. */
void host_view_options(lua_State *L, int index, croft_view_options *options);
void host_session_options(lua_State *L, int index, croft_session_options *options);

#endif
