/* SPDX-License-Identifier: MIT */
/* Frozen tables: an empty proxy in front of the real table, which is reached by no other way. */
#include "bind/std.h"

static int frozen_write(lua_State *L)
{
    return luaL_error(L, "'%s' cannot be set: this table is frozen (use a local)",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "a field");
}

static int frozen_read(lua_State *L)
{
    return luaL_error(L, "unknown global '%s'",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

/* The iterator of pairs(): upvalue 1 is the real table, which must not be handed out. */
static int frozen_next(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_next(L, lua_upvalueindex(1)) != 0)
        return 2;
    lua_pushnil(L);
    return 1;
}

static int frozen_pairs(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, frozen_next, 1);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

static int frozen_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, lua_upvalueindex(1)));
    return 1;
}

/* Makes reading what the table at `index` lacks an error. */
static void make_strict(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    lua_pushcfunction(L, frozen_read);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, index);
}

static void set_closure(lua_State *L, int real, const char *name, lua_CFunction function)
{
    lua_pushvalue(L, real);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

void std_freeze(lua_State *L, bool strict)
{
    int real = lua_gettop(L);

    if (strict)
        make_strict(L, real);
    lua_newtable(L); /* the proxy */
    lua_newtable(L);
    lua_pushvalue(L, real);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, frozen_write);
    lua_setfield(L, -2, "__newindex");
    set_closure(L, real, "__pairs", frozen_pairs);
    set_closure(L, real, "__len", frozen_length);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_remove(L, real);
}
