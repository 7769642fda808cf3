/* SPDX-License-Identifier: MIT */
#include "host_toolset.h"

#include <string.h>

#include <lauxlib.h>

#include "host_options.h"

static void keep_problem(void *user, const char *text)
{
    struct host_session *box = user;

    bytes_add_text(&box->problems, text);
    bytes_add_char(&box->problems, '\n');
}

void host_toolset_options(lua_State *L, int index, struct host_session *box,
                          croft_session_options *options)
{
    options->problem = keep_problem;
    options->problem_user = box;
    if (lua_isnil(L, index))
        return;
    options->enable = host_get_strings(L, index, "enable", &options->enable_count);
    lua_getfield(L, index, "leave_out_broken");
    options->leave_out_broken = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

static void push_problems(lua_State *L, const struct host_session *box)
{
    const char *text = box->problems.size == 0 ? "" : box->problems.data;
    const char *end = text + box->problems.size;

    lua_newtable(L);
    for (lua_Integer i = 1; text < end; i++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));

        lua_pushlstring(L, text, (size_t)(stop - text));
        lua_rawseti(L, -2, i);
        text = stop + 1;
    }
}

int host_toolset_error(lua_State *L, const struct host_session *box, croft_status status,
                       const croft_error *err)
{
    int count = host_push_error(L, status, err);

    push_problems(L, box);
    lua_setfield(L, -2, "problems");
    return count;
}

int host_problems(lua_State *L)
{
    push_problems(L, host_check_session(L, 1));
    return 1;
}

int host_report(lua_State *L)
{
    struct host_session *box = host_check_session(L, 1);
    croft_result result;
    croft_status status = croft_session_report(box->session, &result);

    if (status != CROFT_OK || result.is_error) {
        lua_pushnil(L);
        lua_pushstring(L, status == CROFT_OK ? result.code : croft_status_word(status));
        croft_result_free(&result);
        return 2;
    }
    lua_pushlstring(L, result.text, result.text_size);
    croft_result_free(&result);
    return 1;
}

/* handles() -> JSON; nil without memory */
int host_handles(lua_State *L)
{
    struct host_session *box = host_check_session(L, 1);
    croft_result result;

    if (croft_session_handles(box->session, &result) != CROFT_OK)
        luaL_pushfail(L);
    else
        lua_pushlstring(L, result.text, result.text_size);
    croft_result_free(&result);
    return 1;
}

int host_read_only_names(lua_State *L)
{
    croft_session *session = host_check_session(L, 1)->session;
    size_t count = croft_session_read_only_names(session, NULL, 0);
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);

    (void)croft_session_read_only_names(session, names, count);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
