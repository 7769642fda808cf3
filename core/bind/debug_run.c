/* SPDX-License-Identifier: MIT */
/* Lua that is run in a frame of a call that stands still. */
#include <string.h>

#include "bind/debug.h"

enum { RUN_STEPS = 1000 * 1000, RUN_MILLISECONDS = 1000, HOOK_STEPS = 16 };

/* ---- names ------------------------------------------------------------------------------------- */

/* What names mean: in a userdata, as a function that was made here may outlive the frame. */
struct scope {
    lua_State *L; /* whose frame it is; NULL once that may be gone */
    lua_Debug ar;
};

/* The last local of that name that is in scope; 0: none. */
static int find_local(struct scope *scope, const char *name)
{
    const char *found;
    int last = 0;

    for (int n = 1; (found = lua_getlocal(scope->L, &scope->ar, n)) != NULL; n++) {
        lua_pop(scope->L, 1);
        if (strcmp(found, name) == 0)
            last = n;
    }
    return last;
}

/* Pushes the frame's function on its stack, and gives the number of the upvalue of that name; 0: none. */
static int find_upvalue(struct scope *scope, const char *name)
{
    const char *found;

    lua_getinfo(scope->L, "f", &scope->ar);
    for (int n = 1; (found = lua_getupvalue(scope->L, -1, n)) != NULL; n++) {
        lua_pop(scope->L, 1);
        if (strcmp(found, name) == 0)
            return n;
    }
    return 0;
}

static struct scope *live_scope(lua_State *L, int name)
{
    struct scope *scope = lua_touserdata(L, lua_upvalueindex(1));

    if (scope->L == NULL || lua_type(L, name) != LUA_TSTRING || !lua_checkstack(scope->L, 4))
        return NULL;
    return scope;
}

/* Pushes what the name means in the frame; false, and nothing, when it is no local or upvalue. */
static bool push_named(lua_State *L, struct scope *scope, const char *name)
{
    int local = find_local(scope, name), upvalue;

    if (local != 0) {
        lua_getlocal(scope->L, &scope->ar, local);
        lua_xmove(scope->L, L, 1);
        return true;
    }
    upvalue = find_upvalue(scope, name);
    if (upvalue != 0) {
        lua_getupvalue(scope->L, -1, upvalue);
        lua_xmove(scope->L, L, 1);
    }
    lua_pop(scope->L, 1);
    return upvalue != 0;
}

/* Upvalues: the scope, and the globals. */
static int scope_read(lua_State *L)
{
    struct scope *scope = live_scope(L, 2);

    if (scope != NULL && push_named(L, scope, lua_tostring(L, 2)))
        return 1;
    lua_settop(L, 2);
    lua_gettable(L, lua_upvalueindex(2));
    return 1;
}

static int scope_write(lua_State *L)
{
    struct scope *scope = live_scope(L, 2);
    const char *name = scope == NULL ? "" : lua_tostring(L, 2);
    int local = scope == NULL ? 0 : find_local(scope, name);
    int upvalue = 0;

    lua_settop(L, 3);
    if (local != 0) {
        lua_xmove(L, scope->L, 1);
        lua_setlocal(scope->L, &scope->ar, local);
        return 0;
    }
    if (scope != NULL && (upvalue = find_upvalue(scope, name)) != 0) {
        lua_xmove(L, scope->L, 1);
        lua_setupvalue(scope->L, -2, upvalue);
    }
    if (scope != NULL)
        lua_pop(scope->L, 1);
    if (upvalue == 0)
        return luaL_error(L, "there is no local or upvalue '%s' here",
                          lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?");
    return 0;
}

/* Pushes the globals of the frame's function; those of tools, where it has none. */
static void push_globals(lua_State *L, struct scope *scope)
{
    if (!push_named(L, scope, "_ENV"))
        lua_getfield(L, LUA_REGISTRYINDEX, BIND_TOOL_ENV);
}

/* Pushes the environment of the frame, and leaves its scope below. */
static struct scope *push_environment(lua_State *L, lua_State *of, const lua_Debug *ar)
{
    struct scope *scope = lua_newuserdatauv(L, sizeof *scope, 0);
    int at = lua_gettop(L);

    scope->L = of;
    scope->ar = *ar;
    lua_newtable(L);
    lua_createtable(L, 0, 2);
    push_globals(L, scope);
    lua_pushvalue(L, at);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, scope_read, 2);
    lua_setfield(L, -3, "__index");
    lua_pop(L, 1);
    lua_pushvalue(L, at);
    lua_pushcclosure(L, scope_write, 1);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, -2);
    return scope;
}

/* ---- its budget -------------------------------------------------------------------------------- */

