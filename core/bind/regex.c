/* SPDX-License-Identifier: MIT */
#include "bind/regex_box.h"

#include <string.h>

#define REGEX "croft.regex"

struct regex_box {
    struct bind_host *host;
    struct regex *regex;
    struct matcher *matcher; /* for test() and find(); made at their first use */
    size_t size, held;       /* bytes of `regex`; and of both, as Lua's heap knows of them */
};

static void close_regex(void *payload)
{
    struct regex_box *box = payload;

    matcher_free(box->matcher);
    regex_free(box->regex);
    if (box->host != NULL)
        bind_let_go(box->host, box->held);
}

/* Has the heap know how large the expression is now: on lines that need it, it grows. */
static void hold(lua_State *L, struct regex_box *box)
{
    size_t all = box->size + (box->matcher == NULL ? 0 : matcher_size(box->matcher));
    size_t more = all - box->held;

    if (more == 0)
        return;
    box->held = all;
    bind_hold(L, more);
}

const struct regex *regex_check(lua_State *L, int index)
{
    const struct regex_box *box = bind_check(L, index, REGEX);

    return box->regex;
}

static int raise_expensive(lua_State *L)
{
    croft_error err;

    fail(&err, CROFT_BAD_PATTERN, 0, "the pattern needs too much backtracking on this line");
    strcpy(err.detail, "expensive");
    return bind_raise(L, &err, "regex", 0);
}

/* Makes the matcher of the expression at 1. */
static void make_matcher(lua_State *L, struct regex_box *box)
{
    struct bind_host *host = box->host;

    if (host->match_room == NULL)
        host->match_room = match_room_new();
    if (host->match_room != NULL)
        box->matcher = matcher_new_in(box->regex, host->match_room);
    if (box->matcher == NULL)
        luaL_error(L, "out of memory");
}

/* Looks for the pattern of argument 1 in argument 2 from byte `from`. */
static bool find(lua_State *L, size_t from, size_t *start, size_t *end)
{
    struct regex_box *box = bind_check(L, 1, REGEX);
    size_t size;
    const char *line = luaL_checklstring(L, 2, &size);
    enum regex_answer answer;

    if (box->matcher == NULL)
        make_matcher(L, box);
    if (from > size)
        return false;
    answer = matcher_find(box->matcher, line, size, from, &bind_host(L)->budget, start, end);
    hold(L, box);
    bind_tick(L, 1);
    if (answer == REGEX_TOO_EXPENSIVE)
        raise_expensive(L);
    return answer == REGEX_MATCH;
}

/* regex:test(line) -> boolean */
static int regex_test(lua_State *L)
{
    size_t start, end;

    lua_pushboolean(L, find(L, 0, &start, &end));
    return 1;
}

/* regex:find(line, from) -> first byte, last byte; or nil */
static int regex_find(lua_State *L)
{
    lua_Integer from = bind_opt_integer(L, 3, 1);
    size_t start, end;

    luaL_argcheck(L, from >= 1, 3, "not positive");
    if (!find(L, (size_t)from - 1, &start, &end)) {
        luaL_pushfail(L);
        return 1;
    }
    lua_pushinteger(L, (lua_Integer)start + 1);
    lua_pushinteger(L, (lua_Integer)end);
    return 2;
}

static const luaL_Reg regex_methods[] = {
    {"test", regex_test},
    {"find", regex_find},
    {NULL, NULL},
};

static int raise_bad_pattern(lua_State *L, const croft_error *err, const struct regex_fault *fault)
{
    bind_push_error(L, err, "regex", 0);
    bind_set_text(L, "reason", fault->reason, strlen(fault->reason));
    bind_set_integer(L, "position", fault->at);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "value");
    return lua_error(L);
}

int regex_make(lua_State *L)
{
    size_t size;
    const char *pattern = luaL_checklstring(L, 1, &size);
    unsigned flags = (bind_field_boolean(L, 2, "ignore_case") ? REGEX_IGNORE_CASE : 0) |
                     (bind_field_boolean(L, 2, "literal") ? REGEX_LITERAL : 0);
    struct regex_fault fault = {"", 0};
    struct regex_box *box;
    croft_error err;

    bind_tick(L, regex_cost(pattern, size, flags));
    bind_type(L, REGEX, regex_methods);
    box = bind_own_as(L, sizeof *box, close_regex, REGEX);
    if (regex_new(pattern, size, flags, &box->regex, &fault, &err) != CROFT_OK)
        return raise_bad_pattern(L, &err, &fault);
    box->host = bind_host(L);
    box->size = regex_size(box->regex);
    hold(L, box);
    return 1;
}
