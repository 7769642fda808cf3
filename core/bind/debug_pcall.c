/* SPDX-License-Identifier: MIT */
/* pcall and xpcall that tell the debugger of an error while its stack is still there. They behave as Lua's
 * own otherwise: their continuations let a coroutine yield through them. */
#include "bind/debug.h"

/* Upvalue 1: the handler of xpcall, or nil. */
static int handle(lua_State *L)
{
    lua_settop(L, 1);
    debug_error(L, 1);
    if (lua_isnil(L, lua_upvalueindex(1)))
        return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, LUA_MULTRET);
    return lua_gettop(L);
}

/* The stack: our handler, true, and what the function gave. */
static int finish(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_pushboolean(L, false);
        lua_pushvalue(L, -2);
        return 2;
    }
    return lua_gettop(L) - 1;
}

/* The stack: our handler, true, the function, its arguments. */
static int run(lua_State *L)
{
    return finish(L, lua_pcallk(L, lua_gettop(L) - 3, LUA_MULTRET, 1, 0, finish), 0);
}

int debug_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, true);
    lua_insert(L, 1);
    lua_pushnil(L);
    lua_pushcclosure(L, handle, 1);
    lua_insert(L, 1);
    return run(L);
}

int debug_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle, 1);
    lua_replace(L, 2);   /* function, handler, arguments */
    lua_pushvalue(L, 1); /* the function once more, behind them */
    lua_pushboolean(L, true);
    lua_replace(L, 1); /* true, handler, arguments, function */
    lua_insert(L, 3);  /* true, handler, function, arguments */
    lua_pushvalue(L, 2);
    lua_insert(L, 1); /* handler, true, handler, function, arguments */
    lua_remove(L, 3);
    return run(L);
}
