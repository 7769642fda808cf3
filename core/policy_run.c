/* SPDX-License-Identifier: MIT */
/* From the text of a policy file to rules. What Lua raises, a lack of memory above all, leaves by pcall and
 * loses nothing: all that is made is in the policy at once. */
#include <stdlib.h>
#include <string.h>

#include "policy_run_parts.h"
#include "utf8.h"

enum { HEAP = 24 * 1024 * 1024, INSTRUCTIONS = 2 * 1000 * 1000 };

/* ---- the state --------------------------------------------------------------------------------- */

/* What the constructors leave in the tables that they are given, under these keys. */
const char policy_decision_key = 0, policy_line_key = 0;
static const char policy_key = 0;

static void *push_key(lua_State *L, const char *key)
{
    union {
        const char *constant;
        void *pointer;
    } name = {.constant = key};

    lua_pushlightuserdata(L, name.pointer);
    return name.pointer;
}

struct heap_use {
    size_t used;
};

static void *allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    struct heap_use *heap = user;
    size_t old = pointer == NULL ? 0 : old_size;
    void *made;

    if (size == 0) {
        free(pointer);
        heap->used -= old;
        return NULL;
    }
    if (size > old && heap->used + (size - old) > HEAP)
        return NULL;
    made = realloc(pointer, size);
    if (made != NULL)
        heap->used += size - old;
    return made;
}

static void stop(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    luaL_error(L, "it runs for too long: a policy is data");
}

static int current_line(lua_State *L)
{
    lua_Debug ar;

    if (lua_getstack(L, 1, &ar) == 0 || lua_getinfo(L, "l", &ar) == 0)
        return 0;
    return ar.currentline;
}

/* deny { ... } and its kin: upvalue 1 is the decision. */
static int construct_rule(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    (void)push_key(L, &policy_decision_key);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_rawset(L, 1);
    (void)push_key(L, &policy_line_key);
    lua_pushinteger(L, current_line(L));
    lua_rawset(L, 1);
    return 1;
}

static int construct_policy(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    (void)push_key(L, &policy_key);
    lua_pushboolean(L, true);
    lua_rawset(L, 1);
    return 1;
}

const char *const decision_words[] = {
    [DECISION_ALLOW] = "allow", [DECISION_ASK] = "ask", [DECISION_DENY] = "deny"};

static void push_environment(lua_State *L)
{
    lua_createtable(L, 0, 4);
    for (int i = DECISION_ALLOW; i <= DECISION_DENY; i++) {
        lua_pushinteger(L, i);
        lua_pushcclosure(L, construct_rule, 1);
        lua_setfield(L, -2, decision_words[i]);
    }
    lua_pushcfunction(L, construct_policy);
    lua_setfield(L, -2, "policy");
}

/* ---- reading ----------------------------------------------------------------------------------- */

_Noreturn void policy_no_memory(lua_State *L)
{
    luaL_error(L, "out of memory");
    __builtin_unreachable();
}

/* The text at the top, which is popped; NULL and a problem when it is none. */
const char *policy_text_at(lua_State *L, int index)
{
    size_t size = 0;
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : NULL;

    return text != NULL && strlen(text) == size && utf8_valid(text, size) == size ? text : NULL;
}

char *policy_copy_text(lua_State *L, const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        policy_no_memory(L);
    return copy;
}

bool policy_is_list(lua_State *L, int index)
{
    lua_Integer count = 0;

    if (!lua_istable(L, index))
        return false;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        count++;
    return count == (lua_Integer)lua_rawlen(L, index);
}

lua_Integer policy_get_mark(lua_State *L, int index, const char *key)
{
    lua_Integer value;

    index = lua_absindex(L, index);
    (void)push_key(L, key);
    lua_rawget(L, index);
    value = lua_isnil(L, -1) ? -1 : lua_isboolean(L, -1) ? 1 : lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* ---- the rest ---------------------------------------------------------------------------------- */

static void read_default(lua_State *L, struct run_job *job)
{
    int decision = policy_decision_of(policy_text_at(L, -1));

    if (decision != DECISION_ASK && decision != DECISION_DENY)
        WRONG(job, "%s: default: it must be \"ask\" or \"deny\"", job->file);
    else if ((enum decision)decision > job->policy->otherwise)
        job->policy->otherwise = (enum decision)decision;
}

static void read_kind(lua_State *L, struct run_job *job)
{
    static const struct {
        const char *word;
        croft_gate_kind kind;
    } kinds[] = {{"elicit", CROFT_GATE_NONE}, {"tty", CROFT_GATE_NONE},
                 {"host", CROFT_GATE_NONE},   {"policy", CROFT_GATE_POLICY},
                 {"allow", CROFT_GATE_ALLOW}, {"deny", CROFT_GATE_DENY}};
    const char *word = policy_text_at(L, -1);

    for (size_t i = 0; word != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(word, kinds[i].word) != 0)
            continue;
        job->policy->decider = kinds[i].kind;
        strcpy(job->policy->decider_word, word);
        return;
    }
    WRONG(job,
          "%s: decider.kind: it must be \"elicit\", \"tty\", \"host\", \"policy\", \"allow\" "
          "or \"deny\"",
          job->file);
}

