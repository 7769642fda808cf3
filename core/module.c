/* SPDX-License-Identifier: MIT */
/* `require "croft.core"` in a plain Lua 5.4. It links no Lua: the interpreter that loads it has one. */
#include <lauxlib.h>

#include "host.h"

CROFT_API int luaopen_croft_core(lua_State *L);

int luaopen_croft_core(lua_State *L)
{
    luaL_checkversion(L);
    host_push(L);
    return 1;
}
