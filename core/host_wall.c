/* SPDX-License-Identifier: MIT */
#include "host_wall.h"

#include "host.h"

static void set_flag(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

int host_confine(lua_State *L)
{
    croft_wall wall;
    croft_error err = {0};
    croft_status status = croft_confine(host_check_view(L), &wall, &err);

    return host_push_wall(L, status, &wall, &err);
}

int host_push_wall(lua_State *L, croft_status status, const croft_wall *wall,
                   const croft_error *err)
{
    if (status != CROFT_OK)
        return host_push_error(L, status, err);
    lua_createtable(L, 0, 4);
    set_flag(L, "no_new_privileges", wall->no_new_privileges);
    set_flag(L, "network", wall->network);
    set_flag(L, "scopes", wall->scopes);
    lua_pushinteger(L, wall->landlock);
    lua_setfield(L, -2, "landlock");
    return 1;
}
