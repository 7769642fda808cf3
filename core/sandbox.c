/* SPDX-License-Identifier: MIT */
#include "sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/fs.h"
#include "bind/regex_box.h"
#include "bind/std.h"
#include "heap.h"
#include "require.h"

enum {
    HOOK_STEPS = 1000,
    LOG_BYTES = 16 * KIB, /* that one call may log */
    LOAD_MILLISECONDS = 5000
};

/* Registry keys. */
#define CALLS "croft.calls" /* what croft.call returned */
#define FS_READ "croft.fs.read"
#define FS_WRITE "croft.fs.write"

struct sandbox {
    const struct sandbox_options options;
    struct bind_host host;
    struct heap heap;
    lua_State *L;    /* NULL after a trap */
    size_t collected; /* heap in use after the last full collection of the hook */
};

void reply_free(struct reply *reply)
{
    bytes_free(&reply->text);
    bytes_free(&reply->structured);
}

/* ---- the trap ---------------------------------------------------------------------------------- */

static void close_boxes(struct bind_host *host)
{
    while (host->boxes != NULL) {
        struct box *box = host->boxes;
        void (*close)(void *) = box->close;

        host->boxes = box->next;
        box->close = NULL;
        close(box->payload);
    }
}

static const char *const breach_words[] = {
    [BREACH_NONE] = "",      [BREACH_STEPS] = "steps", [BREACH_TIME] = "time",
    [BREACH_MEMORY] = "memory", [BREACH_CANCELLED] = "", [BREACH_RECORD] = "record"};

static const char *verdict_of(enum breach breach)
{
    return croft_status_word(breach == BREACH_CANCELLED ? CROFT_CANCELLED
                             : breach == BREACH_RECORD  ? CROFT_DENIED
                                                        : CROFT_STOPPED);
}

/* Nothing of the state is run any more: what C owns is closed, then its memory goes as a whole. */
static void drop(struct sandbox *sandbox)
{
    enum breach breach = sandbox->host.budget.breach;

    if (sandbox->host.recorder != NULL)
        record_end(sandbox->host.recorder, verdict_of(breach), breach_words[breach]);
    close_boxes(&sandbox->host);
    turns_give(sandbox->host.turns, &sandbox->host.turn);
    heap_drop(&sandbox->heap);
    sandbox->L = NULL;
}

/* Garbage is collected before it can be taken for a breach of the heap. */
static void collect_early(struct sandbox *sandbox, lua_State *L)
{
    const struct heap *heap = &sandbox->heap;

    if (heap->used < heap->limit / 2 || heap->used < sandbox->collected + heap->limit / 8)
        return;
    lua_gc(L, LUA_GCCOLLECT);
    sandbox->collected = heap->used;
}

static void count_hook(lua_State *L, lua_Debug *unused)
{
    struct bind_host *host = bind_host(L);

    (void)unused;
    collect_early((struct sandbox *)((char *)host - offsetof(struct sandbox, host)), L);
    bind_tick(L, HOOK_STEPS);
}

enum run_end { RUN_DONE, RUN_ERROR, RUN_TRAPPED };

/* Takes the text of the error at the top. Of a table only that it is one: nothing catches what its
 * __tostring might raise here. */
static void take_message(lua_State *L, struct bytes *message)
{
    size_t size;
    const char *text;

    if (lua_type(L, -1) != LUA_TSTRING)
        lua_pushfstring(L, "an error that is a %s", luaL_typename(L, -1));
    text = lua_tolstring(L, -1, &size);
    bytes_add(message, text, size);
}

/* Runs `body` with the trap armed; it finds `job` as a light userdata. On RUN_ERROR the error's text
 * is in *message. */
static enum run_end run(struct sandbox *sandbox, lua_CFunction body, void *job,
                        struct bytes *message)
{
    struct bind_host *host = &sandbox->host;
    lua_State *L = sandbox->L;
    int status;

    if (L == NULL)
        return RUN_TRAPPED;
    if (setjmp(host->boundary) != 0) {
        drop(sandbox);
        return RUN_TRAPPED;
    }
    host->armed = true;
    host->log_left = LOG_BYTES;
    lua_settop(L, 0);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, job);
    status = lua_pcall(L, 1, 0, 0);
    if (status != LUA_OK)
        take_message(L, message);
    lua_settop(L, 0);
    host->armed = false;
    turns_give(host->turns, &host->turn);
    return status == LUA_OK ? RUN_DONE : RUN_ERROR;
}

/* ---- making one -------------------------------------------------------------------------------- */

