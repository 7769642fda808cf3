/* SPDX-License-Identifier: MIT */
/* utf8: the stock functions, charged for the bytes that they go over. */
#include <lualib.h>

#include "bind/std.h"

/* codepoint(text, first, last) -> as many numbers */
static int utf8_codepoint(lua_State *L)
{
    bind_tick(L, std_slice(L, 2, 1, 0) + 1);
    return std_stock(L);
}

static int utf8_len(lua_State *L)
{
    bind_tick(L, std_slice(L, 2, 1, -1) / 16 + 1);
    return std_stock(L);
}

/* offset(text, n, from) -> a place; charged for the way there, which may be short in a long text. */
static int utf8_offset(lua_State *L)
{
    size_t size = lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) : 0;
    lua_Integer count = bind_integer(L, 2), from, to;
    int results;

    from = bind_opt_integer(L, 3, count > 0 ? 1 : (lua_Integer)size + 1);
    if (from < 0)
        from += (lua_Integer)size + 1;
    results = std_stock(L);
    to = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : count > 0 ? (lua_Integer)size : 1;
    bind_tick(L, (uint64_t)(to > from ? to - from : from - to) / 16 + 1);
    return results;
}

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* What codes() gives: it goes over all bytes that continue the character before. */
static int next_code(lua_State *L)
{
    size_t size, at, from;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer before = lua_tointeger(L, 2);

    bind_charge_number(L, 2);
    at = from = before < 0 ? 0 : (size_t)before;
    while (at < size && continues(text[at]))
        at++;
    bind_tick(L, (at - from) / 16 + 1);
    return std_stock(L);
}

/* codes(text, lax) -> iterator, text, 0 */
static int utf8_codes(lua_State *L)
{
    int results = std_stock(L), iterator = lua_gettop(L) - results + 1;

    lua_pushvalue(L, iterator);
    std_wrap(L, next_code);
    lua_replace(L, iterator);
    return results;
}

int std_utf8(lua_State *L)
{
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_utf8);
    lua_call(L, 0, 1);
    lua_newtable(L);
    std_take(L, library, "char", std_of_numbers);
    std_take(L, library, "codepoint", utf8_codepoint);
    std_take(L, library, "len", utf8_len);
    std_take(L, library, "offset", utf8_offset);
    std_take(L, library, "codes", utf8_codes);
    std_take(L, library, "charpattern", NULL);
    lua_remove(L, library);
    return 1;
}