static void read_decider_field(lua_State *L, struct run_job *job, const char *name)
{
    const char *word = policy_text_at(L, -1);

    if (strcmp(name, "kind") == 0) {
        read_kind(L, job);
    } else if (strcmp(name, "timeout_s") == 0) {
        if (lua_isnumber(L, -1) && lua_tonumber(L, -1) >= 0.001 && lua_tonumber(L, -1) <= 86400)
            job->policy->milliseconds = (uint64_t)(lua_tonumber(L, -1) * 1000);
        else
            WRONG(job, "%s: decider.timeout_s: it must be seconds, at most 86400", job->file);
    } else if (strcmp(name, "on_timeout") == 0) {
        if (word == NULL || strcmp(word, "deny") != 0)
            WRONG(job, "%s: decider.on_timeout: it can be \"deny\" alone", job->file);
    } else {
        WRONG(job, "%s: decider.%.60s is no field: it has kind, timeout_s and on_timeout",
              job->file, name);
    }
}

static void read_decider(lua_State *L, struct run_job *job)
{
    if (!lua_istable(L, -1) || !job->is_first) {
        WRONG(job,
              job->is_first ? "%s: decider: it must be a table"
                            : "%s: decider: a file that narrows another cannot name one",
              job->file);
        return;
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        read_decider_field(L, job,
                           lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "(a number)");
}

static void read_version(lua_State *L, struct run_job *job)
{
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) != 1)
        WRONG(job, "%s: version: it must be 1", job->file);
}

static void read_top(lua_State *L, struct run_job *job, const char *name)
{
    static const struct {
        const char *name;
        void (*read)(lua_State *, struct run_job *);
    } fields[] = {{"version", read_version},
                  {"default", read_default},
                  {"decider", read_decider},
                  {"rules", policy_read_rules},
                  {"expect", policy_read_expects}};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            fields[i].read(L, job);
            return;
        }
    }
    WRONG(job,
          "%s: \"%.60s\" is no field of a policy: it has version, default, decider, rules and "
          "expect",
          job->file, name);
}

/* Protected: (job). Runs the file and reads what it returns. */
static int run(lua_State *L)
{
    struct run_job *job = lua_touserdata(L, 1);

    lua_settop(L, 1);
    if (luaL_loadbufferx(L, job->text->data == NULL ? "" : job->text->data, job->text->size,
                         lua_pushfstring(L, "@%s", job->file), "t") != LUA_OK)
        return lua_error(L);
    push_environment(L);
    if (lua_setupvalue(L, -2, 1) == NULL)
        lua_pop(L, 1);
    lua_call(L, 0, 1);
    lua_sethook(L, NULL, 0, 0);
    if (!lua_istable(L, -1) || policy_get_mark(L, -1, &policy_key) < 0) {
        WRONG(job, "%s: it must return policy { ... }", job->file);
        return 0;
    }
    if (lua_getfield(L, -1, "version") == LUA_TNIL)
        WRONG(job, "%s: version = 1 is missing", job->file);
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        if (!lua_islightuserdata(L, -2))
            read_top(L, job, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "(a number)");
    return 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* The policy keeps the names of its files as they were given, as rules point to them. */
static char *keep_name(struct policy *policy, const char *file)
{
    char **files = realloc(policy->files, (policy->file_count + 1) * sizeof *files);
    char *name = strdup(file);

    if (files != NULL)
        policy->files = files;
    if (files == NULL || name == NULL) {
        free(name);
        return NULL;
    }
    return files[policy->file_count++] = name;
}

bool policy_run(struct policy *policy, struct policy_expects *expects, const char *file,
                const struct bytes *text, bool is_first, struct problems *problems)
{
    struct heap_use heap = {0};
    lua_State *L = lua_newstate(allocate, &heap);
    const char *kept = keep_name(policy, file);
    struct run_job job = {policy, expects,  kept,    kept == NULL ? NULL : last_part(kept),
                          text,   is_first, problems};

    if (L == NULL || kept == NULL) {
        if (L != NULL)
            lua_close(L);
        return false;
    }
    lua_sethook(L, stop, LUA_MASKCOUNT, INSTRUCTIONS);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, &job);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        const char *said = lua_tostring(L, -1);

        said = said == NULL ? "it raises an error" : said;
        if (strstr(said, file) != NULL)
            problems_add_format(problems, "%s", said);
        else
            problems_add_format(problems, "%s: %s", file, said);
    }
    lua_close(L);
    return problems->lines.failed == false;
}
