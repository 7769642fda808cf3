/* SPDX-License-Identifier: MIT */
/* A function runs in the state that makes the call, above the frame that made it. Nothing that Lua raises
 * there may leave it: croft_call stands between. */
#include "host_functions.h"

#include <string.h>

#include <lauxlib.h>

/* The user values: the list of functions, and the array of these, which croft_function.user points to. */
enum { RUNS = 1, ENTRIES = 2 };

struct entry {
    lua_State *const *caller;
    lua_Integer index; /* in the list of functions */
};

/* ---- a call of one ----------------------------------------------------------------------------- */

struct job {
    lua_Integer index;
    const char *json;
    size_t size;
    croft_reply *reply;
};

/* The kind that a word stands for; CROFT_INTERNAL for none. */
static croft_status status_of(const char *word)
{
    for (croft_status status = CROFT_MISSING; status < CROFT_INTERNAL; status++)
        if (strcmp(croft_status_word(status), word) == 0)
            return status;
    return CROFT_INTERNAL;
}

/* The error at the top is a table with `code` and `message`, or anything. */
static void reply_error(lua_State *L, croft_reply *reply)
{
    croft_status code = CROFT_INTERNAL;

    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "code");
        lua_getfield(L, -2, "message");
        if (lua_type(L, -2) == LUA_TSTRING)
            code = status_of(lua_tostring(L, -2));
        lua_remove(L, -2);
        if (lua_isnil(L, -1))
            lua_pop(L, 1);
    }
    croft_reply_error(reply, code, luaL_tolstring(L, -1, NULL));
}

/* Protected: (job, session) */
static int run(lua_State *L)
{
    struct job *job = lua_touserdata(L, 1);
    size_t size;
    const char *json;

    lua_getiuservalue(L, 2, RUNS);
    lua_rawgeti(L, -1, job->index);
    lua_pushlstring(L, job->json, job->size);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        reply_error(L, job->reply);
        return 0;
    }
    json = luaL_checklstring(L, -1, &size);
    croft_reply_json(job->reply, json, size);
    return 0;
}

static void call(void *user, const char *json, size_t size, croft_reply *reply)
{
    const struct entry *entry = user;
    lua_State *L = *entry->caller;
    struct job job = {entry->index, json, size, reply};

    if (L == NULL || !lua_checkstack(L, 3)) {
        croft_reply_error(reply, CROFT_INTERNAL, "cannot run: Lua has no room for it");
        return;
    }
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, &job);
    lua_pushvalue(L, 1); /* the session */
    if (lua_pcall(L, 2, 0, 0) == LUA_OK)
        return;
    croft_reply_error(reply, CROFT_INTERNAL, "failed, and so did telling how");
    lua_pop(L, 1);
}

/* ---- the option -------------------------------------------------------------------------------- */

/* The string `name` of the table at the top, which keeps it. */
static const char *get_text(lua_State *L, const char *name)
{
    size_t size = 0;
    const char *text = NULL;

    if (lua_getfield(L, -1, name) == LUA_TSTRING)
        text = lua_tolstring(L, -1, &size);
    if (text == NULL || strlen(text) != size)
        luaL_error(L, "functions: each needs a %s that is a text without NUL", name);
    lua_pop(L, 1);
    return text;
}

/* Takes the one at the top. `runs` is the index of the list of functions. */
static void take_one(lua_State *L, int runs, croft_function *function, struct entry *entry)
{
    luaL_checktype(L, -1, LUA_TTABLE);
    function->name = get_text(L, "name");
    function->description = get_text(L, "description");
    function->callback = call;
    function->user = entry;
    if (lua_getfield(L, -1, "run") != LUA_TFUNCTION)
        luaL_error(L, "functions: %s is not a function", function->name);
    lua_rawseti(L, runs, entry->index);
}

void host_functions_take(lua_State *L, int index, int session, lua_State *const *caller,
                         croft_session_options *options)
{
    int list = lua_gettop(L) + 1, runs = list + 1;
    croft_function *functions;
    struct entry *entries;
    size_t count;

    if (lua_isnil(L, index) || lua_getfield(L, index, "functions") == LUA_TNIL)
        return;
    luaL_checktype(L, list, LUA_TTABLE);
    count = (size_t)lua_rawlen(L, list);
    lua_createtable(L, (int)count, 0);
    entries = lua_newuserdatauv(L, (count + 1) * sizeof *entries, 0);
    functions = lua_newuserdatauv(L, (count + 1) * sizeof *functions, 0);
    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct entry){caller, (lua_Integer)i + 1};
        lua_rawgeti(L, list, entries[i].index);
        take_one(L, runs, &functions[i], &entries[i]);
        lua_pop(L, 1);
    }
    lua_pushvalue(L, runs);
    lua_setiuservalue(L, session, RUNS);
    lua_pushvalue(L, runs + 1);
    lua_setiuservalue(L, session, ENTRIES);
    options->functions = functions;
    options->function_count = count;
}
