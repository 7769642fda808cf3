/* SPDX-License-Identifier: MIT */
#include "bind/modules.h"

int module_limits(lua_State *L)
{
    const struct limits *limits = bind_host(L)->limits;

    lua_newtable(L);
#define X(name, value, low, high) bind_set_integer(L, #name, limits->name);
    CROFT_LIMITS(X)
#undef X
    return 1;
}

/* check_path(text): raises what a primitive would raise for a text that names no path. Nothing is looked
 * at. */
static int view_check_path(lua_State *L)
{
    (void)bind_path(L, 1, 1, "read");
    return 0;
}

int module_view(lua_State *L)
{
    const croft_view *view = bind_host(L)->view;
    size_t count = view_read_only_names(view, NULL, 0);
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);

    (void)view_read_only_names(view, names, count);
    lua_newtable(L);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "read_only_names");
    lua_pushcfunction(L, view_check_path);
    lua_setfield(L, -2, "check_path");
    return 1;
}

/* A frozen table takes the place of the metatable in Lua, which could change it for everybody. What is
 * made with setmetatable(t, it) is told from other tables in the same way. */
int module_errors(lua_State *L)
{
    luaL_getmetatable(L, BIND_ERROR);
    lua_getfield(L, -1, "__metatable");
    return 1;
}

int module_codes(lua_State *L)
{
    lua_newtable(L);
    for (croft_status code = CROFT_OK; code <= CROFT_BAD_JSON; code++)
        if (status_is_answer(code)) {
            lua_pushboolean(L, true);
            lua_setfield(L, -2, croft_status_word(code));
        }
    return 1;
}

int module_staging(lua_State *L)
{
    const struct staging *staging = bind_host(L)->staging;

    lua_createtable(L, 0, 3);
    lua_pushstring(L, staging->toolset);
    lua_setfield(L, -2, "toolset");
    lua_pushstring(L, staging->trust_tier);
    lua_setfield(L, -2, "trust_tier");
    bind_set_text(L, "write_root", staging->write_root.text, staging->write_root.size);
    return 1;
}
