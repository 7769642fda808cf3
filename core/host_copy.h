/* SPDX-License-Identifier: MIT */
/* croft_fill and croft_harvest for Lua. */
#ifndef CROFT_HOST_COPY_H
#define CROFT_HOST_COPY_H

#include <lua.h>

/* fill(from, to, options) and harvest(root, to, options), as host.h has them. */
int host_fill(lua_State *L);
int host_harvest(lua_State *L);

#endif
