/* SPDX-License-Identifier: MIT */
/* Where a call stands still, and where it goes from there. */
#include "bind/debug.h"

#include <stdlib.h>
#include <string.h>

#include "trail.h"

/* ---- places ------------------------------------------------------------------------------------ */

/* Croft's own Lua, which stepping passes over. */
static bool is_inside(const char *source)
{
    static const char own[] = "@lua/croft/";

    return strncmp(source, own, sizeof own - 1) == 0;
}

void debug_copy_file(const char *source, char *file, size_t size)
{
    const char *text = source + (*source == '@' || *source == '=');
    size_t length = strcspn(text, "\n");

    if (length > size - 1)
        length = size - 1;
    memcpy(file, text, length);
    file[length] = '\0';
}

bool debug_site(lua_State *L, int level, char *file, size_t size, int *line)
{
    bool found = false;
    lua_Debug ar;

    *file = '\0';
    *line = 0;
    for (bool is_first = true; lua_getstack(L, level, &ar); level++, is_first = false) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline < 0 || (found && is_inside(ar.source)))
            continue;
        debug_copy_file(ar.source, file, size);
        *line = ar.currentline;
        found = true;
        if (is_first || !is_inside(ar.source))
            break;
    }
    return found;
}

static int depth_of(lua_State *L)
{
    lua_Debug ar;
    int low = 0, high = 1;

    while (lua_getstack(L, high, &ar)) {
        low = high;
        high *= 2;
    }
    while (low < high) { /* the first level that is not there */
        int middle = low + (high - low) / 2;

        if (lua_getstack(L, middle, &ar))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- standing still ---------------------------------------------------------------------------- */

static void begin_move(struct croft_debug *debug, lua_State *L, croft_debug_move move, int line)
{
    lua_Debug ar;

    debug->move = move;
    debug->move_threads = debug->thread_count;
    debug->move_depth = depth_of(L) - debug->hidden;
    debug->move_inside = false;
    debug->until_line = line;
    debug->until_file[0] = '\0';
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline < 0)
            continue;
        debug->move_inside = is_inside(ar.source);
        debug_copy_file(ar.source, debug->until_file, sizeof debug->until_file);
        break;
    }
}

void debug_pass_time(struct croft_debug *debug, uint64_t since_ns)
{
    struct bind_host *host = debug->host;
    uint64_t nanoseconds = clock_ns() - since_ns;

    debug->paused_ns += nanoseconds;
    debug->profile.since_ns += nanoseconds;
    host->budget.started_ns += nanoseconds;
    host->budget.deadline_ns += nanoseconds;
    record_shift(host->recorder, nanoseconds);
}

static croft_debug_move ask(struct croft_debug *debug, lua_State *L, croft_debug_stop *stop,
                            int *line)
{
    char file[DEBUG_FILE];
    croft_debug_move move;

    debug_site(L, debug->hidden, file, sizeof file, &stop->line);
    stop->file = file;
    debug->has_run = false;
    move = debug->callbacks.stopped(debug->callbacks.user, stop, line);
    if (debug->has_run) /* garbage of ours is not the call's */
        lua_gc(L, LUA_GCCOLLECT);
    return move;
}

void debug_stop(struct croft_debug *debug, lua_State *L, const char *why, int point,
                const char *text, int hidden)
{
    struct bind_host *host = debug->host;
    croft_debug_stop stop = {.why = why, .point = point, .text = text};
    uint64_t started = clock_ns();
    bool armed = host->armed;
    croft_debug_move move;
    int line = 0;

    host->armed = false;
    debug->stopped = L;
    debug->hidden = hidden;
    move = ask(debug, L, &stop, &line);
    begin_move(debug, L, move, line);
    debug->stopped = NULL;
    debug->hidden = 0;
    host->armed = armed;
    debug_pass_time(debug, started);
    if (move == CROFT_DEBUG_ABORT && armed)
        bind_trap(host, BREACH_CANCELLED);
}

/* Stands still if there is a breakpoint for what is at hand. */
static bool stop_at(struct croft_debug *debug, lua_State *L, croft_debug_kind kind,
                    const char *name, int line, const char *why, const char *text, int hidden)
{
    struct bytes *fault = &debug->fault;
    const struct debug_point *point;

    bytes_free(fault);
    debug->hidden = hidden;
    point = debug_find_point(debug, L, kind, name, line, fault);
    debug->hidden = 0;
    if (point != NULL)
        debug_stop(debug, L, why, point->number, fault->size > 0 ? bytes_end(fault) : text, hidden);
    return point != NULL;
}

/* ---- lines and calls --------------------------------------------------------------------------- */

/* Whether the move that was asked for ends at the line that comes next. */
static bool has_arrived(const struct croft_debug *debug, lua_State *L, const char *source,
                        const char *file, int line)
{
    size_t threads = debug->thread_count;
    int depth;

    if (debug->move == CROFT_DEBUG_CONTINUE)
        return false;
    if (debug->move == CROFT_DEBUG_UNTIL)
        return line == debug->until_line && strcmp(file, debug->until_file) == 0;
    if (is_inside(source) && !debug->move_inside)
        return false;
    if (debug->move == CROFT_DEBUG_STEP || threads < debug->move_threads)
        return true;
    if (threads > debug->move_threads)
        return false;
    depth = depth_of(L);
    return debug->move == CROFT_DEBUG_NEXT ? depth <= debug->move_depth : depth < debug->move_depth;
}

