/* SPDX-License-Identifier: MIT */
/* The function runs in the state that makes the call, as functions of the host do. */
#include "host_gate.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "host_options.h"

/* ---- requests ---------------------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *name, const char *text)
{
    if (text == NULL)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_count(lua_State *L, const char *name, uint64_t count)
{
    lua_pushinteger(L, (lua_Integer)count);
    lua_setfield(L, -2, name);
}

static void push_paths(lua_State *L, const croft_gate_request *request)
{
    lua_createtable(L, (int)request->path_count, 0);
    for (size_t i = 0; i < request->path_count; i++) {
        lua_pushstring(L, request->paths[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void host_gate_push(lua_State *L, const croft_gate_request *request)
{
    static const char *const effects[] = {
        [CROFT_READS] = "read", [CROFT_WRITES] = "write", [CROFT_SEARCHES] = "search"};

    lua_createtable(L, 0, 12);
    set_count(L, "id", request->id);
    set_count(L, "call", request->call_id);
    set_text(L, "tool", request->tool);
    lua_pushlstring(L, request->args, request->args_size);
    lua_setfield(L, -2, "args");
    set_text(L, "effect", effects[request->effect]);
    push_paths(L, request);
    lua_setfield(L, -2, "paths");
    if (request->content_sha256 != NULL)
        set_count(L, "content_size", request->content_size);
    set_text(L, "content_sha256", request->content_sha256);
    set_text(L, "digest", request->digest);
    set_text(L, "why", request->why);
    set_count(L, "deadline", request->deadline);
    set_count(L, "milliseconds", request->milliseconds);
}

/* ---- verdicts ---------------------------------------------------------------------------------- */

/* The number of the word in the table's field, from `words`, which NULL ends; -1 for what is no such word. */
static int word_of(lua_State *L, int index, const char *const *words)
{
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";

    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static bool take_note(lua_State *L, int index, croft_verdict *verdict)
{
    size_t size;
    const char *note;

    if (lua_type(L, index) != LUA_TSTRING)
        return false;
    note = lua_tolstring(L, index, &size);
    if (size >= sizeof verdict->note || strlen(note) != size)
        return false;
    memcpy(verdict->note, note, size + 1);
    return true;
}

/* One field of a verdict; the value is at the top. */
static bool take_field(lua_State *L, const char *name, croft_verdict *verdict)
{
    static const char *const decisions[] = {"", "allow", "deny", NULL};
    static const char *const scopes[] = {"once", "session", NULL};
    static const char *const causes[] = {"error",     "timeout",  "no_decider",
                                         "cancelled", "too_many", NULL};
    int word;

    if (strcmp(name, "decision") == 0) {
        word = word_of(L, -1, decisions);
        verdict->decision = word > 0 ? (croft_decision)word : CROFT_UNDECIDED;
        return word > 0;
    }
    if (strcmp(name, "scope") == 0) {
        word = word_of(L, -1, scopes);
        verdict->scope = word == 1 ? CROFT_SESSION : CROFT_ONCE;
        return word >= 0;
    }
    if (strcmp(name, "cause") == 0) {
        word = word_of(L, -1, causes);
        verdict->cause = word > 0 ? (croft_undecided)word : CROFT_UNDECIDED_ERROR;
        return word >= 0;
    }
    return strcmp(name, "note") == 0 && take_note(L, -1, verdict);
}

/* The table at `index`. Whatever is not known in it makes it no verdict. `id` is a field of an answer. */
static bool take_verdict(lua_State *L, int index, bool has_id, croft_verdict *verdict)
{
    bool good = lua_istable(L, index);

    memset(verdict, 0, sizeof *verdict);
    for (lua_pushnil(L); good && lua_next(L, index) != 0; lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";

        good = (has_id && strcmp(name, "id") == 0) || take_field(L, name, verdict);
    }
    if (!good)
        *verdict = (croft_verdict){.decision = CROFT_UNDECIDED};
    return good;
}

/* ---- the gate as a function -------------------------------------------------------------------- */

struct job {
    const croft_gate_request *request;
    croft_verdict *verdict;
};

/* Protected: (job, session) */
static int run(lua_State *L)
{
    struct job *job = lua_touserdata(L, 1);

    lua_getiuservalue(L, 2, HOST_GATE_VALUE);
    host_gate_push(L, job->request);
    lua_call(L, 1, 1);
    (void)take_verdict(L, lua_gettop(L), false, job->verdict);
    return 0;
}

static void ask(void *user, const croft_gate_request *request, croft_verdict *verdict)
{
    const struct host_gate *gate = user;
    lua_State *L = *gate->caller;
    struct job job = {request, verdict};

    if (L == NULL || !lua_checkstack(L, 3))
        return;
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, &job);
    lua_pushvalue(L, 1); /* the session */
    if (lua_pcall(L, 2, 0, 0) == LUA_OK)
        return;
    lua_pop(L, 1);
    *verdict = (croft_verdict){.decision = CROFT_UNDECIDED};
}

/* ---- options ----------------------------------------------------------------------------------- */

/* The words for gates that are no function. */
static bool take_word(lua_State *L, struct host_gate *gate, croft_session_options *options)
{
    static const char *const words[] = {"needs_input", "allow", "deny", "policy", "tty", NULL};
    static const croft_gate_kind kinds[] = {CROFT_GATE_NEEDS_INPUT, CROFT_GATE_ALLOW,
                                            CROFT_GATE_DENY, CROFT_GATE_POLICY,
                                            CROFT_GATE_CALLBACK};
    int word = word_of(L, -1, words);

    if (word < 0)
        luaL_error(L, "gate: a function, \"needs_input\", \"tty\", \"policy\", \"allow\" or "
                      "\"deny\" is needed");
    options->gate_kind = kinds[word < 0 ? 0 : word];
    if (options->gate_kind != CROFT_GATE_CALLBACK)
        return true;
    options->gate = host_tty_ask;
    options->gate_withdraw = host_tty_withdraw;
    options->gate_user = &gate->tty;
    return host_tty_open(&gate->tty);
}

static bool take_gate(lua_State *L, int session, struct host_gate *gate,
                      croft_session_options *options)
{
    if (!lua_isfunction(L, -1))
        return take_word(L, gate, options);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, session, HOST_GATE_VALUE);
    options->gate = ask;
    options->gate_user = gate;
    return true;
}

bool host_gate_take(lua_State *L, int index, int session, struct host_gate *gate,
                    croft_session_options *options)
{
    bool good = true;

    if (lua_isnil(L, index))
        return true;
    options->policies = host_get_strings(L, index, "policies", &options->policy_count);
    if (lua_getfield(L, index, "gate") != LUA_TNIL)
        good = take_gate(L, session, gate, options);
    if (lua_getfield(L, index, "decider") != LUA_TNIL)
        options->decider = luaL_checkstring(L, -1); /* stays in the table */
    if (lua_getfield(L, index, "gate_time") != LUA_TNIL) {
        lua_Integer time = luaL_checkinteger(L, -1);

        if (time < 1)
            luaL_error(L, "gate_time: it is not positive");
        options->gate_milliseconds = (uint64_t)time;
    }
    return good;
}

bool host_gate_answer(lua_State *L, int index, croft_answer *answer)
{
    if (lua_isnoneornil(L, index))
        return false;
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getfield(L, index, "id") != LUA_TNUMBER)
        luaL_error(L, "the answer needs the id of its question");
    answer->request_id = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    (void)take_verdict(L, index, true, &answer->verdict);
    return true;
}
