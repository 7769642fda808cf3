/* SPDX-License-Identifier: MIT */
/* That the self-test of an interpreter sees what it is there to see. */
#include "sandbox_allow.h"

#include <lauxlib.h>

#include "bind/std.h"
#include "check.h"
#include "require.h"

#define TOOL_ENV "croft.env.tool" /* the registry key of core/require.c */

static struct bind_host host; /* with the trap disarmed */
static const struct sources no_sources;

static void push_real_environment(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, TOOL_ENV);
    std_look_through(L, -1);
}

static int check(lua_State *L)
{
    environment_check(L);
    return 0;
}

/* What the check says of an environment after `tamper`, which finds its real table at 1. */
static const char *complaint(void (*tamper)(lua_State *L))
{
    static char said[256];
    lua_State *L = luaL_newstate();

    *(struct bind_host **)lua_getextraspace(L) = &host;
    environment_make(L, &no_sources);
    lua_settop(L, 0);
    push_real_environment(L);
    lua_remove(L, 1);
    if (tamper != NULL)
        tamper(L);
    lua_settop(L, 0);
    lua_pushcfunction(L, check);
    snprintf(said, sizeof said, "%s",
             lua_pcall(L, 0, 0, 0) == LUA_OK ? "nothing" : lua_tostring(L, -1));
    lua_close(L);
    return said;
}

static void add_global(lua_State *L)
{
    lua_pushinteger(L, 1);
    lua_setfield(L, 1, "answer");
}

static void add_function(lua_State *L)
{
    lua_getfield(L, 1, "string");
    std_look_through(L, -1);
    lua_pushcfunction(L, std_print);
    lua_setfield(L, -2, "dump");
}

static void take_function(lua_State *L)
{
    lua_getfield(L, 1, "utf8");
    std_look_through(L, -1);
    lua_pushnil(L);
    lua_setfield(L, -2, "len");
}

static void add_table(lua_State *L)
{
    lua_newtable(L);
    lua_setfield(L, 1, "table");
}

static void nest_table(lua_State *L)
{
    lua_getfield(L, 1, "utf8");
    std_look_through(L, -1);
    lua_newtable(L);
    lua_setfield(L, -2, "charpattern");
}

static void fill_proxy(lua_State *L)
{
    lua_getfield(L, 1, "math");
    lua_pushinteger(L, 3);
    lua_rawseti(L, -2, 1);
}

static void show_metatable(lua_State *L)
{
    lua_getfield(L, 1, "math");
    lua_getmetatable(L, -1);
    lua_pushnil(L);
    lua_setfield(L, -2, "__metatable");
}

static void show_methods(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushnil(L);
    lua_setfield(L, -2, "__metatable");
}

static void change_methods(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_newtable(L);
    lua_setfield(L, -2, "__index");
}

static void add_metatable(lua_State *L)
{
    lua_pushcfunction(L, std_print);
    lua_newtable(L);
    lua_setmetatable(L, -2);
}

/* What is said of a module {words = "text" or a table}. */
static int check_module(lua_State *L)
{
    lua_settop(L, 1);
    lua_newtable(L);
    lua_insert(L, 1);
    lua_setfield(L, 1, "words");
    allow_check_module(L, "croft.text");
    return 0;
}

static const char *module_complaint(bool with_table)
{
    static char said[256];
    lua_State *L = luaL_newstate();

    lua_pushcfunction(L, check_module);
    if (with_table)
        lua_newtable(L);
    else
        lua_pushliteral(L, "text");
    snprintf(said, sizeof said, "%s",
             lua_pcall(L, 1, 0, 0) == LUA_OK ? "nothing" : lua_tostring(L, -1));
    lua_close(L);
    return said;
}

int main(void)
{
    budget_start(&host.budget, UINT64_MAX, 60000, NULL);
    CHECK_TEXT(complaint(NULL), "nothing");
    CHECK_TEXT(complaint(add_global), "the sandbox has 'answer', which is not in its list");
    CHECK_TEXT(complaint(add_function), "the sandbox has 'string.dump', which is not in its list");
    CHECK_TEXT(complaint(take_function), "the sandbox lacks 'utf8.len', which is in its list");
    CHECK_TEXT(complaint(add_table), "the sandbox has 'table', which can be changed");
    CHECK_TEXT(complaint(nest_table), "the sandbox has 'utf8.charpattern', which can be changed");
    CHECK_TEXT(complaint(fill_proxy), "the sandbox has 'math', which can be changed");
    CHECK_TEXT(complaint(show_metatable), "the sandbox has 'math', which can be changed");
    CHECK_TEXT(complaint(show_methods), "the sandbox has strings whose methods can be changed");
    CHECK_TEXT(complaint(change_methods), "the sandbox has strings whose methods can be changed");
    CHECK_TEXT(complaint(add_metatable), "the sandbox has a metatable of every function");
    CHECK_TEXT(module_complaint(false), "nothing");
    CHECK_TEXT(module_complaint(true), "module 'croft.text' holds a table that can be changed");
    return check_report("sandbox_allow");
}
