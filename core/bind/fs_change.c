/* SPDX-License-Identifier: MIT */
/* fs:mkdir, fs:remove and fs:rename: what changes names and not what stands in files. */
#include <string.h>

#include "bind/fs.h"
#include "make_dir.h"
#include "move.h"
#include "remove.h"

enum { STEPS = 1000 };

static void nothing_to_close(void *payload)
{
    (void)payload;
}

/* Raises the error about the path at `index`. */
static int raise_refusal(lua_State *L, const croft_error *err, const char *op, int index)
{
    bind_push_error(L, err, op, index);
    bind_set_boolean(L, "by_link", err->kind == CROFT_READ_ONLY && err->at == 1);
    return lua_error(L);
}

static void check_access(lua_State *L, const char *op)
{
    croft_error err;

    bind_tick(L, STEPS);
    if (fs_may_write(L))
        return;
    fail(&err, CROFT_READ_ONLY, 0, "the tool is declared with access = \"read\"");
    raise_refusal(L, &err, op, 2);
}

static void set_made(lua_State *L, size_t made, const char *first, bool not_confirmed)
{
    bind_set_integer(L, "made", made);
    bind_set_text(L, "first_made", first, strlen(first));
    bind_set_boolean(L, "not_confirmed", not_confirmed);
}

/* fs:mkdir(path) -> {made, first_made, not_confirmed} */
int fs_mkdir(lua_State *L)
{
    const struct root *root = fs_root(L);
    const struct path *path = bind_path(L, 2, 2, "mkdir");
    struct make_dir_info *info = bind_own(L, sizeof *info, nothing_to_close);
    croft_error err;
    croft_status status;

    check_access(L, "mkdir");
    fs_take_turn(L, path);
    status = make_dir(root, path, info, &err);
    bind_host(L)->wrote |= info->made > 0;
    if (status != CROFT_OK)
        return raise_refusal(L, &err, "mkdir", 2);
    lua_createtable(L, 0, 3);
    set_made(L, info->made, info->first_made, info->not_confirmed);
    return 1;
}

/* fs:remove(path) -> {type, size, links, not_confirmed} */
int fs_remove(lua_State *L)
{
    const struct root *root = fs_root(L);
    const struct path *path = bind_path(L, 2, 2, "remove");
    struct remove_info info;
    croft_error err;
    const char *type;

    check_access(L, "remove");
    fs_take_turn_of_name(L, path);
    if (remove_name(root, path, &info, &err) != CROFT_OK)
        return raise_refusal(L, &err, "remove", 2);
    bind_host(L)->wrote = true;
    type = type_word(info.mode);
    lua_createtable(L, 0, 4);
    bind_set_text(L, "type", type, strlen(type));
    bind_set_integer(L, "size", info.size);
    bind_set_integer(L, "links", info.links);
    bind_set_boolean(L, "not_confirmed", info.not_confirmed);
    return 1;
}

static int push_moved(lua_State *L, const struct move_info *info)
{
    const char *type = type_word(info->mode);

    lua_createtable(L, 0, 7);
    bind_set_text(L, "type", type, strlen(type));
    bind_set_integer(L, "size", info->size);
    bind_set_boolean(L, "replaced", info->replaced);
    bind_set_integer(L, "old_size", info->old_size);
    set_made(L, info->made, info->first_made, info->not_confirmed);
    return 1;
}

/* fs:rename(from, to, {replace}) -> {type, size, replaced, old_size, made, first_made, not_confirmed} */
int fs_rename(lua_State *L)
{
    const struct root *root = fs_root(L);
    const struct path *from = bind_path(L, 2, 4, "rename");
    const struct path *to = bind_path(L, 3, lua_gettop(L), "rename");
    bool replace = bind_field_boolean(L, 4, "replace");
    struct move_info *info = bind_own(L, sizeof *info, nothing_to_close);
    croft_error err;
    croft_status status;

    check_access(L, "rename");
    fs_take_turn_of_name(L, from);
    status = move_name(root, from, to, replace, info, &err);
    bind_host(L)->wrote |= status == CROFT_OK || info->made > 0;
    if (info->moved_to[0] != '\0')
        fs_note_text(L, info->moved_to, strlen(info->moved_to));
    if (status == CROFT_OK)
        return push_moved(L, info);
    bind_push_error(L, &err, "rename", info->at_target ? 3 : 2);
    bind_set_boolean(L, "by_link", err.kind == CROFT_READ_ONLY && err.at == 1);
    bind_set_integer(L, "size", info->old_size);
    return lua_error(L);
}
