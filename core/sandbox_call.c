/* SPDX-License-Identifier: MIT */
/* Calls of tools in an interpreter that was made. */
#include <string.h>

#include "bind/fault.h"
#include "bind/overrun.h"
#include "bind/regex_box.h"
#include "bind/std.h"
#include "sandbox_parts.h"

void reply_free(struct reply *reply)
{
    bytes_free(&reply->text);
    bytes_free(&reply->structured);
}

const char *breach_verdict(enum breach breach)
{
    return croft_status_word(breach == BREACH_CANCELLED ? CROFT_CANCELLED
                             : breach == BREACH_RECORD  ? CROFT_DENIED
                                                        : CROFT_STOPPED);
}

const char *breach_word(enum breach breach)
{
    switch (breach) {
    case BREACH_STEPS: return "steps";
    case BREACH_TIME: return "time";
    case BREACH_MEMORY: return "memory";
    case BREACH_RECORD: return "record";
    default: return "";
    }
}

const struct permit permit_nothing = {.question = NULL};

/* What the tool that runs now may touch. */
static void set_permit(struct sandbox *sandbox, const struct permit *permit)
{
    if (sandbox->gated != NULL)
        sandbox->gated->permit = permit == NULL ? &permit_nothing : permit;
}

/* Adds the text at `index`, behind which `more` bytes will come; nothing for what is none. */
static void copy_text(lua_State *L, int index, size_t more, struct bytes *out)
{
    size_t size;
    const char *text = lua_tolstring(L, index, &size);

    if (text == NULL)
        return;
    bytes_reserve(out, size + more + 1);
    bytes_add(out, text, size);
    bytes_end(out); /* so that even an empty text has data */
}

enum { REPLY_VALUES = 5 };

/* Takes is_error, code, text, structured, and a line that stands behind the text, from the stack. */
static void take_reply(lua_State *L, struct reply *reply)
{
    const char *code = lua_tostring(L, -4);

    reply->is_error = lua_toboolean(L, -5);
    strncpy(reply->code, code == NULL ? "" : code, sizeof reply->code - 1);
    copy_text(L, -3, 1 + lua_rawlen(L, -1), &reply->text);
    if (!lua_isnil(L, -1)) {
        bytes_add_char(&reply->text, '\n');
        copy_text(L, -1, 0, &reply->text);
    }
    copy_text(L, -2, 0, &reply->structured);
}

/* Pushes the arguments as core.json takes them, {} where there are none. */
static void push_args(lua_State *L, struct call_job *job)
{
    struct bind_host *host = bind_host(L);

    host->args = &job->json;
    lua_pushlightuserdata(L, &job->json);
}

static int call_tool(lua_State *L)
{
    struct call_job *job = lua_touserdata(L, 1);

    std_reseed(L);
    sandbox_push_entry(L, "call");
    lua_pushstring(L, job->tool);
    push_args(L, job);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_READ);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_WRITE);
    lua_pushcfunction(L, regex_make);
    lua_pushcfunction(L, std_print);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_ARTIFACTS_READ);
    lua_getfield(L, LUA_REGISTRYINDEX, SANDBOX_ARTIFACTS_WRITE);
    lua_call(L, 8, REPLY_VALUES);
    fault_forget(L);
    bind_forget_valid(L);
    take_reply(L, job->reply);
    return 0;
}

static int explain_breach(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    sandbox_push_entry(L, "stopped");
    lua_pushstring(L, job->tool);
    lua_pushstring(L, breach_word(job->breach));
    lua_pushboolean(L, job->wrote);
    lua_call(L, 3, REPLY_VALUES);
    take_reply(L, job->reply);
    return 0;
}

/* An error that croft.call did not catch is a fault of ours: the details are for the log alone. */
static void take_fault(struct sandbox *sandbox, struct bytes *message, struct reply *reply)
{
    bytes_clear(&reply->text);
    bytes_add_text(&reply->text, "The tool failed inside; this is a fault of the tool, not of the "
                                 "call. It is in the log.");
    reply->is_error = true;
    strcpy(reply->code, "internal");
    if (sandbox->options.log != NULL)
        sandbox->options.log(sandbox->options.log_user, bytes_end(message), message->size);
}

void sandbox_run_job(struct sandbox *sandbox, lua_CFunction body, struct call_job *job)
{
    struct budget *budget = &sandbox->host.budget;
    struct reply *reply = job->reply;
    struct bytes message = {0};
    enum run_end end;

    sandbox->host.wrote = false;
    job->json =
        job->size == 0 ? (struct json_slice){"{}", 2} : (struct json_slice){job->args, job->size};
    sandbox->host.is_evaluating = false;
    end = sandbox_run(sandbox, body, job, &message);
    bind_room_clear(sandbox->host.room);
    sandbox->host.args = NULL;
    if (end == RUN_ERROR)
        take_fault(sandbox, &message, reply);
    if (end == RUN_TRAPPED)
        reply->breach = budget->breach == BREACH_NONE ? BREACH_MEMORY : budget->breach;
    reply->wrote = sandbox->host.wrote;
    reply->steps = budget->steps_given - budget->steps_left;
    reply->heap_bytes = sandbox->heap.used + sandbox->host.held;
    reply->heap_most = sandbox->heap.most;
    bytes_free(&message);
}

/* Tells the host, whose code no signal may leave. */
static void tell(void *user, uint64_t done)
{
    struct bind_host *host = user;

    overrun_unwatch();
    host->listener.progress(host->listener.user, done);
}

