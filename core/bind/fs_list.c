/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/fs.h"
#include "bind/fs_entry.h"
#include "json_plain.h"

/* What stands behind the path of a file: before its size, and behind it for one and for many. */
struct row_form {
    const char *before, *one, *many; /* NULL: no rows are wanted */
};

struct listing {
    struct showing showing;
    struct fs_start start;
    const struct glob *only;
    size_t only_max, bytes_max;
    struct shown *entries;
    size_t count, capacity;
    bool full, failed;
    uint64_t total, seen;
    struct tree_notes notes;
    struct row_form form;
    struct bytes row; /* scratch */
};

static void close_listing(void *payload)
{
    struct listing *list = payload;

    if (list->showing.view == NULL)
        return;
    if (list->start.fd >= 0)
        list->showing.view->root->sys->close(list->start.fd);
    showing_free(&list->showing);
    bytes_free(&list->row);
    free(list->entries);
}

static struct shown *add_entry(struct listing *list)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        struct shown *entries = realloc(list->entries, capacity * sizeof *entries);

        if (entries == NULL)
            return NULL;
        list->entries = entries;
        list->capacity = capacity;
    }
    return &list->entries[list->count++];
}

static bool show(struct listing *list, const struct tree_entry *entry)
{
    struct shown *shown = add_entry(list);

    return shown != NULL && showing_take(&list->showing, shown, entry);
}

static bool visit(void *user, const struct tree_entry *entry)
{
    struct listing *list = user;

    list->seen++;
    if (list->only != NULL &&
        !glob_fits(list->only, entry->path, entry->path_size, S_ISDIR(entry->type)))
        return true;
    list->total++;
    list->full |= list->count >= list->only_max || list->showing.paths.size >= list->bytes_max;
    if (list->full)
        return true; /* the rest is only counted */
    list->failed = !show(list, entry);
    return !list->failed;
}

/* ---- to Lua ------------------------------------------------------------------------------------ */

/* The strings stay on the stack. */
static void take_form(lua_State *L, int options, struct row_form *form)
{
    size_t size;

    if (lua_isnoneornil(L, options) || lua_getfield(L, options, "rows") == LUA_TNIL)
        return;
    options = lua_gettop(L);
    form->before = bind_field_string(L, options, "before", &size);
    form->one = bind_field_string(L, options, "one", &size);
    form->many = bind_field_string(L, options, "many", &size);
    luaL_argcheck(L, form->before != NULL && form->one != NULL && form->many != NULL, 3,
                  "rows takes before, one and many");
}

/* Whether a file or directory is shown by its path as it is, and nothing else has to be said of it. */
static bool is_plain(const char *path, const struct shown *shown)
{
    return (S_ISREG(shown->type) || S_ISDIR(shown->type)) &&
           json_plain_run(path, shown->path_size) == shown->path_size &&
           !path_names_drive(path, shown->path_size);
}

static void add_row(struct listing *list, const char *path, const struct shown *shown)
{
    struct bytes *row = &list->row;

    bytes_clear(row);
    bytes_add(row, path, shown->path_size);
    if (S_ISDIR(shown->type)) {
        bytes_add_char(row, '/');
        return;
    }
    bytes_add_text(row, list->form.before);
    bytes_add_number(row, shown->size);
    bytes_add_text(row, shown->size == 1 ? list->form.one : list->form.many);
}

static void push_entry(lua_State *L, struct listing *list, const struct shown *shown)
{
    const char *path = list->showing.paths.data + shown->path;

    if (list->form.before == NULL || !is_plain(path, shown)) {
        showing_push(L, &list->showing, shown);
        return;
    }
    add_row(list, path, shown);
    if (list->row.failed)
        luaL_error(L, "out of memory");
    lua_pushlstring(L, list->row.data, list->row.size);
}

static void push_listing(lua_State *L, struct listing *list)
{
    lua_createtable(L, 0, 12);
    lua_createtable(L, (int)list->count, 0);
    for (size_t i = 0; i < list->count; i++) {
        push_entry(L, list, &list->entries[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "entries");
    bind_set_integer(L, "total", list->total);
    bind_set_integer(L, "seen", list->seen);
    bind_set_integer(L, "unreadable", list->notes.unreadable);
    bind_set_boolean(L, "stopped", list->notes.stopped);
    if (list->notes.stopped)
        bind_set_short_of(L);
    fs_set_notes(L, &list->notes);
}

static croft_status walk(struct listing *list, const struct route *route,
                         struct tree_options *options, croft_error *err)
{
    croft_status status = fs_open_directory(route, &list->showing.place, &list->start, err);

    options->hidden = list->start.hidden;
    if (status == CROFT_OK)
        status = path_blame_last(
            route->path,
            tree_walk(route->root, list->start.fd, options, visit, list, &list->notes, err), err);
    list->total += list->notes.left_out;
    list->seen += list->notes.left_out;
    if (status == CROFT_OK && list->failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return status;
}

/* fs:list(path, {depth, glob, exclude, max, bytes, rows}) -> listing
 * With rows, {before, one, many}, an entry that needs no more words is its row: "src/" or "a.c (3 bytes)". */
int fs_list(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 3, "list");
    struct bind_host *host = bind_host(L);
    lua_Integer most = bind_field_integer(L, 3, "max", (lua_Integer)host->limits->list_entries);
    lua_Integer bytes = bind_field_integer(L, 3, "bytes", (lua_Integer)host->limits->result_bytes);
    lua_Integer depth = bind_field_integer(L, 3, "depth", 0);
    const struct glob *only = fs_glob(L, 3, "glob", "list");
    struct tree_options options = {.depth = (uint64_t)depth,
                                   .depth_ceiling = host->limits->walk_depth,
                                   .only_below = only,
                                   .budget = &host->budget};
    struct row_form form = {NULL, NULL, NULL};
    struct listing *list;
    croft_error err;
    croft_status status;

    luaL_argcheck(L, most >= 0 && bytes >= 0 && depth >= 0, 3, "a field is negative");
    take_form(L, 3, &form);
    options.exclude = fs_excludes(L, fs_glob(L, 3, "exclude", "list"), &options.exclude_count);
    list = bind_own(L, sizeof *list, close_listing);
    list->start.fd = list->showing.place.fd = -1;
    list->showing.view = host->view;
    list->showing.permit = host->root->permit;
    list->showing.link = &host->room->link;
    options.base = list->start.base;
    list->form = form;
    list->only = only;
    list->only_max = (size_t)most;
    list->bytes_max = (size_t)bytes;
    if (depth == 1 && only == NULL && options.exclude_count == 0 && route->root->permit == NULL)
        options.most = (size_t)most; /* with 0 none is shown, and all are counted */
    list->showing.prefix = route->spelled->text;
    list->showing.prefix_size = route->spelled->size;
    status = walk(list, route, &options, &err);
    if (list->start.fd >= 0)
        fs_note_opened(L, route, &list->start.node);
    if (status != CROFT_OK) {
        bind_tick(L, 0); /* a breach ends the call here */
        return fs_raise(L, route, &err, "list", 2);
    }
    push_listing(L, list);
    bind_release(L, -2);
    return 1;
}
