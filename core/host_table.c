/* SPDX-License-Identifier: MIT */
#include "host_table.h"

#include <lauxlib.h>

#include "json_scan.h"

enum { DEPTH = 8 };

static void add_table(lua_State *L, struct bytes *out, bool is_list, int depth);

static void add_string(lua_State *L, struct bytes *out, int index)
{
    size_t size;
    const char *text = lua_tolstring(L, index, &size);

    json_quote(out, text, size);
}

/* The value on the top of the stack. */
static void add_value(lua_State *L, struct bytes *out, int depth)
{
    switch (lua_type(L, -1)) {
    case LUA_TSTRING: add_string(L, out, -1); break;
    case LUA_TBOOLEAN: bytes_add_text(out, lua_toboolean(L, -1) ? "true" : "false"); break;
    case LUA_TNUMBER: bytes_add_text(out, "0"); break; /* whatever it is, no key takes one */
    case LUA_TTABLE:
        if (depth == DEPTH)
            luaL_error(L, "the tables of a view lie too deep in one another");
        luaL_checkstack(L, 4, NULL);
        lua_pushnil(L);
        if (lua_next(L, -2) == 0) {
            bytes_add_text(out, "[]");
            break;
        }
        lua_pop(L, 2);
        add_table(L, out, lua_rawlen(L, -1) > 0, depth + 1);
        break;
    default: luaL_error(L, "a view cannot hold a %s", luaL_typename(L, -1));
    }
}

static void add_key(lua_State *L, struct bytes *out, bool is_list)
{
    bool is_index = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1;

    if (is_list ? !is_index : lua_type(L, -2) != LUA_TSTRING)
        luaL_error(L, "the keys of a view are texts, and those of its lists 1, 2, 3 ...");
    if (is_list)
        return;
    add_string(L, out, -2);
    bytes_add_char(out, ':');
}

/* The table on the top of the stack. */
static void add_table(lua_State *L, struct bytes *out, bool is_list, int depth)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1), seen = 0;

    bytes_add_char(out, is_list ? '[' : '{');
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        add_key(L, out, is_list);
        if (is_list) /* in their order, which lua_next does not keep */
            lua_rawgeti(L, -3, seen + 1);
        add_value(L, out, depth);
        if (is_list)
            lua_pop(L, 1);
        seen++;
        bytes_add_char(out, ',');
    }
    if (is_list && seen != count)
        luaL_error(L, "a list of a view has holes");
    if (seen > 0)
        out->size--; /* the last comma */
    bytes_add_char(out, is_list ? ']' : '}');
}

/* Protected: (table, bytes) -> JSON */
static int write_json(lua_State *L)
{
    struct bytes *out = lua_touserdata(L, 2);

    lua_settop(L, 1);
    add_table(L, out, false, 1);
    if (out->failed)
        luaL_error(L, "not enough memory");
    lua_pushlstring(L, out->data, out->size);
    return 1;
}

void host_table_push_json(lua_State *L, int index)
{
    struct bytes out = {0};
    int status;

    index = lua_absindex(L, index);
    lua_pushcfunction(L, write_json);
    lua_pushvalue(L, index);
    lua_pushlightuserdata(L, &out);
    status = lua_pcall(L, 2, 1, 0);
    bytes_free(&out);
    if (status != LUA_OK)
        lua_error(L);
}
