/* SPDX-License-Identifier: MIT */
#include "bind/modules.h"

int module_limits(lua_State *L)
{
    const struct limits *limits = bind_host(L)->limits;

    lua_newtable(L);
#define X(name, value, low, high) bind_set_integer(L, #name, limits->name);
    CROFT_LIMITS(X)
#undef X
    return 1;
}

/* A frozen table takes the place of the metatable in Lua, which could change it for everybody. What is
 * made with setmetatable(t, it) is told from other tables in the same way. */
int module_errors(lua_State *L)
{
    luaL_getmetatable(L, BIND_ERROR);
    lua_getfield(L, -1, "__metatable");
    return 1;
}
