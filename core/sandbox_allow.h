/* SPDX-License-Identifier: MIT */
/*
 * What a tool's code may reach without being handed it, held against what it does reach each time an
 * interpreter is made. The list of names is in the .c file; .luacheckrc reads it there.
 */
#ifndef CROFT_SANDBOX_ALLOW_H
#define CROFT_SANDBOX_ALLOW_H

#include <lua.h>

/* Looks through the environment at the top, which is popped: exactly the names of the list, and no
 * table that can be changed, neither by itself nor through the metatables of basic types. Raises. */
void allow_check_environment(lua_State *L);

/* Looks through the table of a module, called `name`, before it is frozen; it stays at the top. Any
 * names, and nothing that can be changed. Raises. */
void allow_check_module(lua_State *L, const char *name);

#endif
