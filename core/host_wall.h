/* SPDX-License-Identifier: MIT */
/* croft_confine for Lua. */
#ifndef CROFT_HOST_WALL_H
#define CROFT_HOST_WALL_H

#include <lua.h>

/* view:confine(), as host.h has it. */
int host_confine(lua_State *L);

#endif
