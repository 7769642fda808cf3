/* SPDX-License-Identifier: MIT */
#include "host_usage.h"

#include "host.h"

static void set_number(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

static void set_gauge(lua_State *L, const char *name, const croft_gauge *gauge)
{
    lua_createtable(L, 0, 3);
    set_number(L, "last", gauge->last);
    set_number(L, "most", gauge->most);
    set_number(L, "limit", gauge->limit);
    lua_setfield(L, -2, name);
}

int host_usage(lua_State *L)
{
    croft_usage usage;

    croft_session_usage(host_check_session(L, 1)->session, &usage);
    lua_createtable(L, 0, 6);
    set_gauge(L, "steps", &usage.steps);
    set_gauge(L, "heap", &usage.heap);
    set_gauge(L, "calls", &usage.calls);
    set_number(L, "calls_ended", usage.calls_ended);
    set_number(L, "interpreters_made", usage.interpreters_made);
    set_number(L, "interpreters_trapped", usage.interpreters_trapped);
    return 1;
}
