/* SPDX-License-Identifier: MIT */
/* load: text alone, and bounded, since the parser runs without hooks. */
#include <string.h>

#include "bind/fault.h"
#include "bind/overrun.h"
#include "bind/std.h"

enum { CHUNK_NAME = 60 }; /* bytes of a name: Lua shows no more */

/* Pushes the chunk's name, argument 2 or the text itself, cut. One of croft's own looks the same and is none. */
static void push_name(lua_State *L)
{
    size_t size;
    const char *name = luaL_checklstring(L, lua_isnoneornil(L, 2) ? 1 : 2, &size);
    bool is_own = strncmp(name, OWN_CHUNKS, strlen(OWN_CHUNKS)) == 0;

    if (size > CHUNK_NAME)
        size = CHUNK_NAME;
    lua_pushstring(L, is_own ? "=" : "");
    lua_pushlstring(L, name + is_own, size - is_own);
    lua_concat(L, 2);
}

/* compile(text, name) -> function. It is called protected: the handler of an xpcall around load would else
 * get what the parser raises when it is too deep, and load give what that made of it. */
static int compile(lua_State *L)
{
    size_t size;
    const char *text = lua_tolstring(L, 1, &size);

    return luaL_loadbufferx(L, text, size, lua_tostring(L, 2), "t") == LUA_OK ? 1 : lua_error(L);
}

/*
 * load(text, name, mode, environment) -> function; or nil and why. There are no binary chunks, whatever
 * the mode says. Upvalue 1: the environment of those who give none.
 */
int std_load(lua_State *L)
{
    size_t size;

    lua_settop(L, 4);
    luaL_checktype(L, 1, LUA_TSTRING);
    size = lua_rawlen(L, 1);
    if (!lua_isnil(L, 4))
        luaL_checktype(L, 4, LUA_TTABLE);
    if (size > SOURCE_BYTES) {
        lua_pushnil(L);
        lua_pushliteral(L, "the text is too long: load takes at most 256 KiB");
        return 2;
    }
    bind_tick(L, size / 8 + 1);
    lua_settop(L, 4 + OVERRUN_BARE - 1);
    overrun_push_bare(L); /* constants are kept in a table, too */
    lua_pushcclosure(L, compile, OVERRUN_BARE);
    lua_pushvalue(L, 1);
    push_name(L);
    if (bind_pcall(L, 2, 1) != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, lua_isnil(L, 4) ? lua_upvalueindex(1) : 4);
    if (lua_setupvalue(L, -2, 1) == NULL)
        lua_pop(L, 1);
    return 1;
}
