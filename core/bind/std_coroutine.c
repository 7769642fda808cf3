/* SPDX-License-Identifier: MIT */
/*
 * coroutine: create, resume and wrap are ours, since each coroutine counts its instructions from 0: what
 * the count hook may miss is charged here. close is absent, and nothing here resets a thread: 5.4.4
 * overflows the C stack over nested closes. A coroutine inherits the hook of the one that makes it, and
 * the pointer to the host lies in every thread.
 */
#include <lualib.h>

#include "bind/debug.h"
#include "bind/fault.h"
#include "bind/pace.h"
#include "bind/std.h"

enum { SWITCH_STEPS = 200 };

/* Charges for a switch, with a look at the clock: what the hook missed may have been long. */
static void charge_switch(lua_State *L, int values)
{
    bind_look(L, SWITCH_STEPS + (uint64_t)values / 8);
}

static int coroutine_create(lua_State *L)
{
    lua_State *co;

    luaL_checktype(L, 1, LUA_TFUNCTION);
    bind_tick(L, SWITCH_STEPS);
    co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

/* Whether `co` waits: it has not begun, or it has yielded. Else it has ended, runs, or resumed others. */
static bool is_suspended(lua_State *co)
{
    lua_Debug frame;

    if (lua_status(co) == LUA_YIELD)
        return true;
    return lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) == 0 && lua_gettop(co) > 0;
}

static bool is_dead(lua_State *L, lua_State *co)
{
    lua_Debug frame;

    if (co == L)
        return false;
    return (lua_status(co) != LUA_OK && lua_status(co) != LUA_YIELD) ||
           (lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) == 0 && lua_gettop(co) == 0);
}

/* Resumes `co` with the `count` values at the top, which are popped. Pushes what it yields or returns
 * and gives their number; -1: it pushes an error. */
static int resume(lua_State *L, lua_State *co, int count)
{
    int status, results;

    charge_switch(L, count);
    if (!is_suspended(co)) {
        lua_pop(L, count);
        lua_pushfstring(L, "cannot resume %s coroutine", is_dead(L, co) ? "dead" : "non-suspended");
        return -1;
    }
    if (!lua_checkstack(co, count)) {
        lua_pop(L, count);
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, co, count);
    debug_enter(co);
    pace_enter(co);
    status = lua_resume(co, L, count, &results);
    pace_enter(L);
    if (status != LUA_OK && status != LUA_YIELD)
        debug_error(co, 0); /* its stack is still there */
    debug_leave(co);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        fault_keep(L, co);
        return -1;
    }
    if (!lua_checkstack(L, results + 1)) {
        lua_pop(co, results);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(co, L, results);
    return results;
}

static int coroutine_resume(lua_State *L)
{
    lua_State *co = lua_tothread(L, 1);
    int results;

    luaL_argexpected(L, co != NULL, 1, "thread");
    results = resume(L, co, lua_gettop(L) - 1);
    lua_pushboolean(L, results >= 0);
    lua_insert(L, results < 0 ? -2 : -(results + 1));
    return results < 0 ? 2 : results + 1;
}

/* What wrap gives. Upvalue 1: the coroutine. */
static int wrapped(lua_State *L)
{
    int results = resume(L, lua_tothread(L, lua_upvalueindex(1)), lua_gettop(L));

    if (results >= 0)
        return results;
    if (lua_type(L, -1) == LUA_TSTRING) { /* it says where it was called, too */
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

static int coroutine_wrap(lua_State *L)
{
    coroutine_create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

int std_coroutine(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"create", coroutine_create},
        {"resume", coroutine_resume},
        {"wrap", coroutine_wrap},
        {NULL, NULL},
    };
    static const char *const names[] = {"yield", "status", "isyieldable", "running"};
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_coroutine);
    lua_call(L, 0, 1);
    luaL_newlib(L, functions);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        std_take(L, library, names[i], NULL);
    lua_remove(L, library);
    return 1;
}
