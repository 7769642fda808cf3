/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/artifacts.h"
#include "bind/fs.h"
#include "bind/overrun.h"
#include "bind/pace.h"
#include "regex.h"
#include "require.h"
#include "sandbox_parts.h"

enum { LOG_BYTES = 16 * KIB /* that one call may log */ };

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
    size_t used = heap->used + sandbox->host.held;

    if (used < heap->limit / 2 || used < sandbox->collected + heap->limit / 8)
        return;
    lua_gc(L, LUA_GCCOLLECT);
    sandbox->collected = heap->used + sandbox->host.held;
}

static void count_hook(lua_State *L, lua_Debug *event)
{
    struct bind_host *host = bind_host(L);

    if (host->debug == NULL)
        overrun_hooked(L);
    if (event->event != LUA_HOOKCOUNT) {
        if (host->debug != NULL)
            debug_hook(L, event);
        return;
    }
    collect_early((struct sandbox *)((char *)host - offsetof(struct sandbox, host)), L);
    bind_look(L, (uint64_t)lua_gethookcount(L)); /* each may have compared megabytes */
    pace_next(L);
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
        overrun_end(host);
        drop(sandbox);
        return RUN_TRAPPED;
    }
    overrun_release(host); /* one that was left by a trap */
    heap_relax(&sandbox->heap);
    host->armed = true;
    host->log_left = LOG_BYTES;
    memset(&host->links, 0, sizeof host->links);
    pace_enter(L);
    lua_settop(L, 0);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, job);
    status = lua_pcall(L, 1, 0, 0);
    overrun_end(host);
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

void sandbox_push_modules(lua_State *L, const struct sources *sources)
{
    lua_Integer count = 0;

    lua_newtable(L);
    lua_newtable(L);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (!source->is_tool || source->is_left_out)
            continue;
        lua_pushstring(L, source->module);
        lua_rawseti(L, -3, ++count);
        lua_pushstring(L, source->chunk + 1);
        lua_setfield(L, -2, source->module);
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

/* Calls croft.call's load, and gathers what is wrong. `again`: for another than the first interpreter. */
static void load_modules(lua_State *L, const struct sandbox_options *options, bool again)
{
    size_t size;
    const char *problems;

    sandbox_push_entry(L, "load");
    sandbox_push_modules(L, options->sources);
    lua_pushstring(L, options->prefix);
    lua_insert(L, -2);
    if (again)
        lua_pushlstring(L, options->known->size == 0 ? "" : options->known->data,
                        options->known->size);
    lua_call(L, again ? 4 : 3, 2);
    problems = luaL_checklstring(L, -2, &size);
    if (!again) {
        problems_add(options->problems, problems, size);
        options->problems->are_fatal |= lua_toboolean(L, -1);
    }
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
    artifacts_push(L, false);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX_ARTIFACTS_READ);
    artifacts_push(L, true);
    lua_setfield(L, LUA_REGISTRYINDEX, SANDBOX_ARTIFACTS_WRITE);
    require_module(L, "croft.call");
    lua_setfield(L, LUA_REGISTRYINDEX, CALLS);
    load_modules(L, options, job->tools == NULL);
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
    sandbox->heap.L = sandbox->L;
    lua_gc(sandbox->L, LUA_GCINC, HEAP_PAUSE, 400, 0);
    lua_sethook(sandbox->L, count_hook,
                LUA_MASKCOUNT | (sandbox->options.debug == NULL ? 0 : DEBUG_MASK), PACE_MOST);
    return true;
}

static void free_blocks(struct sandbox *sandbox)
{
    recorder_free(sandbox->host.recorder);
    if (sandbox->host.room != NULL)
        bind_room_clear(sandbox->host.room);
    free(sandbox->host.room);
    match_room_free(sandbox->host.match_room);
    free(sandbox->gated);
    free(sandbox);
}

/* Permits change from call to call, and the root is everybody's. */
static bool copy_root(struct sandbox *sandbox, const struct sandbox_options *options)
{
    sandbox->host.root = options->view->root;
    if (!options->is_gated)
        return true;
    sandbox->gated = malloc(sizeof *sandbox->gated);
    if (sandbox->gated == NULL)
        return false;
    memcpy(sandbox->gated, options->view->root, sizeof *sandbox->gated);
    sandbox->gated->permit = &permit_nothing;
    sandbox->host.root = sandbox->gated;
    return true;
}

