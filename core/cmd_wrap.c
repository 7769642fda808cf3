/* SPDX-License-Identifier: MIT */
#include "cmd_wrap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "host.h"
#include "host_options.h"
#include "host_wrap.h"
#include "launch.h"

int cmd_wrap_probe(lua_State *L)
{
    struct launch_probe probe;

    launch_probe(&probe);
    if (!probe.works) {
        lua_pushnil(L);
        lua_pushstring(L, probe.reason);
        return 2;
    }
    lua_createtable(L, 0, 2);
    lua_pushstring(L, probe.program);
    lua_setfield(L, -2, "program");
    lua_pushinteger(L, probe.version);
    lua_setfield(L, -2, "version");
    return 1;
}

static int push_failure(lua_State *L, croft_status status, const char *message)
{
    croft_error err = {.kind = status};

    (void)snprintf(err.message, sizeof err.message, "%s", message);
    return host_push_error(L, status, &err);
}

/* Takes `argv` over. */
static int start(lua_State *L, croft_argv *argv)
{
    static const int ours[3] = {-1, -1, -1};
    struct launch launch;
    bool good = launch_start(argv, ours, NULL, NULL, &launch);
    int number = errno, status;

    croft_argv_free(argv);
    if (!good)
        return push_failure(L, CROFT_IO, strerror(number));
    status = launch_finish(&launch);
    if (status < 0)
        return push_failure(L, CROFT_MISSING, "it was not started");
    lua_pushinteger(L, status);
    return 1;
}

int cmd_wrap_launch(lua_State *L)
{
    const croft_view *view = host_check_view(L);
    const char *workdir = lua_isnil(L, 2) ? NULL : host_check_text(L, 2);
    const char *const *command = host_get_argv(L, 3);
    struct launch_probe probe;
    croft_wrap_options options;
    croft_argv argv;
    croft_error err = {0};
    croft_status status;

    launch_probe(&probe);
    if (!probe.works)
        return push_failure(L, CROFT_DENIED, probe.reason);
    launch_options(&probe, &options);
    status = croft_wrap_argv(view, workdir, command, &options, &argv, &err);
    return status == CROFT_OK ? start(L, &argv) : host_push_error(L, status, &err);
}
