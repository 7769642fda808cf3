/* SPDX-License-Identifier: MIT */
/*
 * Stock functions behind wrappers that charge first. A wrapper has the stock function's own upvalue (nil where
 * there is none) and the function itself, which runs in the wrapper's frame: its errors name what was called,
 * and where.
 */
#include "bind/overrun.h"
#include "bind/std.h"

enum { STATE = 1, STOCK, UPVALUES = STOCK, BARE = OVERRUN_BARE };

int std_stock(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(STOCK))(L);
}

/* Pushes in front of the stock function at the top what comes before it. */
static void push_state(lua_State *L)
{
    if (lua_getupvalue(L, -1, STATE) == NULL)
        lua_pushnil(L);
    lua_insert(L, -2);
}

void std_wrap(lua_State *L, lua_CFunction wrapper)
{
    push_state(L);
    lua_pushcclosure(L, wrapper, UPVALUES);
}

void std_take(lua_State *L, int library, const char *name, lua_CFunction wrapper)
{
    lua_getfield(L, library, name);
    if (wrapper != NULL)
        std_wrap(L, wrapper);
    lua_setfield(L, -2, name);
}

void std_take_bare(lua_State *L, int library, const char *name, lua_CFunction wrapper)
{
    lua_getfield(L, library, name);
    push_state(L);
    overrun_push_bare(L);
    lua_pushcclosure(L, wrapper, BARE);
    lua_setfield(L, -2, name);
}

void std_charge_numbers(lua_State *L, int from)
{
    int count = lua_gettop(L);

    for (int i = from; i <= count; i++)
        bind_charge_number(L, i);
    if (count >= from)
        bind_tick(L, (uint64_t)(count - from) / 8);
}

int std_of_numbers(lua_State *L)
{
    std_charge_numbers(L, 1);
    return std_stock(L);
}

/* From 1 on, negative ones from the end. */
static lua_Integer place(lua_Integer at, size_t size)
{
    return at >= 0 ? at : at + (lua_Integer)size + 1;
}

uint64_t std_slice(lua_State *L, int from, lua_Integer first, lua_Integer last)
{
    size_t size = lua_rawlen(L, 1);

    if (lua_type(L, 1) != LUA_TSTRING)
        return 0;
    first = place(bind_opt_integer(L, from, first), size);
    last = place(bind_opt_integer(L, from + 1, last == 0 ? first : last), size);
    if (first < 1)
        first = 1;
    if (last > (lua_Integer)size)
        last = (lua_Integer)size;
    return last < first ? 0 : (uint64_t)(last - first) + 1;
}
