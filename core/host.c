/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "host_copy.h"
#include "host_functions.h"
#include "host_gate.h"
#include "host_links.h"
#include "host_options.h"
#include "host_policy.h"
#include "host_runner.h"
#include "host_toolset.h"
#include "host_usage.h"
#include "host_view.h"

#define SESSION "croft.session"

/* About what each holds besides Lua's memory. */
enum { SESSION_KIB = 256 };

int host_push_error(lua_State *L, croft_status status, const croft_error *err)
{
    lua_pushnil(L);
    lua_createtable(L, 0, 5);
    lua_pushstring(L, croft_status_word(status));
    lua_setfield(L, -2, "code");
    lua_pushstring(L, err->message);
    lua_setfield(L, -2, "message");
    lua_pushstring(L, err->detail);
    lua_setfield(L, -2, "detail");
    lua_pushinteger(L, err->sys_errno);
    lua_setfield(L, -2, "errno");
    lua_pushinteger(L, (lua_Integer)err->at);
    lua_setfield(L, -2, "at");
    return 2;
}

/* ---- session ---- */

/* What a session keeps of its tools' prints while nobody asks for it. */
enum { LOG_BYTES = 64 * 1024 };

static void keep_log(void *user, const char *text, size_t size)
{
    struct host_session *box = user;

    if (size >= LOG_BYTES || box->log.size > LOG_BYTES - size)
        return;
    bytes_add(&box->log, text, size);
    bytes_add_char(&box->log, '\n');
}

/* Sees to the records that the options ask for. False: *err says why that cannot be. */
static bool open_audit(lua_State *L, struct host_session *box, const struct host_view *view,
                       croft_session_options *options, croft_error *err)
{
    const char *file = host_audit_options(L, 2, &box->audit.keeps);
    const char *reason = NULL;

    if (file != NULL && croft_view_holds(view->view, file))
        reason = "it lies in ROOT or in a mount, where tools could change it";
    else if (file != NULL)
        reason = host_audit_open(&box->audit, file, &view->root);
    if (reason != NULL) {
        err->kind = CROFT_BAD_ARGUMENT;
        (void)snprintf(err->message, sizeof err->message, "the audit log %.900s cannot be used: %s",
                       file, reason);
        return false;
    }
    if (file != NULL || box->audit.keeps) {
        options->audit = host_audit_tell;
        options->audit_user = &box->audit;
    }
    return true;
}

/* Pushes a session that is not open. */
static struct host_session *push_session(lua_State *L)
{
    struct host_session *box = lua_newuserdatauv(L, sizeof *box, HOST_RUNNER_VALUE);

    memset(box, 0, sizeof *box);
    host_audit_init(&box->audit);
    host_tty_init(&box->gate.tty);
    box->has_audit = true;
    luaL_setmetatable(L, SESSION);
    return box;
}

static croft_status open_plainly(void *user, croft_view *view, const croft_session_options *options,
                                 croft_session **session, croft_error *err)
{
    (void)user;
    return croft_session_open(view, options, session, err);
}

static int view_session(lua_State *L)
{
    return host_open_session(L, open_plainly, NULL);
}

int host_open_session(lua_State *L, host_door *door, void *user)
{
    struct host_view *view = host_check_view_box(L);
    struct host_session *box;
    croft_session_options options;
    croft_error err = {0};
    croft_status status;
    int at;

    lua_settop(L, 2);
    host_collect(L, SESSION_KIB);
    host_session_options(L, 2, &options);
    box = push_session(L);
    at = lua_gettop(L);
    host_toolset_options(L, 2, box, &options);
    if (!open_audit(L, box, view, &options, &err))
        return host_push_error(L, err.kind, &err);
    host_functions_take(L, 2, at, &box->caller, &options);
    host_runner_take(L, 2, at, HOST_RUNNER_VALUE, &options);
    box->gate.caller = &box->caller;
    if (!host_gate_take(L, 2, at, &box->gate, &options)) {
        err.kind = CROFT_BAD_ARGUMENT;
        strcpy(err.message, "there is no terminal to ask at");
        return host_push_error(L, err.kind, &err);
    }
    if (options.log == NULL) {
        options.log = keep_log;
        options.log_user = box;
    }

    status = door(user, view->view, &options, &box->session, &err);
    if (status != CROFT_OK)
        return host_toolset_error(L, box, status, &err);
    lua_pushvalue(L, at);
    return 1;
}

struct host_session *host_check_session(lua_State *L, int index)
{
    struct host_session *box = luaL_checkudata(L, index, SESSION);

    luaL_argcheck(L, box->session != NULL, index, "the session is closed");
    return box;
}

/* The result of the last call, which stays in the box until Lua has it: an error between leaks nothing. */
static void release(struct host_session *box)
{
    if (box->filled)
        croft_result_free(&box->result);
    box->filled = false;
}

const char *host_outcome(croft_status status, const croft_result *result)
{
    static const char *const words[] = {
        [CROFT_DONE] = "done",
        [CROFT_FAILED] = "failed",
        [CROFT_ENDED] = "ended",
        [CROFT_CALLED_OFF] = "called_off",
        [CROFT_NEEDS_INPUT] = "needs_input",
    };

    return status == CROFT_OK ? words[result->outcome] : "refused";
}

