/* SPDX-License-Identifier: MIT */
#include "replace.h"

#include <string.h>

#include "bind/fs.h"

static enum replace_mode read_mode(lua_State *L)
{
    size_t size;
    const char *word = bind_field_string(L, 4, "mode", &size);

    if (word == NULL || strcmp(word, "overwrite") == 0)
        return REPLACE_OVERWRITE;
    if (strcmp(word, "create") == 0)
        return REPLACE_CREATE;
    luaL_argcheck(L, strcmp(word, "append") == 0, 4, "mode must be overwrite, create or append");
    return REPLACE_APPEND;
}

static const struct stamp *read_stamp(lua_State *L)
{
    if (lua_isnoneornil(L, 4) || lua_getfield(L, 4, "expect") == LUA_TNIL)
        return NULL;
    return luaL_checkudata(L, -1, FS_STAMP); /* stays on the stack */
}

static int push_info(lua_State *L, const struct replace_info *info)
{
    lua_createtable(L, 0, 15);
    bind_set_boolean(L, "created", info->created);
    bind_set_boolean(L, "same", info->same);
    bind_set_integer(L, "size", info->size);
    bind_set_integer(L, "old_size", info->old_size);
    bind_set_integer(L, "lines", info->lines);
    bind_set_integer(L, "old_lines", info->old_lines);
    bind_set_boolean(L, "old_known", info->old_known);
    bind_set_boolean(L, "old_crlf", info->old_crlf);
    bind_set_boolean(L, "new_crlf", info->new_crlf);
    bind_set_boolean(L, "old_ends_in_newline", info->old_ends_in_newline);
    bind_set_integer(L, "links", info->links);
    bind_set_integer(L, "made", info->made);
    bind_set_path(L, "first_made", info->first_made, strlen(info->first_made));
    bind_set_boolean(L, "not_confirmed", info->not_confirmed);
    return 1;
}

static int raise_refusal(lua_State *L, const struct route *route, croft_error *err,
                         const struct replace_info *info)
{
    route_locate(route, err);
    bind_push_error(L, err, "write", 2);
    bind_set_integer(L, "size", info->old_size);
    fs_set_stays(L, info->made, info->first_made);
    return lua_error(L);
}

static void nothing_to_close(void *payload)
{
    (void)payload;
}

/* fs:replace(path, bytes, {mode, expect}) -> info */
int fs_replace(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 4, "write");
    const struct limits *limits = bind_host(L)->limits;
    struct replace_info *info = bind_own(L, sizeof *info, nothing_to_close);
    struct replace_options options = {.mode = read_mode(L),
                                      .limit = limits->write_bytes,
                                      .compare_limit = limits->write_bytes,
                                      .expect = read_stamp(L)};
    size_t size;
    const char *data = luaL_checklstring(L, 3, &size);
    croft_error err;

    if (!fs_may_write(L)) {
        fail(&err, CROFT_READ_ONLY, 0, "the tool is declared with access = \"read\"");
        return raise_refusal(L, route, &err, info);
    }
    bind_tick(L, size / 64 + 1000);
    fs_take_turn(L, route);
    if (replace_file(route->root, route->path, data, size, &options, info, &err) != CROFT_OK)
        return raise_refusal(L, route, &err, info);
    bind_host(L)->wrote |= !info->same;
    bind_note_bytes(L, info->same ? 0 : size);
    return push_info(L, info);
}
