/* SPDX-License-Identifier: MIT */
/* calls DIR: what a call costs before its tool does anything, what an interpreter costs, and what counting
 * its steps costs, beside bare Lua. DIR is served; it makes a directory of tools in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lualib.h>

#include "croft.h"
#include "rounds.h"
#include "sandbox_parts.h"
#include "session.h"

static const char empty_tool[] =
    "return require('croft.tool').define {\n"
    "  name = 'empty', description = 'Nothing.', access = 'read',\n"
    "  input = { type = 'object', properties = {} }, run = function() return '' end,\n"
    "}\n";

static const char loop[] = "local sum = 0\n"
                           "for i = 1, 1000 do sum = sum + i % 7 end\n"
                           "return sum\n";

/* Makes the directory of tools below `root` and returns its path, the caller's to free. */
static char *make_tools(const char *root)
{
    char *dir, *path;
    FILE *file;

    if (asprintf(&dir, "%s/tools", root) < 0 || asprintf(&path, "%s/empty.lua", dir) < 0)
        bench_fail("memory");
    mkdir(dir, 0755);
    file = fopen(path, "w");
    if (file == NULL || fputs(empty_tool, file) < 0 || fclose(file) != 0)
        bench_fail(path);
    free(path);
    return dir;
}

static croft_session *open_session(const char *root)
{
    char *tools = make_tools(root);
    const char *dirs[] = {tools};
    croft_session_options options;
    croft_session *session;
    croft_view *view;
    croft_error err;

    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    if (croft_view_open(root, NULL, &view, &err) != CROFT_OK ||
        croft_session_open(view, &options, &session, &err) != CROFT_OK)
        bench_fail(err.message);
    croft_view_close(view);
    free(tools);
    return session;
}

/* ---- calls ------------------------------------------------------------------------------------- */

static lua_State *open_lua(const char *chunk, lua_Hook hook)
{
    lua_State *L = luaL_newstate();

    if (L == NULL || luaL_loadstring(L, chunk) != LUA_OK)
        bench_fail("Lua");
    if (hook != NULL)
        lua_sethook(L, hook, LUA_MASKCOUNT, 1000);
    return L;
}

static void run_pcall(void *user, size_t times)
{
    lua_State *L = user;

    for (size_t i = 0; i < times; i++) {
        lua_pushvalue(L, 1);
        if (lua_pcall(L, 0, 0, 0) != LUA_OK)
            bench_fail(lua_tostring(L, -1));
    }
}

static void run_call(void *user, size_t times)
{
    croft_result result;

    for (size_t i = 0; i < times; i++) {
        if (croft_call(user, "empty", "{}", 2, NULL, &result) != CROFT_OK || result.is_error)
            bench_fail("the empty tool failed");
        croft_result_free(&result);
    }
}

static void measure_calls(croft_session *session)
{
    lua_State *L = open_lua("return ''", NULL);
    const struct rival rivals[] = {
        {"lua_pcall of an empty function", run_pcall, L},
        {"croft_call of an empty tool", run_call, session},
    };

    rounds_run("a call", rivals, 2, 2000);
    lua_close(L);
}

/* ---- interpreters ------------------------------------------------------------------------------ */

static void run_newstate(void *unused, size_t times)
{
    (void)unused;
    for (size_t i = 0; i < times; i++) {
        lua_State *L = luaL_newstate();

        if (L == NULL)
            bench_fail("Lua");
        lua_close(L);
    }
}

static void run_openlibs(void *unused, size_t times)
{
    (void)unused;
    for (size_t i = 0; i < times; i++) {
        lua_State *L = luaL_newstate();

        if (L == NULL)
            bench_fail("Lua");
        luaL_openlibs(L);
        lua_close(L);
    }
}

static struct sandbox *make_interpreter(croft_session *session)
{
    struct sandbox *sandbox;
    croft_error err;

    if (sandbox_new(&session->pool.options, &sandbox, NULL, &err) != CROFT_OK)
        bench_fail(err.message);
    return sandbox;
}

static void run_interpreter(void *user, size_t times)
{
    for (size_t i = 0; i < times; i++)
        sandbox_free(make_interpreter(user));
}

static void run_first_call(void *user, size_t times)
{
    const struct call_task task = {.id = 1, .tool = "empty", .args = "{}", .size = 2};

    for (size_t i = 0; i < times; i++) {
        struct sandbox *sandbox = make_interpreter(user);
        struct reply reply;

        memset(&reply, 0, sizeof reply);
        sandbox_call(sandbox, &task, &reply);
        if (reply.is_error || reply.breach != BREACH_NONE)
            bench_fail("the empty tool failed");
        reply_free(&reply);
        sandbox_free(sandbox);
    }
}

static void measure_interpreters(croft_session *session)
{
    struct sandbox *sandbox = make_interpreter(session);
    const struct rival rivals[] = {
        {"luaL_newstate", run_newstate, NULL},
        {"luaL_newstate, luaL_openlibs", run_openlibs, NULL},
        {"an interpreter of croft", run_interpreter, session},
        {"the same and its first call", run_first_call, session},
    };

    rounds_run("making", rivals, 4, 20);
    printf("bytes\tan interpreter of croft\t%zu\t0\n", sandbox->heap.used);
    sandbox_free(sandbox);
}

/* ---- the count hook ---------------------------------------------------------------------------- */

static void count(lua_State *L, lua_Debug *unused)
{
    (void)unused;
    (void)L;
}

static void measure_hook(void)
{
    lua_State *bare = open_lua(loop, NULL), *hooked = open_lua(loop, count);
    const struct rival rivals[] = {
        {"1000 turns of a loop", run_pcall, bare},
        {"with a count hook", run_pcall, hooked},
    };

    rounds_run("counting", rivals, 2, 200);
    lua_close(bare);
    lua_close(hooked);
}

int main(int argc, char **argv)
{
    croft_session *session;

    if (argc != 2)
        bench_fail("usage: calls DIR");
    session = open_session(argv[1]);
    measure_calls(session);
    measure_interpreters(session);
    measure_hook();
    croft_session_close(session);
    return 0;
}
