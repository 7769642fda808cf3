/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/fs.h"
#include "require.h"
#include "sandbox_parts.h"

enum {
    HOOK_STEPS = 1000,
    LOG_BYTES = 16 * KIB, /* that one call may log */
    LOAD_MILLISECONDS = 5000
};

#define CALLS "croft.calls" /* registry key of what croft.call returned */

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

/* Nothing of the state is run any more: what C owns is closed, then its memory goes as a whole. */
static void drop(struct sandbox *sandbox)
{
    enum breach breach = sandbox->host.budget.breach;

    if (sandbox->host.recorder != NULL)
        record_end(sandbox->host.recorder, breach_verdict(breach), breach_word(breach));
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

enum run_end sandbox_run(struct sandbox *sandbox, lua_CFunction body, void *job,
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

void sandbox_push_entry(lua_State *L, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, CALLS);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static void take_text(lua_State *L, int index, struct bytes *out)
{
    size_t size;
    const char *text = luaL_checklstring(L, index, &size);

    bytes_clear(out);
    bytes_add(out, text, size);
}

static void take_list(lua_State *L, struct bytes *tools, struct bytes *known)
{
    sandbox_push_entry(L, "list");
    lua_call(L, 0, 2);
    take_text(L, -2, tools);
    take_text(L, -1, known);
    lua_pop(L, 2);
}

static int load_tools(lua_State *L)
{
    const struct load_job *job = lua_touserdata(L, 1);
    const struct sandbox_options *options = &job->sandbox->options;

    lua_gc(L, LUA_GCSTOP); /* what loading makes stays: nothing to collect yet */
    environment_make(L, options->sources);
    fs_push(L, false);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_READ);
    fs_push(L, true);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX_FS_WRITE);
    require_module(L, "croft.call");
    lua_setfield(L, LUA_REGISTRYINDEX, CALLS);
    sandbox_push_entry(L, "load");
    push_tool_names(L, options->sources);
    lua_pushstring(L, options->prefix);
    if (job->tools == NULL)
        lua_pushlstring(L, options->known->size == 0 ? "" : options->known->data,
                        options->known->size);
    lua_call(L, job->tools == NULL ? 3 : 2, 0);
    if (job->tools != NULL)
        take_list(L, job->tools, options->known);
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
                 .functions = options->functions,
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
    end = sandbox_run(sandbox, load_tools, &job, &message);
    if (end != RUN_DONE)
        status = load_error(&sandbox->host, end, &message, err);
    else if (tools != NULL && (tools->failed || options->known->failed))
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

bool sandbox_is_full(struct sandbox *sandbox)
{
    const struct heap *heap = &sandbox->heap;

    if (sandbox->L != NULL && heap->used > heap->limit / 2)
        lua_gc(sandbox->L, LUA_GCCOLLECT);
    return heap->used > heap->limit / 2;
}
