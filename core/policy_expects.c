/* SPDX-License-Identifier: MIT */
/* What a policy file expects of its own rules. */
#include <stdlib.h>
#include <string.h>

#include "policy_run_parts.h"

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
    bool list = lua_rawlen(L, -1) > 0 && policy_is_list(L, -1), is_first = true, good = depth < 8;

    bytes_add_char(out, list ? '[' : '{');
    for (lua_pushnil(L); good && lua_next(L, -2) != 0; lua_pop(L, 1)) {
        good = list || policy_text_at(L, -2) != NULL;
        if (good)
            add_key(out, list ? NULL : policy_text_at(L, -2), is_first);
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
    const char *text = policy_text_at(L, -1);

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

int policy_decision_of(const char *word)
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
        policy_no_memory(L);
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
    bool good = lua_istable(L, -1) && policy_is_list(L, -1) && lua_rawlen(L, -1) == 3;

    if (good) {
        lua_rawgeti(L, top, 1);
        decision = policy_decision_of(policy_text_at(L, -1));
        lua_rawgeti(L, top, 2);
        lua_rawgeti(L, top, 3);
        good = decision >= 0 && policy_text_at(L, -2) != NULL && lua_istable(L, -1) &&
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
        expect->tool = policy_copy_text(L, policy_text_at(L, top + 2));
        expect->args = policy_copy_text(L, lua_rawlen(L, top + 3) > 0 ? "[]" : bytes_end(&json));
    }
    bytes_free(&json);
    lua_settop(L, top);
}

void policy_read_expects(lua_State *L, struct run_job *job)
{
    if (!policy_is_list(L, -1)) {
        WRONG(job, "%s: expect: it must be a list", job->file);
        return;
    }
    for (int i = 1; i <= (int)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        read_expect(L, job, i);
        lua_pop(L, 1);
    }
}
