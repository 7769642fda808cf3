/* SPDX-License-Identifier: MIT */
#include "host_wrap.h"

#include <lauxlib.h>

#include "host.h"
#include "host_options.h"

/* An argv that Lua owns: an error while it is turned into a table loses nothing. */
#define ARGV "croft.argv"

static int argv_free(lua_State *L)
{
    croft_argv_free(luaL_checkudata(L, 1, ARGV));
    return 0;
}

static croft_argv *new_argv(lua_State *L)
{
    croft_argv *argv = lua_newuserdatauv(L, sizeof *argv, 0);

    *argv = (croft_argv){0};
    if (luaL_newmetatable(L, ARGV)) {
        lua_pushcfunction(L, argv_free);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return argv;
}

const char *const *host_get_argv(lua_State *L, int index)
{
    lua_Unsigned count;
    const char **argv;

    luaL_checktype(L, index, LUA_TTABLE);
    count = lua_rawlen(L, index);
    luaL_argcheck(L, count > 0, index, "there is no program to start");
    argv = lua_newuserdatauv(L, (count + 1) * sizeof *argv, 0);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, index, "a list of texts is needed");
        argv[i] = host_check_text(L, -1); /* the table keeps it */
        lua_pop(L, 1);
    }
    argv[count] = NULL;
    return argv;
}

/* The whole number `name` of the table at `index`, or `otherwise`. */
static lua_Integer get_number(lua_State *L, int index, const char *name, lua_Integer otherwise)
{
    lua_Integer number = otherwise;

    if (lua_getfield(L, index, name) != LUA_TNIL)
        number = luaL_checkinteger(L, -1);
    lua_pop(L, 1);
    return number;
}

static void get_options(lua_State *L, int index, croft_wrap_options *options)
{
    croft_wrap_options_init(options);
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    options->version = (unsigned)get_number(L, index, "version", 0);
    options->seccomp_fd = (int)get_number(L, index, "seccomp_fd", -1);
    options->status_fd = (int)get_number(L, index, "status_fd", -1);
    options->tmp_bytes =
        (uint64_t)get_number(L, index, "tmp_bytes", (lua_Integer)options->tmp_bytes);
    if (lua_getfield(L, index, "program") != LUA_TNIL) /* stays on the stack */
        options->program = host_check_text(L, -1);
}

int host_wrap_argv(lua_State *L)
{
    const croft_view *view = host_check_view(L);
    const char *workdir = lua_isnoneornil(L, 2) ? NULL : host_check_text(L, 2);
    croft_wrap_options options;
    croft_error err = {0};
    const char *const *argv;
    croft_argv *wrapped;
    croft_status status;

    lua_settop(L, 4);
    argv = host_get_argv(L, 3);
    get_options(L, 4, &options);
    wrapped = new_argv(L);
    status = croft_wrap_argv(view, workdir, argv, &options, wrapped, &err);
    if (status != CROFT_OK)
        return host_push_error(L, status, &err);
    lua_createtable(L, (int)wrapped->count, 1);
    for (size_t i = 0; i < wrapped->count; i++) {
        lua_pushstring(L, wrapped->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, (lua_Integer)wrapped->split);
    lua_setfield(L, -2, "split");
    return 1;
}
