/* SPDX-License-Identifier: MIT */
#include "bind/fs.h"

#include <stdio.h>
#include <string.h>

#include "file.h"
#include "tree.h"

#define FS "croft.fs"

struct fs {
    bool may_write;
};

const struct route *fs_route(lua_State *L, int index, int count, const char *op)
{
    bind_check(L, 1, FS);
    return bind_route(L, index, count, op);
}

int fs_raise(lua_State *L, const struct route *route, croft_error *err, const char *op, int index)
{
    route_locate(route, err);
    return bind_raise(L, err, op, index);
}

void fs_set_stays(lua_State *L, size_t made, const char *first)
{
    if (made == 0)
        return;
    bind_host(L)->wrote = true;
    bind_set_integer(L, "made", made);
    bind_set_path(L, "first_made", first, strlen(first));
}

bool fs_may_write(lua_State *L)
{
    const struct fs *fs = bind_check(L, 1, FS);

    return fs->may_write;
}

/* ---- turns ------------------------------------------------------------------------------------- */

static void close_place(void *payload)
{
    struct place *place = payload;

    if (place->root != NULL)
        place_close(place);
}

static void wait_turn(lua_State *L, const struct route *route, enum resolve_how how)
{
    struct bind_host *host = bind_host(L);
    char key[2 * sizeof((struct place *)NULL)->text];
    struct place *place;

    place = bind_own(L, sizeof *place, close_place);
    place->fd = -1;
    if (resolve(route->root, route->path, how, place, NULL) == CROFT_OK) {
        (void)place_path(place, key, sizeof key); /* the same file by any spelling */
        fs_note_text(L, key, strlen(key));
        if (!turns_take(host->turns, &host->turn, key, &host->budget))
            bind_tick(L, 0);
    }
    bind_release(L, -1);
    lua_pop(L, 1);
}

void fs_wait_turn(lua_State *L, const struct route *route)
{
    wait_turn(L, route, RESOLVE_TARGET);
}

void fs_take_turn(lua_State *L, const struct route *route)
{
    if (fs_may_write(L))
        wait_turn(L, route, RESOLVE_TARGET);
}

void fs_take_turn_of_name(lua_State *L, const struct route *route)
{
    if (fs_may_write(L))
        wait_turn(L, route, RESOLVE_NEW_NAME);
}

/* ---- globs ------------------------------------------------------------------------------------- */

static void close_glob(void *payload)
{
    glob_free(*(struct glob **)payload);
}

const struct glob *fs_glob(lua_State *L, int options, const char *name, const char *op)
{
    size_t size;
    const char *text = bind_field_string(L, options, name, &size);
    struct glob **glob;
    struct glob_fault fault = {NULL, 0};
    croft_error err;

    if (text == NULL)
        return NULL;
    bind_tick(L, size);
    glob = bind_own(L, sizeof *glob, close_glob);
    *glob = glob_new(text, size, &fault);
    if (*glob != NULL)
        return *glob;
    if (fault.reason == NULL)
        luaL_error(L, "out of memory");
    fail(&err, CROFT_BAD_ARGUMENT, 0, fault.reason);
    strncpy(err.detail, name, sizeof err.detail - 1);
    bind_push_error(L, &err, op, 0);
    bind_set_integer(L, "position", fault.at);
    bind_set_text(L, "value", text, size);
    lua_error(L);
    return NULL;
}

const struct glob *const *fs_excludes(lua_State *L, const struct glob *own, size_t *count)
{
    const croft_view *view = bind_host(L)->view;
    const struct glob **all = lua_newuserdatauv(L, (view->exclude_count + 1) * sizeof *all, 0);

    *count = 0;
    for (size_t i = 0; i < view->exclude_count; i++)
        all[(*count)++] = view->exclude[i];
    if (own != NULL)
        all[(*count)++] = own;
    return all;
}

static void set_names(lua_State *L, const char *names)
{
    lua_Integer i = 1;

    lua_newtable(L);
    while (*names != '\0') {
        size_t size = strcspn(names, "\n");

        lua_pushlstring(L, names, size);
        lua_rawseti(L, -2, i++);
        names += size + (names[size] == '\n');
    }
    lua_setfield(L, -2, "excluded_names");
}