/* The budget has been started. */
static void listen(struct bind_host *host, const struct listener *listener)
{
    if (listener == NULL || listener->progress == NULL)
        return;
    host->listener = *listener;
    host->budget.listener = (struct listener){.progress = tell, .user = host};
}

static void run_limited(struct sandbox *sandbox, lua_CFunction body, struct call_job *job,
                        const struct call_task *task)
{
    const struct limits *limits = sandbox->options.limits;
    struct croft_debug *debug = sandbox->host.debug;

    budget_start(&sandbox->host.budget, limits->steps, limits->time, task->cancelled);
    listen(&sandbox->host, task->listener);
    set_permit(sandbox, task->permit);
    if (job->is_free && sandbox->gated != NULL)
        sandbox->gated->permit = NULL;
    debug_begin_call(debug, &sandbox->host, sandbox->L);
    sandbox_run_job(sandbox, body, job);
    if (debug != NULL)
        job->reply->paused_ns = debug->paused_ns;
    debug_end_call(debug);
    set_permit(sandbox, NULL);
}

void sandbox_explain(struct sandbox *sandbox, const char *tool, enum breach breach, bool wrote,
                     struct reply *reply)
{
    struct call_job job = {.tool = tool, .breach = breach, .wrote = wrote, .reply = reply};

    sandbox_start_own(sandbox);
    sandbox_run_job(sandbox, explain_breach, &job);
}

static int report_tools(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    sandbox_push_entry(L, "report");
    lua_call(L, 0, 1);
    copy_text(L, -1, 0, &job->reply->text);
    return 0;
}

void sandbox_report(struct sandbox *sandbox, struct reply *reply)
{
    struct call_job job = {.tool = "", .reply = reply};

    sandbox_start_own(sandbox);
    sandbox_run_job(sandbox, report_tools, &job);
}

/* ---- before a call ----------------------------------------------------------------------------- */

static int check_tool(lua_State *L)
{
    struct call_job *job = lua_touserdata(L, 1);

    sandbox_push_entry(L, "check");
    lua_pushstring(L, job->tool);
    push_args(L, job);
    lua_pushcfunction(L, std_print);
    lua_call(L, 3, REPLY_VALUES);
    take_reply(L, job->reply);
    return 0;
}

void sandbox_check(struct sandbox *sandbox, const struct call_task *task, struct reply *reply)
{
    struct call_job job = {
        .tool = task->tool, .args = task->args, .size = task->size, .reply = reply};
    const struct limits *limits = sandbox->options.limits;

    budget_start(&sandbox->host.budget, limits->steps, limits->time, task->cancelled);
    sandbox_run_job(sandbox, check_tool, &job);
}

static void push_text(lua_State *L, const char *text)
{
    if (text == NULL)
        lua_pushnil(L);
    else
        lua_pushstring(L, text);
}

static int refuse_call(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    sandbox_push_entry(L, "refused");
    lua_pushstring(L, job->tool);
    lua_pushstring(L, job->refusal->kind);
    push_text(L, job->refusal->path);
    lua_pushstring(L, job->refusal->note);
    lua_call(L, 4, REPLY_VALUES);
    take_reply(L, job->reply);
    return 0;
}

void sandbox_refuse(struct sandbox *sandbox, const char *tool, const struct refusal *refusal,
                    struct reply *reply)
{
    struct call_job job = {.tool = tool, .refusal = refusal, .reply = reply};

    sandbox_start_own(sandbox);
    sandbox_run_job(sandbox, refuse_call, &job);
}

static int list_gates(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    sandbox_push_entry(L, "gates");
    lua_call(L, 0, 1);
    copy_text(L, -1, 0, &job->reply->text);
    return 0;
}

void sandbox_gates(struct sandbox *sandbox, struct reply *reply)
{
    struct call_job job = {.tool = "", .reply = reply};

    sandbox_start_own(sandbox);
    sandbox_run_job(sandbox, list_gates, &job);
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* The records around a call that the host wants recorded. */
static void run_recorded(struct sandbox *sandbox, lua_CFunction body, struct call_job *job,
                         const struct call_task *task)
{
    struct recorder *recorder = sandbox->host.recorder;
    struct reply *reply = job->reply;
    const char *verdict;

    if (!record_call(recorder, task->id, job->tool, job->size, task->start)) {
        sandbox_explain(sandbox, job->tool, BREACH_RECORD, false, reply);
        return;
    }
    run_limited(sandbox, body, job, task);
    verdict = reply->breach != BREACH_NONE ? breach_verdict(reply->breach)
              : reply->is_error            ? reply->code
                                           : "ok";
    if (!record_call_end(recorder, verdict, breach_word(reply->breach), reply->text.size))
        reply->breach = BREACH_RECORD;
}

void sandbox_run_call(struct sandbox *sandbox, lua_CFunction body, struct call_job *job,
                      const struct call_task *task)
{
    if (sandbox->host.recorder == NULL)
        run_limited(sandbox, body, job, task);
    else
        run_recorded(sandbox, body, job, task);
}

void sandbox_call(struct sandbox *sandbox, const struct call_task *task, struct reply *reply)
{
    struct call_job job = {
        .tool = task->tool, .args = task->args, .size = task->size, .reply = reply};

    sandbox_run_call(sandbox, call_tool, &job, task);
}
