/* SPDX-License-Identifier: MIT */
/* The frames of a call that stands still, and the variables in them. */
#include <string.h>

#include "bind/debug.h"
#include "json_scan.h"

#define THREAD "croft.debug.thread"

/* ---- our own work ------------------------------------------------------------------------------ */

/* One thread for each interpreter. NULL when there is no room on the stack of L. */
static lua_State *own_thread(lua_State *L)
{
    lua_State *own;

    if (!lua_checkstack(L, 8))
        return NULL;
    lua_getfield(L, LUA_REGISTRYINDEX, THREAD);
    own = lua_tothread(L, -1);
    if (own == NULL) {
        own = lua_newthread(L);
        lua_sethook(own, NULL, 0, 0);
        lua_setfield(L, LUA_REGISTRYINDEX, THREAD);
    }
    lua_pop(L, 1);
    return own;
}

bool debug_protected(lua_State *L, lua_CFunction body, void *job)
{
    lua_State *own = own_thread(L);
    bool good;

    if (own == NULL)
        return false;
    lua_settop(own, 0);
    lua_pushcfunction(own, body);
    lua_pushlightuserdata(own, job);
    good = lua_pcall(own, 1, 0, 0) == LUA_OK;
    lua_settop(own, 0);
    return good;
}

/* ---- frames ------------------------------------------------------------------------------------ */

bool debug_frame(const struct croft_debug *debug, size_t index, lua_State **L, lua_Debug *ar)
{
    for (size_t thread = debug->thread_count; thread-- > 0;) {
        bool is_top = thread + 1 == debug->thread_count;

        *L = debug->threads[thread];
        for (int level = is_top ? debug->hidden : 0; lua_getstack(*L, level, ar); level++)
            if (index-- == 0)
                return true;
    }
    return false;
}

size_t debug_first_frame(const struct croft_debug *debug)
{
    char file[DEBUG_FILE], other[DEBUG_FILE];
    int line;
    lua_State *L;
    lua_Debug ar;

    if (!debug_site(debug->threads[debug->thread_count - 1], debug->hidden, file, sizeof file,
                    &line))
        return 0;
    for (size_t index = 0; debug_frame(debug, index, &L, &ar); index++) {
        lua_getinfo(L, "Sl", &ar);
        debug_copy_file(ar.source, other, sizeof other);
        if (ar.currentline == line && strcmp(other, file) == 0)
            return index;
    }
    return 0;
}

static void add_text(struct bytes *out, const char *key, const char *text)
{
    bytes_add_text(out, key);
    json_quote(out, text, strlen(text));
}

static void add_frame(struct bytes *out, lua_State *L, lua_Debug *ar, size_t thread)
{
    char file[DEBUG_FILE] = "";

    lua_getinfo(L, "nSl", ar);
    if (ar->currentline >= 0)
        debug_copy_file(ar->source, file, sizeof file);
    add_text(out, "{\"file\":", file);
    bytes_add_text(out, ",\"line\":");
    bytes_add_number(out, ar->currentline < 0 ? 0 : (uint64_t)ar->currentline);
    add_text(out, ",\"name\":", ar->name == NULL ? "" : ar->name);
    add_text(out, ",\"what\":", ar->what);
    bytes_add_text(out, ",\"defined\":");
    bytes_add_number(out, ar->linedefined < 0 ? 0 : (uint64_t)ar->linedefined);
    bytes_add_text(out, ",\"thread\":");
    bytes_add_number(out, thread);
    bytes_add_char(out, '}');
}

static size_t thread_of(const struct croft_debug *debug, const lua_State *L)
{
    for (size_t i = 0; i < debug->thread_count; i++)
        if (debug->threads[i] == L)
            return i;
    return 0;
}

bool croft_debug_frames(croft_debug *debug, croft_debug_sink *sink, void *user)
{
    struct bytes out = {0};
    lua_State *L;
    lua_Debug ar;

    if (debug->stopped == NULL)
        return false;
    bytes_add_char(&out, '[');
    for (size_t index = 0; debug_frame(debug, index, &L, &ar); index++) {
        if (index > 0)
            bytes_add_char(&out, ',');
        add_frame(&out, L, &ar, thread_of(debug, L));
    }
    bytes_add_char(&out, ']');
    bytes_end(&out);
    sink(user, out.data, out.size);
    bytes_free(&out);
    return true;
}

/* ---- variables --------------------------------------------------------------------------------- */

struct variables {
    lua_State *L; /* whose frame it is */
    lua_Debug ar;
    size_t most;
    struct bytes *out;
};

/* The value is at the top of L, our own thread; popped. */
static void add_variable(lua_State *L, struct variables *job, const char *name, const char *kind)
{
    struct bytes shown = {0};
    bool cut = debug_show(L, -1, job->most, &shown);

    if (job->out->size > 1)
        bytes_add_char(job->out, ',');
    add_text(job->out, "{\"name\":", name);
    add_text(job->out, ",\"kind\":", kind);
    bytes_add_text(job->out, ",\"value\":");
    json_quote(job->out, bytes_end(&shown), shown.size);
    bytes_add_text(job->out, cut ? ",\"cut\":true}" : ",\"cut\":false}");
    bytes_free(&shown);
    lua_pop(L, 1);
}

static void add_locals(lua_State *L, struct variables *job)
{
    const char *name;

    for (int n = 1; (name = lua_getlocal(job->L, &job->ar, n)) != NULL; n++) {
        lua_xmove(job->L, L, 1);
        add_variable(L, job, name,
                     name[0] == '('         ? "internal"
                     : n <= job->ar.nparams ? "argument"
                                            : "local");
    }
    for (int n = -1; lua_getlocal(job->L, &job->ar, n) != NULL; n--) {
        lua_xmove(job->L, L, 1);
        add_variable(L, job, "...", "argument");
    }
}

static void add_upvalues(lua_State *L, struct variables *job)
{
    const char *name;

    lua_getinfo(job->L, "f", &job->ar);
    lua_xmove(job->L, L, 1);
    for (int n = 1; (name = lua_getupvalue(L, -1, n)) != NULL; n++)
        add_variable(L, job, name, strcmp(name, "_ENV") == 0 ? "internal" : "upvalue");
    lua_pop(L, 1);
}

static int list_variables(lua_State *L)
{
    struct variables *job = lua_touserdata(L, 1);

    luaL_checkstack(L, 10, NULL);
    lua_getinfo(job->L, "u", &job->ar);
    add_locals(L, job);
    add_upvalues(L, job);
    return 0;
}

bool croft_debug_variables(croft_debug *debug, size_t frame, size_t most, croft_debug_sink *sink,
                           void *user)
{
    struct bytes out = {0};
    struct variables job = {.most = most, .out = &out};

    if (debug->stopped == NULL || !debug_frame(debug, frame, &job.L, &job.ar) ||
        !lua_checkstack(job.L, 4))
        return false;
    bytes_add_char(&out, '[');
    if (debug_protected(debug->stopped, list_variables, &job)) {
        bytes_add_char(&out, ']');
        bytes_end(&out);
        sink(user, out.data, out.size);
    }
    bytes_free(&out);
    return true;
}
