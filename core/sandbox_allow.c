/* SPDX-License-Identifier: MIT */
#include "sandbox_allow.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "bind/std.h"

/* Sorted by bytes. .luacheckrc takes every name in quotes between here and the end of the list. */
static const char *const allowed[] = {
    "_G",
    "_VERSION",
    "assert",
    "coroutine",
    "coroutine.create",
    "coroutine.isyieldable",
    "coroutine.resume",
    "coroutine.running",
    "coroutine.status",
    "coroutine.wrap",
    "coroutine.yield",
    "error",
    "getmetatable",
    "ipairs",
    "load",
    "math",
    "math.abs",
    "math.acos",
    "math.asin",
    "math.atan",
    "math.ceil",
    "math.cos",
    "math.deg",
    "math.exp",
    "math.floor",
    "math.fmod",
    "math.huge",
    "math.log",
    "math.max",
    "math.maxinteger",
    "math.min",
    "math.mininteger",
    "math.modf",
    "math.pi",
    "math.rad",
    "math.random",
    "math.sin",
    "math.sqrt",
    "math.tan",
    "math.tointeger",
    "math.type",
    "math.ult",
    "next",
    "pairs",
    "pcall",
    "print",
    "rawequal",
    "rawget",
    "rawlen",
    "require",
    "select",
    "setmetatable",
    "string",
    "string.byte",
    "string.char",
    "string.find",
    "string.format",
    "string.gmatch",
    "string.gsub",
    "string.len",
    "string.lower",
    "string.match",
    "string.pack",
    "string.packsize",
    "string.rep",
    "string.reverse",
    "string.sub",
    "string.unpack",
    "string.upper",
    "table",
    "table.concat",
    "table.insert",
    "table.move",
    "table.pack",
    "table.remove",
    "table.sort",
    "table.unpack",
    "tonumber",
    "tostring",
    "type",
    "utf8",
    "utf8.char",
    "utf8.charpattern",
    "utf8.codepoint",
    "utf8.codes",
    "utf8.len",
    "utf8.offset",
    "xpcall",
};

enum { ALLOWED = sizeof allowed / sizeof allowed[0], NAME = 64 };

/* ---- names ------------------------------------------------------------------------------------- */

static int by_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

/* The place of the name in the list; raises when it is not there. */
static size_t place_of(lua_State *L, const char *name)
{
    const char *const *entry = bsearch(name, allowed, ALLOWED, sizeof allowed[0], by_name);

    if (entry == NULL)
        luaL_error(L, "the sandbox has '%s', which is not in its list", name);
    return (size_t)(entry - allowed);
}

/* "library.key", or the key alone. */
static void join(lua_State *L, const char *library, char name[NAME])
{
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";

    if (strlen(library) + strlen(key) + 2 > NAME)
        luaL_error(L, "the sandbox has a long name in '%s'", library);
    strcpy(name, library);
    if (library[0] != '\0')
        strcat(name, ".");
    strcat(name, key);
}

/* ---- values ------------------------------------------------------------------------------------ */

/* Whether the value at the top is the same for everybody, whatever anybody does with it. */
static bool is_constant(lua_State *L)
{
    switch (lua_type(L, -1)) {
    case LUA_TFUNCTION:
    case LUA_TSTRING:
    case LUA_TNUMBER:
    case LUA_TBOOLEAN: return true;
    default: return false;
    }
}

/* Holds the frozen library at the top, of that name, against the list. */
static void check_library(lua_State *L, const char *library, bool seen[ALLOWED])
{
    char name[NAME];
    int real;

    if (!std_look_through(L, -1))
        luaL_error(L, "the sandbox has '%s', which can be changed", library);
    real = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, real) != 0) {
        join(L, library, name);
        seen[place_of(L, name)] = true;
        if (!is_constant(L))
            luaL_error(L, "the sandbox has '%s', which can be changed", name);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The real table of the environment at `environment` is at the top. */
static void check_globals(lua_State *L, int environment, bool seen[ALLOWED])
{
    char name[NAME];
    int real = lua_gettop(L);

    lua_pushnil(L);
    while (lua_next(L, real) != 0) {
        join(L, "", name);
        seen[place_of(L, name)] = true;
        if (!is_constant(L) && !lua_rawequal(L, -1, environment))
            check_library(L, name, seen);
        lua_pop(L, 1);
    }
}

/* ---- metatables of basic types ----------------------------------------------------------------- */

static void check_no_metatable(lua_State *L)
{
    if (lua_getmetatable(L, -1))
        luaL_error(L, "the sandbox has a metatable of every %s", luaL_typename(L, -2));
    lua_pop(L, 1);
}

static void check_basic_types(lua_State *L)
{
    lua_pushnil(L);
    check_no_metatable(L);
    lua_pushboolean(L, true);
    check_no_metatable(L);
    lua_pushinteger(L, 1);
    check_no_metatable(L);
    lua_pushcfunction(L, std_print);
    check_no_metatable(L);
    lua_pushlightuserdata(L, NULL);
    check_no_metatable(L);
    lua_pushthread(L);
    check_no_metatable(L);
}

/* Strings have the library for their methods, and show neither it nor their metatable. The real table of
 * the environment is at the top. */
static void check_strings(lua_State *L)
{
    int real = lua_gettop(L);
    bool good;

    lua_pushliteral(L, "");
    good = lua_getmetatable(L, -1) && lua_getfield(L, -1, "__metatable") == LUA_TBOOLEAN &&
           !lua_toboolean(L, -1) && lua_getfield(L, -2, "__index") == LUA_TTABLE &&
           lua_getfield(L, real, "string") == LUA_TTABLE && std_look_through(L, -1) &&
           lua_rawequal(L, -1, -3);
    if (!good)
        luaL_error(L, "the sandbox has strings whose methods can be changed");
    lua_settop(L, real);
}

/* ---- all --------------------------------------------------------------------------------------- */

void allow_check_environment(lua_State *L)
{
    bool seen[ALLOWED] = {false};
    int environment = lua_gettop(L);

    luaL_checkstack(L, 16, NULL);
    if (!std_look_through(L, environment))
        luaL_error(L, "the sandbox has an environment that can be changed");
    check_globals(L, environment, seen);
    for (size_t i = 0; i < ALLOWED; i++)
        if (!seen[i])
            luaL_error(L, "the sandbox lacks '%s', which is in its list", allowed[i]);
    check_strings(L);
    check_basic_types(L);
    lua_settop(L, environment - 1);
}

void allow_check_module(lua_State *L, const char *name)
{
    int module = lua_gettop(L);

    if (lua_getmetatable(L, module))
        luaL_error(L, "module '%s' has a metatable", name);
    lua_pushnil(L);
    while (lua_next(L, module) != 0) {
        if (!is_constant(L))
            luaL_error(L, "module '%s' holds a %s that can be changed", name, luaL_typename(L, -1));
        lua_pop(L, 1);
    }
}