static void line_comes(struct croft_debug *debug, lua_State *L, lua_Debug *ar)
{
    int line = ar->currentline, entered = debug->entered;
    bool may_stop = debug_may_stop(debug, CROFT_DEBUG_LINE, line);
    char file[DEBUG_FILE];

    if (!may_stop && !entered && debug->move == CROFT_DEBUG_CONTINUE && !debug->profile.is_on)
        return;
    lua_getinfo(L, "S", ar);
    debug_copy_file(ar->source, file, sizeof file);
    if (debug->profile.is_on)
        debug_profile_line(&debug->profile, file, line);
    debug->entered = 0;
    if (entered &&
        stop_at(debug, L, CROFT_DEBUG_FUNCTION, file, ar->linedefined, "breakpoint", "", 0))
        return;
    if (may_stop && stop_at(debug, L, CROFT_DEBUG_LINE, file, line, "breakpoint", "", 0))
        return;
    if (has_arrived(debug, L, ar->source, file, line))
        debug_stop(debug, L, "step", 0, "", 0);
}

static void call_begins(struct croft_debug *debug, lua_State *L, lua_Debug *ar)
{
    debug->entered = 0;
    if (!debug_may_stop(debug, CROFT_DEBUG_FUNCTION, 0))
        return;
    lua_getinfo(L, "S", ar);
    debug->entered =
        ar->linedefined > 0 && debug_may_stop(debug, CROFT_DEBUG_FUNCTION, ar->linedefined);
}

void debug_hook(lua_State *L, lua_Debug *event)
{
    struct croft_debug *debug = bind_host(L)->debug;

    if (debug->host == NULL || debug->stopped != NULL)
        return;
    if (event->event == LUA_HOOKLINE)
        line_comes(debug, L, event);
    else
        call_begins(debug, L, event);
}

/* ---- primitives and errors --------------------------------------------------------------------- */

void debug_primitive(lua_State *L, const char *name)
{
    struct croft_debug *debug = bind_host(L)->debug;
    struct recorder *recorder = bind_host(L)->recorder;

    if (debug == NULL || debug->host == NULL || debug->stopped != NULL)
        return;
    if (debug_may_stop(debug, CROFT_DEBUG_PRIMITIVE, 0))
        stop_at(debug, L, CROFT_DEBUG_PRIMITIVE, name, 0, "primitive", name, 0);
    debug_site(L, 1, recorder->file, sizeof recorder->file, &recorder->line);
}

/* What a reader is told of the error at the top: a text as it is, a structured one by its fields. */
static void describe(lua_State *L, struct bytes *out)
{
    size_t size;
    const char *text;

    if (lua_type(L, -1) == LUA_TSTRING) {
        text = lua_tolstring(L, -1, &size);
        bytes_add(out, text, size);
    } else {
        debug_show(L, -1, KIB, out);
    }
}

void debug_error(lua_State *L, int hidden)
{
    struct croft_debug *debug = bind_host(L)->debug;
    bool is_refusal;
    croft_debug_kind kind;

    if (debug == NULL || debug->host == NULL || debug->stopped != NULL || !lua_checkstack(L, 8))
        return;
    is_refusal = bind_is_error(L, -1);
    kind = is_refusal ? CROFT_DEBUG_REFUSAL : CROFT_DEBUG_ERROR;
    if (!debug_may_stop(debug, kind, 0) ||
        (lua_istable(L, -1) && lua_topointer(L, -1) == debug->last_error))
        return;
    debug->last_error = lua_topointer(L, -1);
    bytes_free(&debug->error);
    describe(L, &debug->error);
    stop_at(debug, L, kind, "", 0, is_refusal ? "refusal" : "error", bytes_end(&debug->error),
            hidden);
}

/* ---- calls and coroutines ---------------------------------------------------------------------- */

void debug_begin_call(struct croft_debug *debug, struct bind_host *host, lua_State *L)
{
    if (debug == NULL)
        return;
    debug->host = host;
    debug->threads[0] = L;
    debug->thread_count = 1;
    debug->paused_ns = 0;
    debug->move = CROFT_DEBUG_CONTINUE;
    debug->entered = 0;
    debug->last_error = NULL;
}

void debug_end_call(struct croft_debug *debug)
{
    if (debug == NULL)
        return;
    debug_profile_end(&debug->profile);
    debug->host = NULL;
    debug->thread_count = 0;
}

void debug_enter(lua_State *co)
{
    struct croft_debug *debug = bind_host(co)->debug;

    if (debug != NULL && debug->stopped == NULL && debug->thread_count < DEBUG_THREADS)
        debug->threads[debug->thread_count++] = co;
}

void debug_leave(lua_State *co)
{
    struct croft_debug *debug = bind_host(co)->debug;

    if (debug != NULL && debug->stopped == NULL && debug->thread_count > 1 &&
        debug->threads[debug->thread_count - 1] == co)
        debug->thread_count--;
}
