/* SPDX-License-Identifier: MIT */
/* croft_wrap_argv for Lua. */
#ifndef CROFT_HOST_WRAP_H
#define CROFT_HOST_WRAP_H

#include <lua.h>

#include "croft.h"

/* The method wrap_argv of views, as host.h has it. */
int host_wrap_argv(lua_State *L);

/* The list of texts at `index`, ended by NULL; left on the stack, so that it lives. Raises. */
const char *const *host_get_argv(lua_State *L, int index);

#endif