static void set_count(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void host_push_result(lua_State *L, croft_status status, const croft_result *result)
{
    lua_createtable(L, 0, 8);
    lua_pushstring(L, host_outcome(status, result));
    lua_setfield(L, -2, "outcome");
    lua_pushboolean(L, status != CROFT_OK || result->is_error);
    lua_setfield(L, -2, "is_error");
    lua_pushstring(L, status == CROFT_OK ? result->code : croft_status_word(status));
    lua_setfield(L, -2, "code");
    lua_pushlstring(L, result->text == NULL ? "" : result->text, result->text_size);
    lua_setfield(L, -2, "text");
    if (result->structured != NULL) {
        lua_pushlstring(L, result->structured, result->structured_size);
        lua_setfield(L, -2, "structured");
    }
    if (result->question != NULL) {
        host_gate_push(L, result->question);
        lua_setfield(L, -2, "question");
    }
    set_count(L, "steps", result->steps);
    set_count(L, "heap_bytes", result->heap_bytes);
    set_count(L, "microseconds", result->microseconds);
}

/* A function of the host cannot use the session whose call it serves. */
static void check_is_idle(lua_State *L, const struct host_session *box)
{
    if (box->caller != NULL)
        luaL_error(L, "a function cannot call or close the session that calls it");
}

static int session_call(lua_State *L)
{
    struct host_session *box = host_check_session(L, 1);
    const char *name = host_check_text(L, 2);
    size_t size;
    const char *args = luaL_optlstring(L, 3, "", &size);
    croft_call_options options;
    croft_answer answer;
    croft_status status;

    check_is_idle(L, box);
    release(box);
    croft_call_options_init(&options);
    options.call_id = (uint64_t)luaL_optinteger(L, 5, 0);
    if (host_gate_answer(L, 4, &answer))
        options.answer = &answer;
    box->caller = L;
    status = croft_call(box->session, name, args, size, &options, &box->result);
    box->caller = NULL;
    box->filled = true;
    host_push_result(L, status, &box->result);
    release(box);
    return 1;
}

static int session_tools(lua_State *L)
{
    lua_pushstring(L, croft_session_tools(host_check_session(L, 1)->session));
    return 1;
}

static int session_log(lua_State *L)
{
    struct host_session *box = host_check_session(L, 1);

    lua_pushlstring(L, box->log.size == 0 ? "" : box->log.data, box->log.size);
    bytes_clear(&box->log);
    return 1;
}

static int session_trace(lua_State *L)
{
    struct bytes *trace = &host_check_session(L, 1)->audit.trace;

    lua_pushlstring(L, trace->size == 0 ? "" : trace->data, trace->size);
    bytes_clear(trace);
    return 1;
}

static int session_close(lua_State *L)
{
    struct host_session *box = luaL_checkudata(L, 1, SESSION);

    check_is_idle(L, box);
    release(box);
    croft_session_close(box->session);
    box->session = NULL;
    bytes_free(&box->log);
    bytes_free(&box->problems);
    if (box->has_audit)
        host_audit_free(&box->audit);
    if (box->has_audit)
        host_tty_free(&box->gate.tty);
    box->has_audit = false;
    return 0;
}

/* ---- module ---- */

static int host_version(lua_State *L)
{
    lua_pushstring(L, croft_version());
    return 1;
}

/* lend_signal(number) -> true; or nil and what is wrong */
static int host_lend_signal(lua_State *L)
{
    lua_Integer number = luaL_checkinteger(L, 1);
    croft_error err = {0};
    croft_status status = croft_lend_signal(number < 0 || number > 1000 ? 0 : (int)number, &err);

    if (status != CROFT_OK)
        return host_push_error(L, status, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int host_limits(lua_State *L)
{
    const croft_limit *limit = croft_limit_defaults();

    lua_newtable(L);
    for (lua_Integer i = 1; limit->name != NULL; i++, limit++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, limit->name);
        lua_setfield(L, -2, "name");
        set_count(L, "value", limit->value);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static const luaL_Reg session_methods[] = {
    {"call", session_call},
    {"tools", session_tools},
    {"log", session_log},
    {"trace", session_trace},
    {"usage", host_usage},
    {"close", session_close},
    {"problems", host_problems},
    {"report", host_report},
    {"handles", host_handles},
    {"read_only_names", host_read_only_names},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"open", host_view_open},         {"template", host_view_template},
    {"disabled", host_view_disabled}, {"verify_links", host_verify_links},
    {"policy", host_policy},          {"fill", host_fill},
    {"harvest", host_harvest},        {"version", host_version},
    {"limits", host_limits},          {"lend_signal", host_lend_signal},
    {"runner", host_runner},          {NULL, NULL},
};

void host_push(lua_State *L)
{
    host_view_make(L, view_session);
    host_make_class(L, SESSION, session_methods, session_close);
    host_policy_class(L);
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
}
