/* SPDX-License-Identifier: MIT */
#include "bind/text_fill.h"

enum { PIECES = 1, VALUES };
enum { MOST_PIECES = 64, ROOM = 4 /* on the stack, for one piece */ };

/* Lua's own way from a number to a text is long. */
static void push_number(lua_State *L, lua_Integer number)
{
    char digits[20];
    size_t at = sizeof digits;

    if (number < 0) {
        lua_pushinteger(L, number);
        return;
    }
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    lua_pushlstring(L, digits + at, sizeof digits - at);
}

/* Pushes `1`, ` ` and `line`, or `3`, ` `, `line` and `s`; or the slot's own plural. */
static bool push_count(lua_State *L, int slot, lua_Integer number)
{
    push_number(L, number);
    lua_pushliteral(L, " ");
    if (lua_getfield(L, slot, "one") != LUA_TSTRING)
        return false;
    if (number == 1)
        return true;
    if (lua_getfield(L, slot, "many") == LUA_TSTRING) {
        lua_remove(L, -2);
    } else {
        lua_pop(L, 1);
        lua_pushliteral(L, "s");
    }
    return true;
}

/* Pushes what is shown of the value at the top. */
static bool push_shown(lua_State *L, int slot)
{
    bool is_whole = lua_isinteger(L, -1) != 0, is_plain;

    if (!is_whole && lua_type(L, -1) != LUA_TSTRING)
        return false;
    lua_getfield(L, slot, "is_plain");
    is_plain = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (!is_plain)
        return is_whole && push_count(L, slot, lua_tointeger(L, -1));
    if (is_whole)
        push_number(L, lua_tointeger(L, -1));
    else
        lua_pushvalue(L, -1);
    return true;
}

/* Puts what is shown, in one piece or more, in the place of the slot at the top. */
static bool put_shown(lua_State *L)
{
    int slot = lua_gettop(L);

    if (!lua_istable(L, VALUES))
        return false;
    lua_getfield(L, slot, "name");
    lua_rawget(L, VALUES);
    if (!push_shown(L, slot))
        return false;
    lua_remove(L, slot + 1);
    lua_remove(L, slot);
    return true;
}

int text_fill(lua_State *L)
{
    size_t count;

    luaL_checktype(L, PIECES, LUA_TTABLE);
    lua_settop(L, VALUES);
    count = lua_rawlen(L, PIECES);
    if (count > MOST_PIECES)
        return 0;
    bind_tick(L, count);
    luaL_checkstack(L, ROOM * ((int)count + 1), NULL);
    for (size_t i = 1; i <= count; i++)
        if (lua_rawgeti(L, PIECES, (lua_Integer)i) != LUA_TSTRING && !put_shown(L))
            return 0;
    lua_concat(L, lua_gettop(L) - VALUES);
    return 1;
}