/* Somebody is to be told what calls do. */
static bool open_recorder(const struct sandbox_options *options, struct bind_host *host)
{
    if (options->audit == NULL && options->debug == NULL)
        return true;
    host->recorder = recorder_new(options->audit, options->audit_user);
    if (host->recorder != NULL && options->debug != NULL)
        host->recorder->watch = &options->debug->watch;
    return host->recorder != NULL;
}

static struct sandbox *allocate(const struct sandbox_options *options)
{
    struct sandbox *sandbox = malloc(sizeof *sandbox);
    struct sandbox start = {
        .options = *options,
        .host = {.view = options->view,
                 .limits = options->limits,
                 .turns = options->turns,
                 .artifacts = options->artifacts,
                 .staging = options->staging,
                 .pages = options->pages,
                 .functions = options->functions,
                 .debug = options->debug,
                 .log = options->log,
                 .log_user = options->log_user},
        .heap = {.limit = options->limits->heap},
    };

    if (sandbox == NULL)
        return NULL;
    memcpy(sandbox, &start, sizeof start);
    sandbox->heap.host = &sandbox->host;
    sandbox->host.room = malloc(sizeof *sandbox->host.room);
    if (sandbox->host.room != NULL)
        bind_room_init(sandbox->host.room);
    if (copy_root(sandbox, options) && open_recorder(options, &sandbox->host) &&
        sandbox->host.room != NULL)
        return sandbox;
    free_blocks(sandbox);
    return NULL;
}

croft_status sandbox_load_status(const struct sandbox *sandbox, enum run_end end, bool is_alone,
                                 struct bytes *message, croft_error *err)
{
    const char *loading = sandbox->host.loading;

    if (end == RUN_DONE)
        return CROFT_OK;
    if (end == RUN_ERROR) {
        if (is_alone)
            problems_add(sandbox->options.problems, message->data, message->size);
        return fail_format(err, CROFT_BAD_ARGUMENT, 0, "%.1000s", bytes_end(message));
    }
    if (is_alone)
        sandbox->options.problems->culprit = loading;
    return fail_format(err, CROFT_STOPPED, 0, "loading %.600s took more than it may",
                       loading == NULL ? "the tools" : loading + 1);
}

/* Whether the session may not begin with what was found. */
static croft_status problems_status(const struct sandbox *sandbox, croft_error *err)
{
    const struct problems *problems = sandbox->options.problems;

    if (problems->count > 0 && (!sandbox->options.is_lenient || problems->are_fatal))
        return problems_fail(problems, err);
    return CROFT_OK;
}

void sandbox_start_own(struct sandbox *sandbox)
{
    uint64_t steps = sandbox->options.limits->steps;

    budget_start(&sandbox->host.budget, steps > OWN_STEPS ? steps : OWN_STEPS, OWN_MILLISECONDS,
                 NULL);
}

croft_status sandbox_make(const struct sandbox_options *options, struct sandbox **out,
                          croft_error *err)
{
    struct sandbox *sandbox = allocate(options);

    if (sandbox == NULL || !open_state(sandbox)) {
        sandbox_free(sandbox);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    sandbox_start_own(sandbox);
    *out = sandbox;
    return CROFT_OK;
}

croft_status sandbox_new(const struct sandbox_options *options, struct sandbox **out,
                         struct bytes *tools, croft_error *err)
{
    struct sandbox *sandbox = NULL;
    struct load_job job = {.tools = tools};
    struct bytes message = {0};
    croft_status status = sandbox_make(options, &sandbox, err);
    enum run_end end;

    if (status != CROFT_OK || sandbox == NULL)
        return status;
    job.sandbox = sandbox;
    end = sandbox_run(sandbox, load_tools, &job, &message);
    status = sandbox_load_status(sandbox, end, tools != NULL, &message, err);
    if (status == CROFT_OK && tools != NULL)
        status = problems_status(sandbox, err);
    if (status == CROFT_OK && tools != NULL && (tools->failed || options->known->failed))
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
    free_blocks(sandbox);
}

bool sandbox_is_full(struct sandbox *sandbox)
{
    const struct heap *heap = &sandbox->heap;
    const size_t *held = &sandbox->host.held;

    if (sandbox->L != NULL && heap->used + *held > heap->limit / 2)
        lua_gc(sandbox->L, LUA_GCCOLLECT);
    return heap->used + *held > heap->limit / 2 || heap->small.held > heap->limit / 2;
}
