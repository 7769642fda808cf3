/* SPDX-License-Identifier: MIT */
/* From the text of a policy file to rules. What Lua raises, a lack of memory above all, leaves by pcall and
 * loses nothing: all that is made is in the policy at once. */
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lua.h>

#include "policy_load.h"
#include "utf8.h"

enum { HEAP = 24 * 1024 * 1024, INSTRUCTIONS = 2 * 1000 * 1000, WHY_BYTES = 400 };

/* ---- the state --------------------------------------------------------------------------------- */

/* What the constructors leave in the tables that they are given, under these keys. */
static const char decision_key = 0, line_key = 0, policy_key = 0;

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
    (void)push_key(L, &decision_key);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_rawset(L, 1);
    (void)push_key(L, &line_key);
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

struct run_job {
    struct policy *policy;
    struct policy_expects *expects;
    const char *file; /* as it was given: what problems call it */
    const char *name; /* its last part: what rules are called by */
    const struct bytes *text;
    bool is_first;
    struct problems *problems;
};

static void no_memory(lua_State *L)
{
    luaL_error(L, "out of memory");
}

#define WRONG(job, ...) problems_add_format((job)->problems, __VA_ARGS__)

/* The text at the top, which is popped; NULL and a problem when it is none. */
static const char *text_at(lua_State *L, int index)
{
    size_t size = 0;
    const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : NULL;

    return text != NULL && strlen(text) == size && utf8_valid(text, size) == size ? text : NULL;
}

static char *copy_text(lua_State *L, const char *text)
{
    char *copy = strdup(text);

    if (copy == NULL)
        no_memory(L);
    return copy;
}

static bool is_list(lua_State *L, int index)
{
    lua_Integer count = 0;

    if (!lua_istable(L, index))
        return false;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
        count++;
    return count == (lua_Integer)lua_rawlen(L, index);
}

/* ---- rules ------------------------------------------------------------------------------------- */

/* Calls `take` with each text of the list, or the one text, at the top. */
static bool
each_text(lua_State *L, struct run_job *job, struct policy_rule *rule, const char *field,
          void (*take)(lua_State *, struct run_job *, struct policy_rule *, const char *))
{
    bool good = is_list(L, -1) && lua_rawlen(L, -1) > 0;

    if (text_at(L, -1) != NULL) {
        take(L, job, rule, text_at(L, -1));
        return true;
    }
    for (lua_Integer i = 1; good && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        good = text_at(L, -1) != NULL;
        if (good)
            take(L, job, rule, text_at(L, -1));
        lua_pop(L, 1);
    }
    if (!good)
        WRONG(job, "%s:%d: %s: it must be a text or a list of texts", job->file, rule->line, field);
    return good;
}

static void take_tool(lua_State *L, struct run_job *job, struct policy_rule *rule, const char *text)
{
    char **tools = realloc(rule->tools, (rule->tool_count + 1) * sizeof *tools);

    (void)job;
    if (tools == NULL)
        no_memory(L);
    rule->tools = tools;
    tools[rule->tool_count] = NULL;
    tools[rule->tool_count] = copy_text(L, text);
    rule->tool_count++;
}

static void take_path(lua_State *L, struct run_job *job, struct policy_rule *rule, const char *text)
{
    struct policy_glob *paths = realloc(rule->paths, (rule->path_count + 1) * sizeof *paths);
    struct glob_fault fault = {NULL, 0};

    if (paths == NULL)
        no_memory(L);
    rule->paths = paths;
    if (policy_glob_new(&paths[rule->path_count], text, strlen(text), &fault)) {
        rule->path_count++;
        return;
    }
    if (fault.reason == NULL)
        no_memory(L);
    WRONG(job, "%s:%d: the glob \"%.200s\" does not parse: %s at character %zu", job->file,
          rule->line, text, fault.reason, fault.at);
}

static void read_tools(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    const char *text = text_at(L, -1);

    if (text == NULL || strcmp(text, "*") != 0)
        (void)each_text(L, job, rule, "tools", take_tool);
}

static void read_paths(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    (void)each_text(L, job, rule, "paths", take_path);
}

static void read_why(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    const char *text = text_at(L, -1);

    if (text == NULL || strlen(text) > WHY_BYTES)
        WRONG(job, "%s:%d: why: it must be a text of at most %d bytes", job->file, rule->line,
              WHY_BYTES);
    else
        rule->why = copy_text(L, text);
}

