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

/* Pushes the error about the path at `index`. */
static void push_refusal(lua_State *L, const struct route *route, croft_error *err, const char *op,
                         int index)
{
    route_locate(route, err);
    bind_push_error(L, err, op, index);
}

static int raise_refusal(lua_State *L, const struct route *route, croft_error *err, const char *op)
{
    push_refusal(L, route, err, op, 2);
    return lua_error(L);
}

static void check_access(lua_State *L, const struct route *route, const char *op)
{
    croft_error err;

    bind_tick(L, STEPS);
    if (fs_may_write(L))
        return;
    fail(&err, CROFT_READ_ONLY, 0, "the tool is declared with access = \"read\"");
    raise_refusal(L, route, &err, op);
}

static void set_made(lua_State *L, size_t made, const char *first, bool not_confirmed)
{
    bind_set_integer(L, "made", made);
    bind_set_path(L, "first_made", first, strlen(first));
    bind_set_boolean(L, "not_confirmed", not_confirmed);
}

/* fs:mkdir(path) -> {made, first_made, not_confirmed} */
int fs_mkdir(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 2, "mkdir");
    struct make_dir_info *info = bind_own(L, sizeof *info, nothing_to_close);
    croft_error err;
    croft_status status;

    check_access(L, route, "mkdir");
    fs_take_turn(L, route);
    status = make_dir(route->root, route->path, info, &err);
    if (status != CROFT_OK) {
        push_refusal(L, route, &err, "mkdir", 2);
        fs_set_stays(L, info->made, info->first_made);
        return lua_error(L);
    }
    bind_host(L)->wrote |= info->made > 0;
    lua_createtable(L, 0, 3);
    set_made(L, info->made, info->first_made, info->not_confirmed);
    return 1;
}

/* fs:remove(path) -> {type, size, links, not_confirmed} */
int fs_remove(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 2, "remove");
    struct remove_info info;
    croft_error err;
    const char *type;

    check_access(L, route, "remove");
    fs_take_turn_of_name(L, route);
    if (remove_name(route->root, route->path, &info, &err) != CROFT_OK)
        return raise_refusal(L, route, &err, "remove");
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

static int raise_unmoved(lua_State *L, const struct route *route, const struct move_info *info,
                         croft_error *err)
{
    push_refusal(L, route, err, "rename", info->at_target ? 3 : 2);
    bind_set_boolean(L, "is_target", info->at_target);
    bind_set_integer(L, "size", info->old_size);
    bind_set_boolean(L, "is_directory", S_ISDIR(info->mode));
    fs_set_stays(L, info->made, info->first_made);
    return lua_error(L);
}

/* Between two trees: what would keep either of them from it is told first. */
static croft_status refuse_move(const struct route *from, const struct route *to,
                                struct move_info *info, croft_error *err)
{
    struct place place;
    croft_status status = entry_resolve(from->root, from->path, RESOLVE_NAME, &place, err);

    if (status != CROFT_OK)
        return status;
    info->mode = place.node.mode;
    place_close(&place);
    info->at_target = true;
    status = entry_resolve(to->root, to->path, RESOLVE_NEW_NAME, &place, err);
    if (status != CROFT_OK)
        return status;
    place_close(&place);
    info->at_target = false;
    status = fail_detail(err, CROFT_CROSSES_MOUNT, "trees", "they lie in different trees");
    return path_blame_last(from->path, status, err);
}

/* fs:rename(from, to, {replace}) -> {type, size, replaced, old_size, made, first_made, not_confirmed} */
int fs_rename(lua_State *L)
{
    const struct route *from = fs_route(L, 2, 4, "rename");
    const struct route *to = fs_route(L, 3, lua_gettop(L), "rename");
    struct move_options options = {.replace = bind_field_boolean(L, 4, "replace"),
                                   .budget = &bind_host(L)->budget,
                                   .depth = bind_host(L)->limits->walk_depth};
    struct move_info *info = bind_own(L, sizeof *info, nothing_to_close);
    croft_error err;
    croft_status status;

    check_access(L, from, "rename");
    fs_take_turn_of_name(L, from);
    if (from->mount == to->mount)
        status = move_name(from->root, from->path, to->path, &options, info, &err);
    else
        status = refuse_move(from, to, info, &err);
    bind_host(L)->wrote |= status == CROFT_OK || info->made > 0;
    if (info->moved_to[0] != '\0')
        fs_note_text(L, info->moved_to, strlen(info->moved_to));
    if (status == CROFT_OK)
        return push_moved(L, info);
    bind_tick(L, 0); /* a breach ends the call here */
    return raise_unmoved(L, info->at_target ? to : from, info, &err);
}
