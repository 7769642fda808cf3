/* SPDX-License-Identifier: MIT */
#include "host_runner.h"

#include <errno.h>
#include <string.h>

#include <lauxlib.h>

#include "host.h"
#include "runner.h"

#define RUNNER "croft.runner"

struct box {
    struct runner *runner;
};

static int box_close(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, RUNNER);

    runner_free(box->runner);
    box->runner = NULL;
    return 0;
}

static struct box *new_box(lua_State *L)
{
    struct box *box = lua_newuserdatauv(L, sizeof *box, 1);

    box->runner = NULL;
    if (luaL_newmetatable(L, RUNNER)) {
        lua_pushcfunction(L, box_close);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return box;
}

static void get_limit(lua_State *L, int index, const char *name, uint64_t *limit)
{
    if (lua_getfield(L, index, name) != LUA_TNIL) {
        lua_Integer number = luaL_checkinteger(L, -1);

        luaL_argcheck(L, number > 0, index, "a limit is at least 1");
        *limit = (uint64_t)number;
    }
    lua_pop(L, 1);
}

static void get_limits(lua_State *L, int index, struct runner_limits *limits)
{
    *limits = runner_defaults;
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    get_limit(L, index, "seconds", &limits->seconds);
    get_limit(L, index, "output", &limits->output);
    get_limit(L, index, "processes", &limits->processes);
    get_limit(L, index, "memory", &limits->memory);
}

static int push_reason(lua_State *L, const char *reason)
{
    lua_pushnil(L);
    lua_pushstring(L, reason);
    return 2;
}

int host_runner(lua_State *L)
{
    const croft_view *view = host_check_view(L);
    static const char *const words[] = {"true", NULL};
    struct runner_limits limits;
    struct launch_probe probe;
    croft_wrap_options options;
    croft_argv argv = {0};
    croft_error err = {0};
    struct box *box;

    lua_settop(L, 2);
    get_limits(L, 2, &limits);
    launch_probe(&probe);
    if (!probe.works)
        return push_reason(L, probe.reason);
    launch_options(&probe, &options);
    if (croft_wrap_argv(view, NULL, words, &options, &argv, &err) != CROFT_OK)
        return push_reason(L, err.message); /* now rather than at the first call */
    croft_argv_free(&argv);
    box = new_box(L);
    lua_pushvalue(L, 1); /* the view stays open for it */
    lua_setiuservalue(L, -2, 1);
    box->runner = runner_new(view, &probe, &limits);
    return box->runner == NULL ? push_reason(L, strerror(errno)) : 1;
}

void host_runner_take(lua_State *L, int index, int session, int value,
                      croft_session_options *options)
{
    croft_function *functions;
    struct box *box;

    if (lua_isnil(L, index) || lua_getfield(L, index, "runner") == LUA_TNIL)
        return;
    box = luaL_checkudata(L, -1, RUNNER);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, session, value);
    functions = lua_newuserdatauv(L, (options->function_count + 1) * sizeof *functions, 0);
    if (options->function_count > 0)
        memcpy(functions, options->functions, options->function_count * sizeof *functions);
    functions[options->function_count] = (croft_function){
        .name = "run", .description = "a command", .callback = runner_call, .user = box->runner};
    options->functions = functions;
    options->function_count++;
}
