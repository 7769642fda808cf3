/* SPDX-License-Identifier: MIT */
/*
 * for entry in fs:walk(path, options) do: a walk that gives one entry after another. Nothing of Lua's runs
 * while C is at work: the walk waits in a box between two entries, with one descriptor for each directory
 * that it is in.
 */
#include <errno.h>
#include <string.h>

#include "bind/fs.h"
#include "bind/fs_entry.h"

#define WALK "croft.walk"

enum { MOST_WALKS = 8, STEPS_OF_ENTRY = 20 };

struct walking {
    struct bind_host *host; /* NULL: it is not counted */
    struct showing showing;
    struct fs_start start;
    struct mount *mount; /* in which it began, or NULL */
    struct root root;    /* a copy of the one in which it began */
    const struct glob *only;
    struct tree_options options;
    struct tree *tree; /* NULL: it has ended */
    struct tree_notes notes;
    struct path path; /* where it begins */
};

static void end_walk(struct walking *walking)
{
    if (walking->host == NULL)
        return;
    tree_free(walking->tree);
    walking->tree = NULL;
    if (walking->start.fd >= 0)
        walking->showing.view->root->sys->close(walking->start.fd);
    walking->start.fd = -1;
    mount_release(walking->mount);
    walking->mount = NULL;
    showing_free(&walking->showing);
    walking->host->walks--;
    walking->host = NULL;
}

static void close_walk(void *payload)
{
    end_walk(payload);
}

static bool is_wanted(const struct walking *walking, const struct tree_entry *entry)
{
    return walking->only == NULL ||
           glob_fits(walking->only, entry->path, entry->path_size, S_ISDIR(entry->type));
}

/* The next entry that fits. *more is false at the end. */
static croft_status find_next(struct walking *walking, struct shown *shown, bool *more,
                              croft_error *err)
{
    struct tree_entry entry;
    croft_status status;

    walking->root.permit = walking->showing.permit = walking->host->root->permit;
    do
        status = tree_next(walking->tree, &entry, more, err);
    while (status == CROFT_OK && *more && !is_wanted(walking, &entry));
    if (status != CROFT_OK || !*more)
        return status;
    bytes_clear(&walking->showing.paths);
    if (!showing_take(&walking->showing, shown, &entry))
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return CROFT_OK;
}

/* walk() -> entry, or nil */
static int walk_next(lua_State *L)
{
    struct walking *walking = bind_check(L, 1, WALK);
    struct shown shown;
    bool more = walking->host != NULL;
    croft_error err;
    croft_status status = CROFT_OK;

    bind_tick(L, STEPS_OF_ENTRY);
    if (more)
        status = find_next(walking, &shown, &more, &err);
    if (status != CROFT_OK) {
        bind_tick(L, 0); /* a breach ends the call here */
        return bind_raise(L, &err, "list", 0);
    }
    if (!more) {
        end_walk(walking);
        luaL_pushfail(L);
        return 1;
    }
    showing_push(L, &walking->showing, &shown);
    return 1;
}

/* walk:notes() -> what was met so far and not shown, as fs:list has it, with stopped */
static int walk_notes(lua_State *L)
{
    const struct walking *walking = bind_check(L, 1, WALK);

    lua_createtable(L, 0, 8);
    bind_set_boolean(L, "stopped", walking->notes.stopped);
    if (walking->notes.stopped)
        bind_set_short_of(L);
    fs_set_notes(L, &walking->notes);
    return 1;
}

static int walk_close(lua_State *L)
{
    end_walk(bind_check(L, 1, WALK));
    return 0;
}

static const luaL_Reg walk_methods[] = {
    {"notes", walk_notes},
    {"close", walk_close},
    {NULL, NULL},
};

static void make_type(lua_State *L)
{
    bind_type(L, WALK, walk_methods);
    luaL_getmetatable(L, WALK);
    lua_pushcfunction(L, walk_next);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
}

/* Pushes the box of a walk that has not begun. The globs at the top of the stack live as long as it. */
static struct walking *push_walk(lua_State *L, const struct route *route)
{
    struct bind_host *host = bind_host(L);
    int first = lua_gettop(L);
    struct walking *walking;

    if (host->walks == MOST_WALKS) /* those that were broken off are garbage */
        bind_collect(L);
    if (host->walks == MOST_WALKS)
        luaL_error(L, "more than %d walks are open: walk:close() ends one", MOST_WALKS);
    make_type(L);
    walking = bind_own_as(L, sizeof *walking, close_walk, WALK);
    walking->start.fd = walking->showing.place.fd = -1;
    walking->showing.view = host->view;
    walking->showing.link = &host->room->link;
    walking->showing.permit = host->root->permit;
    walking->root = *route->root; /* its route ends before the walk */
    walking->path = *route->spelled;
    walking->showing.prefix = walking->path.text;
    walking->showing.prefix_size = walking->path.size;
    walking->mount = mount_share(route->mount);
    walking->host = host;
    host->walks++;
    lua_createtable(L, first, 0);
    for (int i = 1; i <= first; i++) {
        lua_pushvalue(L, i);
        lua_rawseti(L, -2, i);
    }
    lua_setiuservalue(L, -2, 1);
    return walking;
}

static croft_status begin(struct walking *walking, const struct route *route, croft_error *err)
{
    croft_status status = fs_open_directory(route, &walking->showing.place, &walking->start, err);

    walking->options.hidden = walking->start.hidden;
    if (status == CROFT_OK)
        status = path_blame_last(route->path,
                                 tree_new(&walking->root, walking->start.fd, &walking->options,
                                          &walking->notes, &walking->tree, err),
                                 err);
    return status;
}

/* fs:walk(path, {depth, glob, exclude}) -> walk */
int fs_walk(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 3, "list");
    struct bind_host *host = bind_host(L);
    lua_Integer depth = bind_field_integer(L, 3, "depth", 0);
    const struct glob *only = fs_glob(L, 3, "glob", "list");
    const struct glob *exclude = fs_glob(L, 3, "exclude", "list");
    struct tree_options options = {.depth = (uint64_t)depth,
                                   .depth_ceiling = host->limits->walk_depth,
                                   .only_below = only,
                                   .budget = &host->budget};
    struct walking *walking;
    croft_error err;
    croft_status status;

    luaL_argcheck(L, depth >= 0, 3, "a field is negative");
    options.exclude = fs_excludes(L, exclude, &options.exclude_count);
    walking = push_walk(L, route);
    walking->options = options;
    walking->options.base = walking->start.base;
    walking->only = only;
    status = begin(walking, route, &err);
    if (walking->start.fd >= 0)
        fs_note_opened(L, route, &walking->start.node);
    if (status == CROFT_OK)
        return 1;
    end_walk(walking);
    bind_tick(L, 0); /* a breach ends the call here */
    return fs_raise(L, route, &err, "list", 2);
}
