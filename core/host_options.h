/* SPDX-License-Identifier: MIT */
/* Options as Lua tables, turned into the structures of croft.h. What a structure points to belongs to
 * the table and to values left on the stack: both must stay until the structure has been used. */
#ifndef CROFT_HOST_OPTIONS_H
#define CROFT_HOST_OPTIONS_H

#include <lua.h>

#include "croft.h"

/* The string at `index`; raises when it holds a NUL, which would cut it short. */
const char *host_check_text(lua_State *L, int index);

/* The list of texts `name` of the table at `index`: left on the stack, so that it lives. NULL, and no
 * change of *count, when there is none; raises when it is something else. */
const char *const *host_get_strings(lua_State *L, int index, const char *name, size_t *count);

/* Both take nil for the defaults. Unknown fields are not looked for; mistyped ones raise. */
void host_view_options(lua_State *L, int index, croft_view_options *options);
void host_session_options(lua_State *L, int index, croft_session_options *options);

/* Of a session's: the file for records, or NULL, and whether they are kept in memory. */
const char *host_audit_options(lua_State *L, int index, bool *keeps);

#endif