struct load_job {
    struct sandbox *sandbox;
    struct bytes *tools;
};

static void push_tool_names(lua_State *L, const struct sources *sources)
{
    lua_Integer count = 0;

    lua_newtable(L);
    for (size_t i = 0; i < sources->count; i++) {
        if (!sources->items[i].is_tool)
            continue;
        lua_pushstring(L, sources->items[i].module);
        lua_rawseti(L, -2, ++count);
    }
}

/* Pushes the function `name` of croft.call. */
static void push_entry(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, CALLS);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static void take_list(lua_State *L, struct bytes *tools)
{
    size_t size;
    const char *text;

    push_entry(L, "list");
    lua_call(L, 0, 1);
    text = luaL_checklstring(L, -1, &size);
    bytes_clear(tools);
    bytes_add(tools, text, size);
    lua_pop(L, 1);
}

static int load_tools(lua_State *L)
{
    const struct load_job *job = lua_touserdata(L, 1);
    const struct sandbox_options *options = &job->sandbox->options;

    lua_gc(L, LUA_GCSTOP); /* what loading makes stays: nothing to collect yet */
    environment_make(L, options->sources);
    fs_push(L, false);
    lua_setfield(L, LUA_REGISTRYINDEX, FS_READ);
    fs_push(L, true);
    lua_setfield(L, LUA_REGISTRYINDEX, FS_WRITE);
    require_module(L, "croft.call");
    lua_setfield(L, LUA_REGISTRYINDEX, CALLS);
    push_entry(L, "load");
    push_tool_names(L, options->sources);
    lua_pushstring(L, options->prefix);
    lua_call(L, 2, 0);
    if (job->tools != NULL)
        take_list(L, job->tools);
    environment_check(L);
    lua_gc(L, LUA_GCRESTART);
    return 0;
}

static bool open_state(struct sandbox *sandbox)
{
    sandbox->L = lua_newstate(heap_allocate, &sandbox->heap);
    if (sandbox->L == NULL)
        return false;
    *(struct bind_host **)lua_getextraspace(sandbox->L) = &sandbox->host;
    lua_gc(sandbox->L, LUA_GCINC, 120, 400, 0);
    lua_sethook(sandbox->L, count_hook, LUA_MASKCOUNT, HOOK_STEPS);
    return true;
}

static struct sandbox *allocate(const struct sandbox_options *options)
{
    struct sandbox *sandbox = malloc(sizeof *sandbox);
    struct sandbox start = {
        .options = *options,
        .host = {.view = options->view,
                 .limits = options->limits,
                 .turns = options->turns,
                 .log = options->log,
                 .log_user = options->log_user},
        .heap = {.limit = options->limits->heap},
    };

    if (sandbox == NULL)
        return NULL;
    memcpy(sandbox, &start, sizeof start);
    sandbox->heap.host = &sandbox->host;
    if (options->audit == NULL)
        return sandbox;
    sandbox->host.recorder = recorder_new(options->audit, options->audit_user);
    if (sandbox->host.recorder != NULL)
        return sandbox;
    free(sandbox);
    return NULL;
}

static croft_status load_error(const struct bind_host *host, enum run_end end,
                               struct bytes *message, croft_error *err)
{
    if (end == RUN_TRAPPED)
        return fail_format(err, CROFT_STOPPED, 0, "loading %.600s took more than it may",
                           host->loading == NULL ? "the tools" : host->loading + 1);
    return fail_format(err, CROFT_BAD_ARGUMENT, 0, "%.1000s", bytes_end(message));
}

croft_status sandbox_new(const struct sandbox_options *options, struct sandbox **out,
                         struct bytes *tools, croft_error *err)
{
    struct sandbox *sandbox = allocate(options);
    struct load_job job = {sandbox, tools};
    struct bytes message = {0};
    croft_status status = CROFT_OK;
    enum run_end end;

