/* SPDX-License-Identifier: MIT */
/* croft_confine for Lua. */
#ifndef CROFT_HOST_WALL_H
#define CROFT_HOST_WALL_H

#include <lua.h>

#include "croft.h"

/* view:confine(), as host.h has it. */
int host_confine(lua_State *L);

/* Pushes what that returns for a wall that was raised, or not; gives how many values that are. */
int host_push_wall(lua_State *L, croft_status status, const croft_wall *wall,
                   const croft_error *err);

#endif