static void read_when(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    struct regex_fault fault;
    croft_error err;
    const char *text;

    if (!lua_istable(L, -1) || lua_getfield(L, -1, "regex_like") == LUA_TNIL) {
        WRONG(job, "%s:%d: when: it must be { regex_like = a regular expression }", job->file,
              rule->line);
        lua_settop(L, lua_gettop(L) - (lua_isnil(L, -1) ? 1 : 0));
        return;
    }
    text = text_at(L, -1);
    if (text == NULL)
        WRONG(job, "%s:%d: when.regex_like: it must be a text", job->file, rule->line);
    else if (regex_new(text, strlen(text), 0, &rule->like, &fault, &err) != CROFT_OK)
        WRONG(job, "%s:%d: when.regex_like does not compile: %s at character %zu", job->file,
              rule->line, fault.reason, fault.at);
    else
        rule->like_text = copy_text(L, text);
    lua_pop(L, 1);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        if (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), "regex_like") != 0)
            WRONG(job, "%s:%d: when: regex_like is all that it may have", job->file, rule->line);
}

static void read_field(lua_State *L, struct run_job *job, struct policy_rule *rule,
                       const char *name)
{
    if (strcmp(name, "tools") == 0)
        read_tools(L, job, rule);
    else if (strcmp(name, "paths") == 0)
        read_paths(L, job, rule);
    else if (strcmp(name, "when") == 0)
        read_when(L, job, rule);
    else if (strcmp(name, "why") == 0)
        read_why(L, job, rule);
    else
        WRONG(job, "%s:%d: \"%.60s\" is no field of a rule: it has tools, paths, when and why",
              job->file, rule->line, name);
}

static lua_Integer get_mark(lua_State *L, int index, const char *key)
{
    lua_Integer value;

    index = lua_absindex(L, index);
    (void)push_key(L, key);
    lua_rawget(L, index);
    value = lua_isnil(L, -1) ? -1 : lua_isboolean(L, -1) ? 1 : lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* The rule at the top of the stack, whose number in the list is `number`. */
static void read_rule(lua_State *L, struct run_job *job, lua_Integer number)
{
    lua_Integer decision = lua_istable(L, -1) ? get_mark(L, -1, &decision_key) : -1;
    struct policy_rule *rule;
    size_t before = job->problems->count;
    bool has_tools = false;

    if (decision < 0) {
        WRONG(job, "%s: rules[%d] is none: it must be deny { ... }, ask { ... } or allow { ... }",
              job->file, (int)number);
        return;
    }
    rule = policy_add(job->policy);
    if (rule == NULL)
        no_memory(L);
    rule->decision = (enum decision)decision;
    rule->file = job->name;
    rule->line = (int)get_mark(L, -1, &line_key);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_islightuserdata(L, -2))
            continue;
        if (lua_type(L, -2) != LUA_TSTRING) {
            WRONG(job, "%s:%d: a rule has fields with names alone", job->file, rule->line);
            continue;
        }
        has_tools |= strcmp(lua_tostring(L, -2), "tools") == 0;
        read_field(L, job, rule, lua_tostring(L, -2));
    }
    if (rule->why == NULL)
        rule->why = copy_text(L, "");
    if (!has_tools)
        WRONG(job, "%s:%d: a rule needs tools: \"*\", a name, or a list of names", job->file,
              rule->line);
    if (!job->is_first && rule->decision == DECISION_ALLOW)
        WRONG(job, "%s:%d: allow: a file that narrows another may only deny and ask", job->file,
              rule->line);
    rule->is_broken = job->problems->count > before;
}

static void read_rules(lua_State *L, struct run_job *job)
{
    if (!is_list(L, -1)) {
        WRONG(job, "%s: rules: it must be a list", job->file);
        return;
    }
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        read_rule(L, job, i);
        lua_pop(L, 1);
    }
}

/* ---- expectations ------------------------------------------------------------------------------ */

/* Appends the value at the top as JSON; tables as objects, or as lists where they are some. */
static bool add_json(lua_State *L, struct bytes *out, int depth);

static void add_key(struct bytes *out, const char *name, bool is_first)
{
    if (!is_first)
        bytes_add_char(out, ',');
    if (name != NULL) {
        json_quote(out, name, strlen(name));
        bytes_add_char(out, ':');
    }
}

