/* SPDX-License-Identifier: MIT */
/* The rules of a policy file. */
#include <stdlib.h>
#include <string.h>

#include "policy_run_parts.h"
#include "utf8.h"

enum { WHY_BYTES = 400 };

/* Calls `take` with each text of the list, or the one text, at the top. */
static bool
each_text(lua_State *L, struct run_job *job, struct policy_rule *rule, const char *field,
          void (*take)(lua_State *, struct run_job *, struct policy_rule *, const char *))
{
    bool good = policy_is_list(L, -1) && lua_rawlen(L, -1) > 0;

    if (policy_text_at(L, -1) != NULL) {
        take(L, job, rule, policy_text_at(L, -1));
        return true;
    }
    for (lua_Integer i = 1; good && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        good = policy_text_at(L, -1) != NULL;
        if (good)
            take(L, job, rule, policy_text_at(L, -1));
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
        policy_no_memory(L);
    rule->tools = tools;
    tools[rule->tool_count] = NULL;
    tools[rule->tool_count] = policy_copy_text(L, text);
    rule->tool_count++;
}

static void take_path(lua_State *L, struct run_job *job, struct policy_rule *rule, const char *text)
{
    struct policy_glob *paths = realloc(rule->paths, (rule->path_count + 1) * sizeof *paths);
    struct glob_fault fault = {NULL, 0};

    if (paths == NULL)
        policy_no_memory(L);
    rule->paths = paths;
    if (policy_glob_new(&paths[rule->path_count], text, strlen(text), &fault)) {
        rule->path_count++;
        return;
    }
    if (fault.reason == NULL)
        policy_no_memory(L);
    WRONG(job, "%s:%d: the glob \"%.200s\" does not parse: %s at character %zu", job->file,
          rule->line, text, fault.reason, fault.at);
}

static void read_tools(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    const char *text = policy_text_at(L, -1);

    if (text == NULL || strcmp(text, "*") != 0)
        (void)each_text(L, job, rule, "tools", take_tool);
}

static void read_paths(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    (void)each_text(L, job, rule, "paths", take_path);
}

static void read_why(lua_State *L, struct run_job *job, struct policy_rule *rule)
{
    const char *text = policy_text_at(L, -1);

    if (text == NULL || strlen(text) > WHY_BYTES)
        WRONG(job, "%s:%d: why: it must be a text of at most %d bytes", job->file, rule->line,
              WHY_BYTES);
    else
        rule->why = policy_copy_text(L, text);
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
    text = policy_text_at(L, -1);
    if (text == NULL)
        WRONG(job, "%s:%d: when.regex_like: it must be a text", job->file, rule->line);
    else if (regex_new(text, strlen(text), 0, &rule->like, &fault, &err) != CROFT_OK)
        WRONG(job, "%s:%d: when.regex_like does not compile: %s at character %zu", job->file,
              rule->line, fault.reason, fault.at);
    else
        rule->like_text = policy_copy_text(L, text);
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

/* The rule at the top of the stack, whose number in the list is `number`. */
static void read_rule(lua_State *L, struct run_job *job, lua_Integer number)
{
    lua_Integer decision = lua_istable(L, -1) ? policy_get_mark(L, -1, &policy_decision_key) : -1;
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
        policy_no_memory(L);
    rule->decision = (enum decision)decision;
    rule->file = job->name;
    rule->given = job->file;
    rule->line = (int)policy_get_mark(L, -1, &policy_line_key);
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
        rule->why = policy_copy_text(L, "");
    if (!has_tools)
        WRONG(job, "%s:%d: a rule needs tools: \"*\", a name, or a list of names", job->file,
              rule->line);
    if (!job->is_first && rule->decision == DECISION_ALLOW)
        WRONG(job, "%s:%d: allow: a file that narrows another may only deny and ask", job->file,
              rule->line);
    rule->is_broken = job->problems->count > before;
}

void policy_read_rules(lua_State *L, struct run_job *job)
{
    if (!policy_is_list(L, -1)) {
        WRONG(job, "%s: rules: it must be a list", job->file);
        return;
    }
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        read_rule(L, job, i);
        lua_pop(L, 1);
    }
}
