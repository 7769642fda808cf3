/* SPDX-License-Identifier: MIT */
/* Frozen tables: an empty proxy in front of the real table, which is reached by no other way. */
#include "bind/std.h"

static int frozen_write(lua_State *L)
{
    return luaL_error(L, "'%s' cannot be set: this table is read-only (use a local)",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "a field");
}

static int frozen_read(lua_State *L)
{
    return luaL_error(L, "unknown global '%s'",
                      lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
}

/* The iterator of pairs(): upvalue 1 is the real table, which must not be handed out. */
static int frozen_next(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_next(L, lua_upvalueindex(1)) != 0)
        return 2;
    lua_pushnil(L);
    return 1;
}

static int frozen_pairs(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushcclosure(L, frozen_next, 1);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

static int frozen_length(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, lua_upvalueindex(1)));
    return 1;
}

/* Makes reading what the table at `index` lacks an error. */
static void make_strict(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    lua_pushcfunction(L, frozen_read);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, index);
}

static void set_closure(lua_State *L, int real, const char *name, lua_CFunction function)
{
    lua_pushvalue(L, real);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
}

/* Makes the metatable at the top show the table at `real`. */
static void show(lua_State *L, int real)
{
    lua_pushvalue(L, real);
    lua_setfield(L, -2, "__index");
    set_closure(L, real, "__pairs", frozen_pairs);
    set_closure(L, real, "__len", frozen_length);
}

/* Pushes an empty table, and its metatable, through which nothing is seen yet. */
static void push_proxy(lua_State *L)
{
    lua_newtable(L);
    lua_createtable(L, 0, 5);
    lua_pushcfunction(L, frozen_write);
    lua_setfield(L, -2, "__newindex");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pushvalue(L, -1);
    lua_setmetatable(L, -3);
}

void std_freeze(lua_State *L, bool strict)
{
    int real = lua_gettop(L);

    if (strict)
        make_strict(L, real);
    push_proxy(L);
    show(L, real);
    lua_pop(L, 1);
    lua_remove(L, real);
}

/* ---- frozen before it is there ----------------------------------------------------------------- */

static int late_index(lua_State *L);

static int too_early(lua_State *L)
{
    return luaL_error(L, "a module requires itself, over others");
}

/* Calls the function that makes the real table of the proxy at 1 (it is upvalue 1), and shows that. */
static void arrive(lua_State *L)
{
    int metatable = lua_gettop(L) + 1;
    int status;

    lua_getmetatable(L, 1);
    lua_pushcfunction(L, too_early);
    lua_setfield(L, metatable, "__index");
    lua_pushvalue(L, lua_upvalueindex(1));
    status = bind_pcall(L, 0, 1);
    lua_pushvalue(L, metatable);
    if (status == LUA_OK) {
        show(L, metatable + 1);
    } else { /* it may go better later: less deep in the stack */
        set_closure(L, lua_upvalueindex(1), "__index", late_index);
        lua_pop(L, 1);
        lua_error(L);
    }
    lua_settop(L, metatable - 1);
}

static int late_index(lua_State *L)
{
    lua_settop(L, 2);
    arrive(L);
    lua_gettable(L, 1);
    return 1;
}

static int late_pairs(lua_State *L)
{
    lua_settop(L, 1);
    arrive(L);
    luaL_getmetafield(L, 1, "__pairs");
    lua_insert(L, 1);
    lua_call(L, 1, 3);
    return 3;
}

static int late_length(lua_State *L)
{
    lua_settop(L, 1);
    arrive(L);
    lua_len(L, 1);
    return 1;
}

void std_freeze_later(lua_State *L)
{
    int make = lua_gettop(L);

    push_proxy(L);
    set_closure(L, make, "__index", late_index);
    set_closure(L, make, "__pairs", late_pairs);
    set_closure(L, make, "__len", late_length);
    lua_pop(L, 1);
    lua_remove(L, make);
}

/* ---- looking through --------------------------------------------------------------------------- */

/* Whether the field `name` of the table at `index` is the C function `function`. */
static bool has_function(lua_State *L, int index, const char *name, lua_CFunction function)
{
    bool has;

    index = lua_absindex(L, index);
    lua_pushstring(L, name);
    has = lua_rawget(L, index) != LUA_TNIL && lua_tocfunction(L, -1) == function;
    lua_pop(L, 1);
    return has;
}

static bool is_empty(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_pushnil(L);
    if (lua_next(L, index) == 0)
        return true;
    lua_pop(L, 2);
    return false;
}

/* Whether the metatable at the top hides itself and refuses writing. */
static bool is_closed(lua_State *L)
{
    bool hidden;

    lua_pushliteral(L, "__metatable");
    hidden = lua_rawget(L, -2) == LUA_TBOOLEAN && !lua_toboolean(L, -1);
    lua_pop(L, 1);
    return hidden && has_function(L, -1, "__newindex", frozen_write);
}

/* Whether the real table at the top has no metatable, or the one of strict tables. */
static bool is_plain(lua_State *L)
{
    bool strict;

    if (!lua_getmetatable(L, -1))
        return true;
    strict = has_function(L, -1, "__index", frozen_read);
    lua_pop(L, 1);
    return strict;
}

bool std_look_through(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index) || !is_empty(L, index) || !lua_getmetatable(L, index))
        return false;
    if (!is_closed(L)) {
        lua_pop(L, 1);
        return false;
    }
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (lua_istable(L, -1) && is_plain(L))
        return true;
    lua_pop(L, 1);
    return false;
}
