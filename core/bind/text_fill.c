/* SPDX-License-Identifier: MIT */
#include "bind/text_fill.h"

enum { MOST_PIECES = 64, ROOM = 4 /* on the stack, for one piece */ };

static bool is_whole_number(lua_State *L, int index)
{
    return lua_isinteger(L, index) != 0;
}

/* Puts `1 line` or `3 lines` in the place of the number at the top, behind which the slot's singular and
 * plural are pushed. */
static bool put_count(lua_State *L)
{
    int number = lua_gettop(L) - 2, one = number + 1, many = number + 2;

    if (!is_whole_number(L, number) || lua_type(L, one) != LUA_TSTRING)
        return false;
    if (lua_tointeger(L, number) == 1) {
        lua_pop(L, 1);
    } else if (lua_type(L, many) == LUA_TSTRING) {
        lua_remove(L, one);
    } else {
        lua_pop(L, 1);
        lua_pushliteral(L, "s");
        lua_concat(L, 2);
    }
    lua_pushliteral(L, " ");
    lua_insert(L, one);
    lua_concat(L, 3);
    return true;
}

/* Puts what is shown in the place of the slot at the top. */
static bool put_shown(lua_State *L, int values)
{
    int slot = lua_gettop(L);
    bool is_plain;

    if (!lua_istable(L, values))
        return false;
    lua_getfield(L, slot, "is_plain");
    is_plain = lua_toboolean(L, -1);
    lua_pop(L, 1);
    lua_getfield(L, slot, "name");
    lua_rawget(L, values);
    if (!is_plain) {
        lua_getfield(L, slot, "one");
        lua_getfield(L, slot, "many");
        if (!put_count(L))
            return false;
    } else if (lua_type(L, -1) != LUA_TSTRING && !is_whole_number(L, -1)) {
        return false;
    }
    lua_replace(L, slot);
    return true;
}

int text_fill(lua_State *L)
{
    enum { PIECES = 1, VALUES };
    size_t count;

    luaL_checktype(L, PIECES, LUA_TTABLE);
    lua_settop(L, VALUES);
    count = lua_rawlen(L, PIECES);
    if (count > MOST_PIECES)
        return 0;
    bind_tick(L, count);
    luaL_checkstack(L, (int)count + ROOM, NULL);
    for (size_t i = 1; i <= count; i++)
        if (lua_rawgeti(L, PIECES, (lua_Integer)i) != LUA_TSTRING && !put_shown(L, VALUES))
            return 0;
    lua_concat(L, (int)count);
    return 1;
}
