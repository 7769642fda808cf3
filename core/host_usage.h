/* SPDX-License-Identifier: MIT */
/* croft_session_usage for Lua. */
#ifndef CROFT_HOST_USAGE_H
#define CROFT_HOST_USAGE_H

#include <lua.h>

/* session:usage(), as host.h has it. */
int host_usage(lua_State *L);

#endif
