/* SPDX-License-Identifier: MIT */
/* string: linear functions are stock, since every byte they make is charged by the allocator. What takes
 * patterns is in std_pattern.c. */
#include <lualib.h>
#include <string.h>

#include "bind/std.h"

enum { STRING_BYTES = 8 * MIB };

/* rep(text, count, separator), at most 8 MiB. */
static int string_rep(lua_State *L)
{
    size_t size, gap, whole;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &gap);
    luaL_Buffer out;
    char *at;

    if (count <= 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (size + gap > 0 && (size_t)count > STRING_BYTES / (size + gap))
        return luaL_error(L, "the result of rep is too long: more than 8 MiB");
    whole = size * (size_t)count + gap * (size_t)(count - 1);
    bind_tick(L, whole / 64 + 1);
    at = luaL_buffinitsize(L, &out, whole);
    memcpy(at, text, size);
    if (count > 1)
        memcpy(at + size, separator, gap);
    for (size_t done = size + gap, more; done < whole; done += more) { /* twice as much each time */
        more = done < whole - done ? done : whole - done;
        memcpy(at + done, at, more);
    }
    luaL_pushresultsize(&out, whole);
    return 1;
}

static bool is_opaque(int type)
{
    return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
           type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA;
}

/* Whether the format has "%p" (with anything between the two), which would show an address. */
static bool shows_address(const char *format, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        if (format[i] != '%')
            continue;
        i++;
        while (i < size && strchr("-+ #0123456789.", format[i]) != NULL && format[i] != '\0')
            i++;
        if (i < size && format[i] == 'p')
            return true;
    }
    return false;
}

/* format(format, ...): the stock one (upvalue 1) with values that have an address as their text. */
static int string_format(lua_State *L)
{
    size_t size;
    const char *format = luaL_checklstring(L, 1, &size);
    int count = lua_gettop(L);

    bind_tick(L, size / 16 + 1);
    if (shows_address(format, size))
        return luaL_error(L, "'%%p' is not available");
    for (int i = 2; i <= count; i++) {
        if (!is_opaque(lua_type(L, i)))
            continue;
        std_text(L, i, NULL);
        lua_replace(L, i);
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    return 1;
}

static const char *const stock_names[] = {
    "byte", "char", "len", "lower", "upper", "reverse", "sub", "pack", "packsize", "unpack", NULL,
};

/* ("x"):upper() works through a metatable that shows neither itself nor the table behind it. */
static void give_methods(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

int std_string(lua_State *L)
{
    lua_pushcfunction(L, luaopen_string);
    lua_call(L, 0, 1);
    lua_newtable(L);
    for (size_t i = 0; stock_names[i] != NULL; i++) {
        lua_getfield(L, -2, stock_names[i]);
        lua_setfield(L, -2, stock_names[i]);
    }
    lua_pushcfunction(L, string_rep);
    lua_setfield(L, -2, "rep");
    lua_getfield(L, -2, "format");
    lua_pushcclosure(L, string_format, 1);
    lua_setfield(L, -2, "format");
    lua_remove(L, -2);
    std_pattern(L);
    give_methods(L);
    return 1;
}
