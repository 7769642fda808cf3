/* SPDX-License-Identifier: MIT */
/* The primitives with a record of each, for a host that wants that; others call them without a detour. */
#include "bind/debug.h"
#include "bind/fs.h"

/* Which primitive it is: upvalues 1, its name, and 2, its function. What it raises as an error of ours
 * ends its record in bind_push_error; what else it raises is found when the next record begins. */
static int recorded(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    const char *path = NULL;
    size_t size = 0;
    int count;

    if (lua_type(L, 2) == LUA_TSTRING)
        path = lua_tolstring(L, 2, &size);
    debug_primitive(L, lua_touserdata(L, lua_upvalueindex(1)));
    bind_record_begin(host, lua_touserdata(L, lua_upvalueindex(1)), path, size);
    count = lua_tocfunction(L, lua_upvalueindex(2))(L);
    bind_record_end(host, "ok", "");
    return count;
}

void fs_push_recorded(lua_State *L, const luaL_Reg *method)
{
    union {
        const char *constant;
        void *pointer;
    } name = {.constant = method->name}; /* Lua only keeps it */

    lua_pushlightuserdata(L, name.pointer);
    lua_pushcfunction(L, method->func);
    lua_pushcclosure(L, recorded, 2);
}

void fs_note_text(lua_State *L, const char *text, size_t size)
{
    struct recorder *recorder = bind_host(L)->recorder;

    if (recorder != NULL)
        record_resolved(recorder, text, size);
}

void fs_note_opened(lua_State *L, const struct route *route, const struct node *node)
{
    struct bind_host *host = bind_host(L);

    if (host->recorder != NULL)
        record_opened(host->recorder, route->root, route->path, node);
}

void fs_note_place(lua_State *L, const struct place *place)
{
    struct bind_host *host = bind_host(L);

    if (host->recorder != NULL)
        record_place(host->recorder, place);
}