static bool add_table(lua_State *L, struct bytes *out, int depth)
{
    bool list = lua_rawlen(L, -1) > 0 && is_list(L, -1), is_first = true, good = depth < 8;

    bytes_add_char(out, list ? '[' : '{');
    for (lua_pushnil(L); good && lua_next(L, -2) != 0; lua_pop(L, 1)) {
        good = list || text_at(L, -2) != NULL;
        if (good)
            add_key(out, list ? NULL : text_at(L, -2), is_first);
        good = good && add_json(L, out, depth + 1);
        is_first = false;
        if (!good)
            lua_pop(L, 1);
    }
    bytes_add_char(out, list ? ']' : '}');
    return good;
}

static bool add_json(lua_State *L, struct bytes *out, int depth)
{
    const char *text = text_at(L, -1);

    if (text != NULL) {
        json_quote(out, text, strlen(text));
    } else if (lua_isinteger(L, -1)) {
        lua_pushvalue(L, -1);
        bytes_add_text(out, lua_tostring(L, -1));
        lua_pop(L, 1);
    } else if (lua_isboolean(L, -1)) {
        bytes_add_text(out, lua_toboolean(L, -1) ? "true" : "false");
    } else {
        return lua_istable(L, -1) && add_table(L, out, depth);
    }
    return true;
}

static int decision_of(const char *word)
{
    for (int i = DECISION_ALLOW; word != NULL && i <= DECISION_DENY; i++)
        if (strcmp(word, decision_words[i]) == 0)
            return i;
    return -1;
}

static struct policy_expect *add_expect(lua_State *L, struct run_job *job)
{
    struct policy_expects *expects = job->expects;
    struct policy_expect *items = realloc(expects->items, (expects->count + 1) * sizeof *items);

    if (items == NULL)
        no_memory(L);
    expects->items = items;
    memset(&items[expects->count], 0, sizeof *items);
    return &items[expects->count++];
}

/* { "deny", "read", { path = "x" } } at the top. */
static void read_expect(lua_State *L, struct run_job *job, int number)
{
    int decision = -1, top = lua_gettop(L);
    struct bytes json = {0};
    struct policy_expect *expect;
    bool good = lua_istable(L, -1) && is_list(L, -1) && lua_rawlen(L, -1) == 3;

    if (good) {
        lua_rawgeti(L, top, 1);
        decision = decision_of(text_at(L, -1));
        lua_rawgeti(L, top, 2);
        lua_rawgeti(L, top, 3);
        good = decision >= 0 && text_at(L, -2) != NULL && lua_istable(L, -1) &&
               add_json(L, &json, 0) && !json.failed;
    }
    if (!good) {
        WRONG(job,
              "%s: expect[%d]: it must be { \"deny\", \"ask\" or \"allow\", a tool, "
              "{ its arguments } }",
              job->file, number);
    } else {
        expect = add_expect(L, job); /* may raise: `json` is then lost, with the process's memory */
        expect->decision = (enum decision)decision;
        expect->file = job->file;
        expect->number = number;
        expect->tool = copy_text(L, text_at(L, top + 2));
        expect->args = copy_text(L, lua_rawlen(L, top + 3) > 0 ? "[]" : bytes_end(&json));
    }
    bytes_free(&json);
    lua_settop(L, top);
}

static void read_expects(lua_State *L, struct run_job *job)
{
    if (!is_list(L, -1)) {
        WRONG(job, "%s: expect: it must be a list", job->file);
        return;
    }
    for (int i = 1; i <= (int)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        read_expect(L, job, i);
        lua_pop(L, 1);
    }
}

/* ---- the rest ---------------------------------------------------------------------------------- */

static void read_default(lua_State *L, struct run_job *job)
{
    int decision = decision_of(text_at(L, -1));

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
    const char *word = text_at(L, -1);

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
    const char *word = text_at(L, -1);

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
                  {"rules", read_rules},
                  {"expect", read_expects}};

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
    if (!lua_istable(L, -1) || get_mark(L, -1, &policy_key) < 0) {
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

/* The policy keeps the names of its files, as rules point to them. */
static char *keep_name(struct policy *policy, const char *file)
{
    char **files = realloc(policy->files, (policy->file_count + 1) * sizeof *files);
    char *name = strdup(last_part(file));

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
    struct run_job job = {policy, expects, file, keep_name(policy, file), text, is_first, problems};

    if (L == NULL || job.name == NULL) {
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
