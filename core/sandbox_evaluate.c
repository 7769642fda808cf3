/* SPDX-License-Identifier: MIT */
/* Lua that somebody types, evaluated as a call: for `croft repl`. */
#include <string.h>

#include "bind/regex_box.h"
#include "bind/std.h"
#include "require.h"
#include "sandbox_parts.h"

#define TYPED_ENV "croft.debug.typed" /* registry key of what was assigned so far */

/* Pushes the table in which assignments stay; what is not in it comes from the globals of tools. */
static void push_environment(lua_State *L)
{
    if (lua_getfield(L, LUA_REGISTRYINDEX, TYPED_ENV) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, BIND_TOOL_ENV);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, TYPED_ENV);
}

/* Pushes the ctx of a tool that may read. */
static void push_context(lua_State *L)
{
    require_module(L, "croft.context");
    lua_getfield(L, -1, "new");
    lua_remove(L, -2);
    lua_createtable(L, 0, 2);
    lua_pushliteral(L, "read");
    lua_setfield(L, -2, "access");
    lua_pushliteral(L, EVALUATION);
    lua_createtable(L, 0, 4);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_READ);
    lua_setfield(L, -2, "fs_read");
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_READ);
    lua_setfield(L, -2, "fs_write");
    lua_pushcfunction(L, regex_make);
    lua_setfield(L, -2, "regex");
    lua_pushcfunction(L, std_print);
    lua_setfield(L, -2, "log");
    lua_call(L, 3, 1);
}

/* The error at the top: its code, and its text, or all of it. */
static void take_error(lua_State *L, const struct call_job *job)
{
    struct reply *reply = job->reply;

    reply->is_error = true;
    strcpy(reply->code, "internal");
    if (lua_type(L, -1) == LUA_TSTRING) {
        bytes_add_text(&reply->text, lua_tostring(L, -1));
        return;
    }
    debug_show(L, -1, job->most, &reply->text);
    if (!lua_istable(L, -1))
        return;
    lua_pushliteral(L, "code");
    if (lua_rawget(L, -2) == LUA_TSTRING)
        strncpy(reply->code, lua_tostring(L, -1), sizeof reply->code - 1);
}

static int evaluate(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);
    int from;
    bool good;

    push_environment(L);
    push_context(L);
    lua_setfield(L, -2, "ctx");
    lua_pushcfunction(L, debug_pcall);
    from = lua_gettop(L);
    good = debug_compile(L, job->args, job->size);
    if (good) {
        lua_pushvalue(L, from - 1);
        lua_setupvalue(L, -2, 1); /* a chunk always has _ENV */
        lua_call(L, 1, LUA_MULTRET);
        good = lua_toboolean(L, from);
        lua_remove(L, from);
    }
    if (good)
        debug_show_all(L, from, job->most, &job->reply->text);
    else
        take_error(L, job);
    bytes_end(&job->reply->text);
    return 0;
}

void sandbox_evaluate(struct sandbox *sandbox, const struct call_task *task, size_t most,
                      struct reply *reply)
{
    struct call_job job = {.tool = task->tool,
                           .args = task->args,
                           .size = task->size,
                           .most = most,
                           .is_free = true,
                           .reply = reply};

    sandbox_run_call(sandbox, evaluate, &job, task);
}
