/* SPDX-License-Identifier: MIT */
/* core.host: the functions of the host, called with JSON. lua/croft/host.lua makes ctx.host of it. */
#include "functions.h"

#include <string.h>

#include "bind/debug.h"
#include "bind/modules.h"
#include "bind/std.h"
#include "sys.h"

#define OPERATION "host"

/* list() -> {{name =, description =}, ...} */
static int functions_list(lua_State *L)
{
    const struct functions *functions = bind_host(L)->functions;

    lua_createtable(L, (int)functions->count, 0);
    for (size_t i = 0; i < functions->count; i++) {
        const croft_function *function = &functions->items[i];

        lua_createtable(L, 0, 2);
        bind_set_text(L, "name", function->name, strlen(function->name));
        bind_set_text(L, "description", function->description, strlen(function->description));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void close_reply(void *payload)
{
    functions_free_reply(payload);
}

/* The host's own code runs: no trap may leave it. What it took is looked at when it has returned. */
static void run(lua_State *L, const croft_function *function, const char *json, size_t size,
                struct croft_reply *reply)
{
    struct bind_host *host = bind_host(L);
    bool armed = host->armed;
    uint64_t began = clock_ns(), took;

    host->armed = false;
    reply->cancelled = host->budget.cancelled;
    function->callback(function->user, json, size, reply);
    host->armed = armed;
    took = reply->takes_time ? clock_ns() - began : 0;
    host->budget.started_ns += took;
    host->budget.deadline_ns += took;
    if (!budget_look(&host->budget) && armed)
        bind_trap(host, host->budget.breach);
}

/* What is the host's fault alone is told to its log, not to the model. */
static void log_fault(lua_State *L, const croft_function *function, struct croft_reply *reply)
{
    lua_pushcfunction(L, std_print);
    lua_pushfstring(L, "ctx.host.%s %s", function->name, bytes_end(&reply->message));
    lua_call(L, 1, 0);
}

/* The message is what the model reads, unless the tool catches the error. */
static void set_text(lua_State *L, struct croft_reply *reply)
{
    if (reply->message.size == 0) {
        lua_pushfstring(L, "The host refused: %s.", croft_status_word(reply->code));
        lua_setfield(L, -2, "text");
    } else {
        bind_set_text(L, "text", reply->message.data, reply->message.size);
    }
}

static int raise(lua_State *L, const croft_function *function, croft_status kind,
                 struct croft_reply *reply)
{
    croft_error err;

    (void)fail_format(&err, kind, 0, "%.1000s", bytes_end(&reply->message));
    strcpy(err.detail, function->name); /* 64 bytes at most */
    if (kind == CROFT_INTERNAL)
        log_fault(L, function, reply);
    bind_push_error(L, &err, OPERATION, 0);
    if (kind != CROFT_INTERNAL)
        set_text(L, reply);
    return lua_error(L);
}

static int push_reply(lua_State *L, const croft_function *function, struct croft_reply *reply)
{
    croft_status kind;

    bind_tick(L, reply->json.size / 16 + 1);
    kind = functions_check_reply(reply);
    if (kind != CROFT_OK)
        return raise(L, function, kind, reply);
    bind_note_bytes(L, reply->json.size);
    lua_pushlstring(L, reply->json.data, reply->json.size);
    return 1;
}

/* call(index, json) -> json; raises a structured error */
static int functions_call(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    lua_Integer index = bind_integer(L, 1);
    size_t size;
    const char *json = luaL_checklstring(L, 2, &size);
    const croft_function *function;
    struct croft_reply *reply;

    luaL_argcheck(L, index >= 1 && (lua_Unsigned)index <= host->functions->count, 1, "no function");
    luaL_argcheck(L, size <= MESSAGE_BYTES, 2, "more than 8 MiB");
    function = &host->functions->items[index - 1];
    lua_settop(L, 2);
    debug_primitive(L, OPERATION);
    if (host->recorder != NULL)
        bind_record_begin(host, OPERATION, function->name, strlen(function->name));
    reply = bind_own(L, sizeof *reply, close_reply);
    run(L, function, json, size, reply);
    (void)push_reply(L, function, reply);
    bind_release(L, 3);
    if (host->recorder != NULL)
        bind_record_end(host, "ok", "");
    return 1;
}

int module_host(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"list", functions_list},
        {"call", functions_call},
        {NULL, NULL},
    };

    luaL_newlib(L, functions);
    return 1;
}