void fs_set_notes(lua_State *L, const struct tree_notes *notes)
{
    bind_set_integer(L, "unreadable_directories", notes->unreadable);
    bind_set_text(L, "first_unreadable", notes->first_unreadable, strlen(notes->first_unreadable));
    bind_set_integer(L, "deep", notes->deep);
    bind_set_text(L, "first_deep", notes->first_deep, strlen(notes->first_deep));
    bind_set_integer(L, "at_depth", notes->at_depth);
    bind_set_integer(L, "other_mounts", notes->other_mounts);
    bind_set_integer(L, "excluded", notes->excluded);
    set_names(L, notes->excluded_names);
}

/* ---- directories ------------------------------------------------------------------------------- */

bool fs_take_base(const struct place *place, char base[FS_BASE])
{
    base[0] = '\0';
    return !place->has_stack || place_path(place, base, FS_BASE) < FS_BASE;
}

bool fs_is_virtual(const struct route *route, croft_status status)
{
    return status == CROFT_MISSING && route->hidden != NULL;
}

croft_status fs_of_file(const struct route *route, croft_status status, croft_error *err)
{
    if (fs_is_virtual(route, status))
        return fail(err, CROFT_NOT_A_FILE, 0, "it is a directory");
    return status;
}

croft_status fs_open_directory(const struct route *route, struct place *place,
                               struct fs_start *start, croft_error *err)
{
    croft_status status = resolve(route->root, route->path, RESOLVE_EXISTING, place, err);

    start->fd = -1;
    start->hidden = NULL;
    if (status == CROFT_OK) {
        start->hidden = place->hidden;
        if (fs_take_base(place, start->base))
            status = open_place(place, route->path, S_IFDIR, &start->fd, &start->node, err);
        else
            status = path_blame_last(
                route->path, fail_detail(err, CROFT_BAD_ARGUMENT, "deep", "the path is too deep"),
                err);
    }
    if (place->root != NULL)
        place_close(place);
    if (!fs_is_virtual(route, status))
        return status;
    start->hidden = route->hidden;
    snprintf(start->base, FS_BASE, "%s", route->spelled->text);
    return CROFT_OK;
}

/* ---- whole files ------------------------------------------------------------------------------- */

struct loading {
    const struct sys *sys;
    int fd;
    struct node node;
    struct bytes bytes;
};

static void close_loading(void *payload)
{
    struct loading *loading = payload;

    if (loading->fd >= 0 && loading->sys != NULL)
        loading->sys->close(loading->fd);
    bytes_free(&loading->bytes);
}

static int raise_too_large(lua_State *L, const struct route *route, croft_error *err,
                           const char *op, uint64_t size)
{
    route_locate(route, err);
    bind_push_error(L, err, op, 2);
    bind_set_integer(L, "size", size);
    return lua_error(L);
}

static croft_status read_whole(struct loading *loading, uint64_t most, croft_error *err)
{
    if (loading->node.size > most)
        return fail(err, CROFT_TOO_LARGE, 0, "it is larger than the ceiling");
    return file_read(loading->sys, loading->fd, most, &loading->bytes, err);
}

/* Leaves the box of a loaded file on the stack. */
static const struct loading *load(lua_State *L, const char *op)
{
    const struct route *route = fs_route(L, 2, 3, op);
    const struct root *root = route->root;
    lua_Integer most = bind_opt_integer(L, 3, (lua_Integer)bind_host(L)->limits->edit_bytes);
    struct loading *loading = bind_own(L, sizeof *loading, close_loading);
    croft_error err;
    croft_status status;

    luaL_argcheck(L, most >= 0, 3, "the ceiling is negative");
    fs_take_turn(L, route); /* what is loaded by a tool that writes is about to be changed */
    loading->fd = -1;
    loading->sys = root->sys;
    status =
        fs_of_file(route, file_open(root, route->path, &loading->fd, &loading->node, &err), &err);
    if (status == CROFT_OK) {
        bind_tick(L, loading->node.size > (uint64_t)most ? 0 : loading->node.size / 64 + 100);
        status = path_blame_last(route->path, read_whole(loading, (uint64_t)most, &err), &err);
    }
    if (loading->fd >= 0)
        fs_note_opened(L, route, &loading->node);
    if (status == CROFT_TOO_LARGE)
        raise_too_large(L, route, &err, op, loading->node.size);
    if (status != CROFT_OK)
        fs_raise(L, route, &err, op, 2);
    bind_note_bytes(L, loading->bytes.size);
    return loading;
}

