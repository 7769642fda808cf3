/* SPDX-License-Identifier: MIT */
#include <lualib.h>
#include <string.h>

#include "bind/debug.h"
#include "bind/pace.h"
#include "bind/std.h"

/* ---- text of values ---------------------------------------------------------------------------- */

const char *std_text(lua_State *L, int index, size_t *size)
{
    int type = lua_type(L, index);

    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "'__tostring' must return a string");
        return lua_tolstring(L, -1, size);
    }
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
        type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA) {
        lua_pushstring(L, lua_typename(L, type)); /* its address is nobody's business */
        return lua_tolstring(L, -1, size);
    }
    return luaL_tolstring(L, index, size);
}

static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    std_text(L, 1, NULL);
    return 1;
}

/* print(...): to the session's log, 16 KiB a call at most. */
int std_print(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    int count = lua_gettop(L);
    luaL_Buffer line;
    size_t size;
    const char *text;

    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, '\t');
        std_text(L, i, &size);
        bind_tick(L, size / 64 + 1);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    text = lua_tolstring(L, -1, &size);
    if (size > host->log_left)
        size = host->log_left;
    host->log_left -= size;
    if (size > 0)
        bind_log(host, text, size);
    return 0;
}

/* ---- metatables -------------------------------------------------------------------------------- */

static bool has_field(lua_State *L, int index, const char *name)
{
    bool has;

    lua_pushstring(L, name);
    has = lua_rawget(L, index) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

/* setmetatable(table, metatable), without the fields that run code at times nobody chose. */
static int base_setmetatable(lua_State *L)
{
    static const char *const refused[] = {"__gc", "__mode", "__close"};

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    for (size_t i = 0; lua_istable(L, 2) && i < sizeof refused / sizeof refused[0]; i++)
        if (has_field(L, 2, refused[i]))
            return luaL_error(L, "'%s' is not available in a metatable here", refused[i]);
    lua_settop(L, 2);
    if (lua_istable(L, 2))
        pace_link(L, lua_topointer(L, 2));
    lua_setmetatable(L, 1);
    return 1;
}

/* ---- the table --------------------------------------------------------------------------------- */

/* error(value, level) */
static int base_error(lua_State *L)
{
    std_charge_numbers(L, 2);
    return std_stock(L);
}

/* Two long texts of one length are compared byte by byte. */
static int base_rawequal(lua_State *L)
{
    size_t size = lua_rawlen(L, 1);

    if (lua_type(L, 1) == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING && lua_rawlen(L, 2) == size)
        bind_tick(L, size / 64);
    return std_stock(L);
}

/* select(n, ...) */
static int base_select(lua_State *L)
{
    bind_charge_number(L, 1);
    bind_tick(L, (uint64_t)lua_gettop(L) / 8);
    return std_stock(L);
}

static const struct {
    const char *name;
    lua_CFunction wrapper;
} stock[] = {
    {"assert", NULL},
    {"error", base_error},
    {"getmetatable", NULL},
    {"ipairs", NULL},
    {"next", NULL},
    {"pairs", NULL},
    {"rawget", NULL},
    {"rawequal", base_rawequal},
    {"rawlen", NULL},
    {"select", base_select},
    {"tonumber", std_of_numbers},
    {"type", NULL},
    {"_VERSION", NULL},
};

int std_base(lua_State *L)
{
    int library = lua_gettop(L) + 1;

    lua_pushcfunction(L, luaopen_base); /* fills the globals table, which no Lua code sees */
    lua_call(L, 0, 1);
    lua_newtable(L);
    for (size_t i = 0; i < sizeof stock / sizeof stock[0]; i++)
        std_take(L, library, stock[i].name, stock[i].wrapper);
    std_take_bare(L, library, "pcall", std_stock); /* where an error ends the stack may shrink */
    std_take_bare(L, library, "xpcall", std_stock);
    lua_pushcfunction(L, base_tostring);
    lua_setfield(L, -2, "tostring");
    lua_pushcfunction(L, std_print);
    lua_setfield(L, -2, "print");
    lua_pushcfunction(L, base_setmetatable);
    lua_setfield(L, -2, "setmetatable");
    if (bind_host(L)->debug != NULL) {
        lua_pushcfunction(L, debug_pcall);
        lua_setfield(L, -2, "pcall");
        lua_pushcfunction(L, debug_xpcall);
        lua_setfield(L, -2, "xpcall");
    }
    lua_remove(L, library);
    return 1;
}
