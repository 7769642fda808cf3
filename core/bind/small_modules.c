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

int module_errors(lua_State *L)
{
    luaL_newmetatable(L, BIND_ERROR);
    return 1;
}
