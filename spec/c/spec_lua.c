/* SPDX-License-Identifier: MIT */
/*
 * spec_lua SCRIPT [ARGUMENT]..., spec_lua -e CODE, or spec_lua - with the script as input: as much of lua5.4 as
 * the specs take. It is linked with the sanitizers of its build, so that the module of that build can be loaded
 * and no program that a spec starts has to bear them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static int with_traceback(lua_State *L)
{
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

static void set_arg(lua_State *L, int argc, char **argv)
{
    lua_createtable(L, argc, 1);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
}

static int load(lua_State *L, int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "-e") == 0)
        return luaL_loadstring(L, argv[2]);
    return luaL_loadfile(L, strcmp(argv[1], "-") == 0 ? NULL : argv[1]);
}

static int run(lua_State *L, int argc, char **argv)
{
    int handler, count = argc > 2 ? argc - 2 : 0, status;

    luaL_openlibs(L);
    set_arg(L, argc, argv);
    lua_pushcfunction(L, with_traceback);
    handler = lua_gettop(L);
    status = load(L, argc, argv);
    if (status == LUA_OK) {
        luaL_checkstack(L, count, NULL);
        for (int i = 0; i < count; i++)
            lua_pushstring(L, argv[i + 2]);
        status = lua_pcall(L, count, 0, handler);
    }
    return status;
}

int main(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    int status;

    if (L == NULL || argc < 2) {
        fprintf(stderr, "usage: spec_lua SCRIPT [ARGUMENT]... | -e CODE | -\n");
        return EXIT_FAILURE;
    }
    status = run(L, argc, argv);
    if (status != LUA_OK)
        fprintf(stderr, "spec_lua: %s\n", lua_tostring(L, -1));
    lua_close(L);
    return status == LUA_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
