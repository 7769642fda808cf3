/* SPDX-License-Identifier: MIT */
/* string: stock functions, charged for the bytes that they go over; what they make is charged by the
 * allocator, too. What takes patterns is in std_pattern.c. */
#include <lualib.h>
#include <string.h>

#include "bind/std.h"

enum { STRING_BYTES = 8 * MIB };

/* rep(text, count, separator), at most 8 MiB. */
static int string_rep(lua_State *L)
{
    size_t size, gap, whole;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer count = bind_integer(L, 2);
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

/* format(format, ...): the stock one with values that have an address as their text. */
static int string_format(lua_State *L)
{
    size_t size;
    const char *format = luaL_checklstring(L, 1, &size);
    int count = lua_gettop(L);

    bind_tick(L, size / 16 + 1);
    if (shows_address(format, size))
        return luaL_error(L, "'%%p' is not available");
    for (int i = 2; i <= count; i++) {
        if (lua_type(L, i) == LUA_TSTRING)
            bind_tick(L, lua_rawlen(L, i) / 16);
        if (!is_opaque(lua_type(L, i)))
            continue;
        std_text(L, i, NULL);
        lua_replace(L, i);
    }
    return std_stock(L);
}

/* byte(text, first, last) -> as many numbers */
static int string_byte(lua_State *L)
{
    bind_tick(L, std_slice(L, 2, 1, 0));
    return std_stock(L);
}

static int string_sub(lua_State *L)
{
    std_charge_numbers(L, 2);
    return std_stock(L);
}

/* lower, upper, reverse */
static int string_of_bytes(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING)
        bind_tick(L, lua_rawlen(L, 1) / 16);
    return std_stock(L);
}

/* Charges for the options in the format that is argument 1. */
static void charge_options(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING)
        bind_tick(L, lua_rawlen(L, 1) / 2);
}

/* pack(format, ...) and packsize(format) */
static int string_pack(lua_State *L)
{
    charge_options(L);
    std_charge_numbers(L, 2);
    return std_stock(L);
}

/* "z" looks for the end of a text that may have none: then it goes over all that stands behind the last
 * zero. What it finds becomes a string, and is charged for as such. */
static void charge_endless_text(lua_State *L)
{
    size_t format_size, size;
    const char *format = luaL_checklstring(L, 1, &format_size), *text, *zero;

    if (memchr(format, 'z', format_size) == NULL)
        return;
    text = luaL_checklstring(L, 2, &size);
    zero = memrchr(text, '\0', size);
    bind_tick(L, (zero == NULL ? size : (size_t)(text + size - zero)) / 64);
}

static int string_unpack(lua_State *L)
{
    charge_options(L);
    std_charge_numbers(L, 3);
    charge_endless_text(L);
    return std_stock(L);
}

static const struct {
    const char *name;
    lua_CFunction wrapper;
} stock[] = {
    {"byte", string_byte},      {"char", std_of_numbers},
    {"format", string_format},  {"len", NULL},
    {"lower", string_of_bytes}, {"upper", string_of_bytes},
    {"sub", string_sub},        {"reverse", string_of_bytes},
    {"pack", string_pack},      {"packsize", string_pack},
    {"unpack", string_unpack},
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
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_string);
    lua_call(L, 0, 1);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof stock / sizeof stock[0]; i++)
        std_take(L, library, stock[i].name, stock[i].wrapper);
    lua_pushcfunction(L, string_rep);
    lua_setfield(L, -2, "rep");
    lua_remove(L, library);
    std_pattern(L);
    give_methods(L);
    return 1;
}