static const char *contents(const struct loading *loading)
{
    return loading->bytes.size == 0 ? "" : loading->bytes.data;
}

/* fs:read(path, most) -> bytes; fs:read(path, {offset, size}) -> bytes */
static int fs_read(lua_State *L)
{
    const struct loading *loading;
    int box;

    if (lua_istable(L, 3))
        return fs_read_part(L);
    loading = load(L, "read");
    box = lua_gettop(L);

    lua_pushlstring(L, contents(loading), loading->bytes.size);
    bind_release(L, box);
    return 1;
}

/* fs:load(path, most) -> bytes, stamp */
static int fs_load(lua_State *L)
{
    const struct loading *loading = load(L, "read");
    int box = lua_gettop(L);
    struct stamp *stamp;

    lua_pushlstring(L, contents(loading), loading->bytes.size);
    stamp = lua_newuserdatauv(L, sizeof *stamp, 0);
    *stamp = (struct stamp){
        .node = loading->node,
        .digest = file_digest(loading->bytes.data, loading->bytes.size),
    };
    luaL_setmetatable(L, FS_STAMP);
    bind_release(L, box);
    return 2;
}

/* ---- one file's facts -------------------------------------------------------------------------- */

static void push_stat(lua_State *L, const char *path, uint32_t mode, const struct node *node)
{
    const char *type = type_word(mode);

    lua_createtable(L, 0, 4);
    bind_set_path(L, "path", path, strlen(path));
    bind_set_text(L, "type", type, strlen(type));
    bind_set_integer(L, "size", node->size);
    bind_set_integer(L, "links", node->links);
}

/* fs:stat(path) -> {path, type, size, links} */
static int fs_stat(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 2, "stat");
    struct place *place = bind_own(L, sizeof *place, close_place);
    int box = lua_gettop(L);
    char text[PATH_BYTES + 1];
    croft_status status;
    croft_error err;

    bind_tick(L, 100);
    place->fd = -1;
    status = resolve(route->root, route->path, RESOLVE_STACK, place, &err);
    if (fs_is_virtual(route, status)) {
        push_stat(L, route->spelled->text, S_IFDIR, &place->node);
        return 1;
    }
    if (status != CROFT_OK)
        return fs_raise(L, route, &err, "stat", 2);
    fs_note_place(L, place);
    place_show(place, place->text_size, text);
    push_stat(L, text, place->node.mode, &place->node);
    bind_release(L, box);
    return 1;
}

static const luaL_Reg fs_methods[] = {
    {"stat", fs_stat},     {"read", fs_read},     {"load", fs_load},       {"page", fs_page},
    {"list", fs_list},     {"search", fs_search}, {"replace", fs_replace}, {"open", fs_open},
    {"write", fs_replace}, {"walk", fs_walk},     {"mkdir", fs_mkdir},     {"remove", fs_remove},
    {"rename", fs_rename}, {NULL, NULL},
};

static void close_fs(void *payload)
{
    (void)payload; /* the view is the session's */
}

static void record_methods(lua_State *L)
{
    luaL_getmetatable(L, FS);
    lua_getfield(L, -1, "__index");
    for (const luaL_Reg *method = fs_methods; method->name != NULL; method++) {
        fs_push_recorded(L, method);
        lua_setfield(L, -2, method->name);
    }
    lua_pop(L, 2);
}

void fs_push(lua_State *L, bool may_write)
{
    struct fs *fs;

    bind_type(L, FS, fs_methods);
    if (bind_host(L)->recorder != NULL)
        record_methods(L);
    if (luaL_newmetatable(L, FS_STAMP)) {
        lua_pushboolean(L, false);
        lua_setfield(L, -2, "__metatable");
    }
    lua_pop(L, 1);
    fs = bind_own_as(L, sizeof *fs, close_fs, FS);
    fs->may_write = may_write;
}
