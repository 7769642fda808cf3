/* SPDX-License-Identifier: MIT */
/* table: the stock functions behind wrappers that charge for what they move. */
#include <lualib.h>
#include <string.h>

#include "bind/overrun.h"
#include "bind/pace.h"
#include "bind/std.h"

enum { MOST_ELEMENTS = 10000000, MOST_RESULTS = 8192 };

/* Elements that may take long to go over; fewer where there is a large table, whose keys may collide. */
enum { MANY = 8192, MANY_OF_LARGE = 64 };

/* Refuses a table whose length or elements are what a metamethod says: a lie there means an endless
 * loop in C. Returns the raw length. */
static lua_Integer check_plain(lua_State *L, int index)
{
    static const char *const fields[] = {"__len", "__index", "__newindex"};

    luaL_checktype(L, index, LUA_TTABLE);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (luaL_getmetafield(L, index, fields[i]) != LUA_TNIL)
            luaL_argerror(L, index, "metamethods for elements are not supported here");
    return (lua_Integer)lua_rawlen(L, index);
}

/* Charges for `first`..`last`. What goes over them has no hook. */
static void charge_range(lua_State *L, lua_Integer first, lua_Integer last)
{
    struct bind_host *host = bind_host(L);
    lua_Integer many = host->large > 0 ? MANY_OF_LARGE : MANY;

    if (last < first)
        return;
    if ((lua_Unsigned)last - (lua_Unsigned)first >= MOST_ELEMENTS)
        luaL_error(L, "too many elements");
    bind_tick(L, (uint64_t)(last - first) + 1);
    if (last - first >= many)
        overrun_watch(host);
}

static int table_concat(lua_State *L)
{
    lua_Integer length = check_plain(L, 1);

    charge_range(L, bind_opt_integer(L, 3, 1), bind_opt_integer(L, 4, length));
    return std_stock(L);
}

static int table_insert(lua_State *L)
{
    lua_Integer length = check_plain(L, 1);

    bind_tick(L, 1);
    if (lua_gettop(L) == 3)
        charge_range(L, bind_integer(L, 2), length);
    return std_stock(L);
}

static int table_remove(lua_State *L)
{
    lua_Integer length = check_plain(L, 1);

    charge_range(L, bind_opt_integer(L, 2, length), length);
    return std_stock(L);
}

static int table_move(lua_State *L)
{
    check_plain(L, 1);
    if (!lua_isnoneornil(L, 5))
        check_plain(L, 5);
    bind_charge_number(L, 4);
    charge_range(L, bind_integer(L, 2), bind_integer(L, 3));
    return std_stock(L);
}

/* By bytes, whatever the host's locale says of letters. */
static bool is_less(lua_State *L)
{
    size_t size = lua_rawlen(L, 1), other = lua_rawlen(L, 2);
    int order = memcmp(lua_tostring(L, 1), lua_tostring(L, 2), size < other ? size : other);

    return order < 0 || (order == 0 && size < other);
}

/* The order of sort() by a function in C, which no hook counts: upvalue 1. */
static int compare_by(lua_State *L)
{
    pace_tick(L, 1);
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

/* The order of sort() without a function, charged for what it may have to compare. */
static int compare(lua_State *L)
{
    bool are_texts = lua_type(L, 1) == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING;

    pace_tick(L, are_texts ? lua_rawlen(L, 1) / 64 + 1 : 1);
    lua_pushboolean(L, are_texts ? is_less(L) : lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

static int table_sort(lua_State *L)
{
    lua_Integer length = check_plain(L, 1);

    charge_range(L, 1, length);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_pushcfunction(L, compare);
        lua_replace(L, 2);
    } else if (lua_iscfunction(L, 2)) {
        lua_pushcclosure(L, compare_by, 1);
    }
    return std_stock(L);
}

static int table_unpack(lua_State *L)
{
    lua_Integer length = check_plain(L, 1);
    lua_Integer first = bind_opt_integer(L, 2, 1), last = bind_opt_integer(L, 3, length);

    if (last >= first && (lua_Unsigned)last - (lua_Unsigned)first >= MOST_RESULTS)
        return luaL_error(L, "too many results to unpack");
    charge_range(L, first, last);
    return std_stock(L);
}

static int table_pack(lua_State *L)
{
    bind_tick(L, (uint64_t)lua_gettop(L) / 8);
    return std_stock(L);
}

int std_table(lua_State *L)
{
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_table);
    lua_call(L, 0, 1);
    lua_newtable(L);
    std_take_bare(L, library, "concat", table_concat);
    std_take_bare(L, library, "insert", table_insert);
    std_take_bare(L, library, "remove", table_remove);
    std_take_bare(L, library, "move", table_move);
    std_take_bare(L, library, "sort", table_sort);
    std_take_bare(L, library, "unpack", table_unpack);
    std_take(L, library, "pack", table_pack);
    lua_remove(L, library);
    return 1;
}