/* From the first breach on each instruction raises, so that no pcall goes on. */
static void count_hook(lua_State *L, lua_Debug *unused)
{
    struct bind_host *host = bind_host(L);
    size_t used = (size_t)lua_gc(L, LUA_GCCOUNT) * KIB;

    (void)unused;
    if (budget_spend(&host->budget, HOOK_STEPS) && used <= host->limits->heap)
        return;
    host->budget.steps_left = 0;
    lua_sethook(L, count_hook, LUA_MASKCOUNT, 1);
    luaL_error(L, used > host->limits->heap
                      ? "the evaluation takes more memory than a call may"
                      : "the evaluation takes more than 1 000 000 steps or a second");
}

/* What the evaluation must not touch in the call. */
struct kept {
    struct budget budget;
    bool was_muted;
};

static void set_aside(struct bind_host *host, struct kept *kept)
{
    kept->budget = host->budget;
    kept->was_muted = host->recorder->is_muted;
    budget_start(&host->budget, RUN_STEPS, RUN_MILLISECONDS, kept->budget.cancelled);
    host->recorder->is_muted = true;
    host->is_evaluating = true;
}

static void put_back(struct bind_host *host, const struct kept *kept)
{
    host->is_evaluating = false;
    host->recorder->is_muted = kept->was_muted;
    host->budget = kept->budget;
}

/* ---- running it -------------------------------------------------------------------------------- */

struct run_job {
    lua_State *of;
    lua_Debug ar;
    const char *text;
    size_t size, most;
    bool good, cut;
    struct bytes *out;
};

bool debug_compile(lua_State *L, const char *text, size_t size)
{
    int top = lua_gettop(L);

    lua_pushliteral(L, "return ");
    lua_pushlstring(L, text, size);
    lua_concat(L, 2);
    if (luaL_loadbufferx(L, lua_tostring(L, -1), size + 7, "=input", "t") != LUA_OK) {
        lua_settop(L, top);
        if (luaL_loadbufferx(L, text, size, "=input", "t") != LUA_OK)
            return false;
    }
    if (lua_gettop(L) > top + 1)
        lua_remove(L, top + 1);
    return true;
}

/* The values, or the error, that `runner` has from index `from` on. */
static void take_values(lua_State *runner, int from, struct run_job *job)
{
    size_t size;
    const char *text;

    if (job->good || lua_type(runner, -1) != LUA_TSTRING) {
        job->cut = debug_show_all(runner, from, job->most, job->out);
        return;
    }
    text = lua_tolstring(runner, -1, &size);
    job->cut = size > job->most;
    bytes_add(job->out, text, job->cut ? job->most : size);
}

static int run(lua_State *L)
{
    struct run_job *job = lua_touserdata(L, 1);
    lua_State *runner = lua_newthread(L);
    struct scope *scope;
    int from;

    luaL_checkstack(runner, 20, NULL);
    lua_sethook(runner, count_hook, LUA_MASKCOUNT, HOOK_STEPS);
    scope = push_environment(runner, job->of, &job->ar);
    from = lua_gettop(runner) + 1;
    job->good = debug_compile(runner, job->text, job->size);
    if (job->good) {
        lua_pushvalue(runner, from - 1);
        lua_setupvalue(runner, -2, 1); /* a chunk always has _ENV */
        job->good = lua_pcall(runner, 0, LUA_MULTRET, 0) == LUA_OK;
    }
    scope->L = NULL;
    take_values(runner, from, job);
    return 0;
}

bool debug_run(struct croft_debug *debug, size_t frame, const char *text, size_t size, size_t most,
               bool *cut, struct bytes *out)
{
    struct run_job job = {.text = text, .size = size, .most = most, .out = out};
    struct bind_host *host = debug->host;
    struct kept kept;

    *cut = false;
    if (!debug_frame(debug, frame, &job.of, &job.ar)) {
        bytes_add_text(out, "there is no such frame");
        return false;
    }
    debug->has_run = true;
    set_aside(host, &kept);
    if (!debug_protected(debug->stopped, run, &job)) {
        job.good = false;
        bytes_clear(out);
        bytes_add_text(out, "there is no memory or stack left for it");
    }
    put_back(host, &kept);
    *cut = job.cut;
    return job.good;
}

bool croft_debug_run(croft_debug *debug, size_t frame, const char *text, size_t size, size_t most,
                     bool *cut, croft_debug_sink *sink, void *user)
{
    struct bytes out = {0};
    bool good = false;

    *cut = false;
    if (debug->stopped == NULL)
        bytes_add_text(&out, "no call stands still");
    else
        good = debug_run(debug, frame, text, size, most, cut, &out);
    bytes_end(&out);
    sink(user, out.size == 0 ? "" : out.data, out.size);
    bytes_free(&out);
    return good;
}
