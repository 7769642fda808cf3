/* SPDX-License-Identifier: MIT */
/* math: the stock functions, charged for texts that they take for numbers; and the seed of each call. */
#include <lualib.h>

#include "bind/std.h"

#define RANDOMSEED "croft.randomseed" /* registry key */

void std_reseed(lua_State *L)
{
    enum { SEED = 20260101 };

    lua_getfield(L, LUA_REGISTRYINDEX, RANDOMSEED);
    lua_pushinteger(L, SEED);
    lua_call(L, 1, 0);
}

static const char *const constants[] = {"huge", "maxinteger", "mininteger", "pi", NULL};

static const char *const functions[] = {
    "abs", "acos", "asin", "atan",   "ceil", "cos", "deg",  "exp", "floor",     "fmod", "log",
    "max", "min",  "modf", "random", "rad",  "sin", "sqrt", "tan", "tointeger", "ult",  NULL,
};

static void take_all(lua_State *L, int library, const char *const *names, lua_CFunction wrapper)
{
    for (; *names != NULL; names++)
        std_take(L, library, *names, wrapper);
}

int std_math(lua_State *L)
{
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_math);
    lua_call(L, 0, 1);
    lua_getfield(L, library, "randomseed");
    lua_setfield(L, LUA_REGISTRYINDEX, RANDOMSEED);
    lua_newtable(L);
    take_all(L, library, constants, NULL);
    take_all(L, library, functions, std_of_numbers);
    std_take(L, library, "type", NULL);
    lua_remove(L, library);
    return 1;
}
