/* SPDX-License-Identifier: MIT */
/* A configuration that is a table of Lua's, as JSON: so that both are read by one schema. */
#ifndef CROFT_HOST_TABLE_H
#define CROFT_HOST_TABLE_H

#include <lua.h>

/* Pushes the JSON of the table at `index`. One with elements is a list, and so is an empty one but for that
 * at the top. Raises where a value or a key has no JSON, and where tables lie more than 8 deep. */
void host_table_push_json(lua_State *L, int index);

#endif
