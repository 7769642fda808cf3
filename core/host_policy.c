/* SPDX-License-Identifier: MIT */
#include "host_policy.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "host.h"
#include "host_options.h"

#define POLICY "croft.policy"

struct host_policy_box {
    croft_policy *policy; /* NULL once closed */
};

/* Adds a problem to the list at the top of the stack; `user` is the state. What Lua raises would leave the
 * library's frames, so that it is made protected. */
static int append(lua_State *L)
{
    lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
    return 0;
}

static void take_problem(void *user, const char *text)
{
    lua_State *L = user;

    if (!lua_checkstack(L, 4))
        return;
    lua_pushcfunction(L, append);
    lua_pushvalue(L, -2);
    lua_pushstring(L, text);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        lua_pop(L, 1);
}

int host_policy(lua_State *L)
{
    croft_session *session = lua_isnoneornil(L, 2) ? NULL : host_check_session(L, 2)->session;
    const char **files;
    size_t count;
    struct host_policy_box *box;
    croft_error err = {0};
    croft_status status;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    count = (size_t)lua_rawlen(L, 1);
    luaL_argcheck(L, count > 0, 1, "a file is needed");
    files = lua_newuserdatauv(L, count * sizeof *files, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 1, "texts are needed");
        files[i] = host_check_text(L, -1);
        lua_pop(L, 1); /* stays in the list */
    }
    box = lua_newuserdatauv(L, sizeof *box, 0);
    box->policy = NULL;
    luaL_setmetatable(L, POLICY);
    lua_newtable(L);
    status = croft_policy_open(session, files, count, take_problem, L, &box->policy, &err);
    if (status == CROFT_OK) {
        lua_pop(L, 1);
        return 1;
    }
    (void)host_push_error(L, status, &err);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "problems");
    return 2;
}

static const croft_policy *check(lua_State *L)
{
    const struct host_policy_box *box = luaL_checkudata(L, 1, POLICY);

    luaL_argcheck(L, box->policy != NULL, 1, "the policy is closed");
    return box->policy;
}

static int explain(lua_State *L)
{
    const croft_policy *policy = check(L);
    const char *tool = host_check_text(L, 2);
    size_t size;
    const char *args = luaL_optlstring(L, 3, "", &size);
    char *text = NULL;
    croft_error err = {0};
    croft_status status = croft_policy_explain(policy, tool, args, size, &text, &err);

    if (status != CROFT_OK)
        return host_push_error(L, status, &err);
    lua_pushstring(L, text); /* where this raises, the memory is short, and the text is lost */
    free(text);
    return 1;
}

static int about(lua_State *L)
{
    const croft_policy *policy = check(L);

    lua_createtable(L, 0, 3);
    lua_pushstring(L, croft_policy_decider(policy));
    lua_setfield(L, -2, "decider");
    lua_pushinteger(L, (lua_Integer)croft_policy_rules(policy));
    lua_setfield(L, -2, "rules");
    lua_pushinteger(L, (lua_Integer)croft_policy_milliseconds(policy));
    lua_setfield(L, -2, "milliseconds");
    return 1;
}

static int close_policy(lua_State *L)
{
    struct host_policy_box *box = luaL_checkudata(L, 1, POLICY);

    croft_policy_close(box->policy);
    box->policy = NULL;
    return 0;
}

void host_policy_class(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"explain", explain}, {"about", about}, {"close", close_policy}, {NULL, NULL}};

    luaL_newmetatable(L, POLICY);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, close_policy);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