    if (sandbox == NULL || !open_state(sandbox)) {
        sandbox_free(sandbox);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    budget_start(&sandbox->host.budget, options->limits->steps, LOAD_MILLISECONDS, NULL);
    end = run(sandbox, load_tools, &job, &message);
    if (end != RUN_DONE)
        status = load_error(&sandbox->host, end, &message, err);
    else if (tools != NULL && tools->failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    bytes_free(&message);
    if (status != CROFT_OK)
        sandbox_free(sandbox);
    else
        *out = sandbox;
    return status;
}

void sandbox_free(struct sandbox *sandbox)
{
    if (sandbox == NULL)
        return;
    drop(sandbox); /* not lua_close: no code of a tool runs, and the memory is ours */
    recorder_free(sandbox->host.recorder);
    free(sandbox);
}

/* ---- calls ------------------------------------------------------------------------------------- */

struct call_job {
    const char *tool, *args;
    size_t size;
    enum breach breach; /* for sandbox_explain */
    bool wrote;
    struct reply *reply;
};

static void copy_text(lua_State *L, int index, struct bytes *out)
{
    size_t size;
    const char *text = lua_tolstring(L, index, &size);

    if (text == NULL)
        return;
    bytes_add(out, text, size);
    bytes_end(out); /* so that even an empty text has data */
}

/* Takes is_error, code, text, structured from the stack. */
static void take_reply(lua_State *L, struct reply *reply)
{
    const char *code = lua_tostring(L, -3);

    reply->is_error = lua_toboolean(L, -4);
    strncpy(reply->code, code == NULL ? "" : code, sizeof reply->code - 1);
    copy_text(L, -2, &reply->text);
    copy_text(L, -1, &reply->structured);
}

static int call_tool(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    std_reseed(L);
    push_entry(L, "call");
    lua_pushstring(L, job->tool);
    lua_pushlstring(L, job->args, job->size);
    lua_getfield(L, LUA_REGISTRYINDEX, FS_READ);
    lua_getfield(L, LUA_REGISTRYINDEX, FS_WRITE);
    lua_pushcfunction(L, regex_make);
    lua_pushcfunction(L, std_print);
    lua_call(L, 6, 4);
    take_reply(L, job->reply);
    return 0;
}

static int explain_breach(lua_State *L)
{
    const struct call_job *job = lua_touserdata(L, 1);

    push_entry(L, "stopped");
    lua_pushstring(L, job->tool);
    lua_pushstring(L, breach_words[job->breach]);
    lua_pushboolean(L, job->wrote);
    lua_call(L, 3, 4);
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

static void run_job(struct sandbox *sandbox, lua_CFunction body, struct call_job *job,
                    const atomic_bool *cancelled)
{
    const struct limits *limits = sandbox->options.limits;
    struct budget *budget = &sandbox->host.budget;
    struct reply *reply = job->reply;
    struct bytes message = {0};
    enum run_end end;

    sandbox->host.wrote = false;
    budget_start(budget, limits->steps, limits->time, cancelled);
    end = run(sandbox, body, job, &message);
    if (end == RUN_ERROR)
        take_fault(sandbox, &message, reply);
    if (end == RUN_TRAPPED)
        reply->breach = budget->breach == BREACH_NONE ? BREACH_MEMORY : budget->breach;
    reply->wrote = sandbox->host.wrote;
    reply->steps = budget->steps_given - budget->steps_left;
    reply->heap_bytes = sandbox->heap.used;
    bytes_free(&message);
}

void sandbox_explain(struct sandbox *sandbox, const char *tool, enum breach breach, bool wrote,
                     struct reply *reply)
{
    struct call_job job = {.tool = tool, .breach = breach, .wrote = wrote, .reply = reply};

    sandbox->host.budget.listener.progress = NULL;
    run_job(sandbox, explain_breach, &job, NULL);
}

/* The records around a call that the host wants recorded. */
static void call_recorded(struct sandbox *sandbox, struct recorder *recorder, uint64_t id,
                          struct call_job *job, const atomic_bool *cancelled)
{
    struct reply *reply = job->reply;
    const char *verdict;

    if (!record_call(recorder, id, job->tool, job->size)) {
        sandbox_explain(sandbox, job->tool, BREACH_RECORD, false, reply);
        return;
    }
    run_job(sandbox, call_tool, job, cancelled);
    verdict = reply->breach != BREACH_NONE ? verdict_of(reply->breach)
              : reply->is_error            ? reply->code
                                           : "ok";
    if (!record_call_end(recorder, verdict, breach_words[reply->breach], reply->text.size))
        reply->breach = BREACH_RECORD;
}

void sandbox_call(struct sandbox *sandbox, uint64_t id, const char *tool, const char *args,
                  size_t size, const atomic_bool *cancelled, const struct listener *listener,
                  struct reply *reply)
{
    struct call_job job = {.tool = tool, .args = args, .size = size, .reply = reply};
    const struct listener nobody = {0};

    sandbox->host.budget.listener = listener == NULL ? nobody : *listener;
    if (sandbox->host.recorder == NULL)
        run_job(sandbox, call_tool, &job, cancelled);
    else
        call_recorded(sandbox, sandbox->host.recorder, id, &job, cancelled);
}
