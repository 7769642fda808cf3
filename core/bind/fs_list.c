/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "bind/fs.h"
#include "tree.h"

struct shown {
    size_t path, path_size; /* in listing.paths */
    mode_t type;
    uint64_t size;
    size_t target, target_size; /* of a link, in listing.paths */
    const char *target_word;    /* "target", "outside", "missing", "loop"; NULL: no link */
    bool target_is_directory;
};

struct listing {
    const struct root *root;
    int fd;
    struct node node;
    struct place place;
    const struct glob *only;
    size_t only_max, bytes_max;
    const char *prefix; /* of the shown paths, without "/": the path as the caller spelled it */
    size_t prefix_size;
    struct bytes paths;
    struct shown *entries;
    size_t count, capacity;
    bool full, failed;
    uint64_t total, seen;
    struct tree_notes notes;
    struct path link_path; /* scratch */
};

static void close_listing(void *payload)
{
    struct listing *list = payload;

    if (list->root == NULL)
        return;
    if (list->fd >= 0)
        list->root->sys->close(list->fd);
    if (list->place.root != NULL)
        place_close(&list->place);
    bytes_free(&list->paths);
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
    memset(&list->entries[list->count], 0, sizeof *list->entries);
    return &list->entries[list->count++];
}

static void add_path(struct listing *list, struct shown *shown, const struct tree_entry *entry)
{
    shown->path = list->paths.size;
    if (list->prefix_size > 0) {
        bytes_add(&list->paths, list->prefix, list->prefix_size);
        bytes_add_char(&list->paths, '/');
    }
    bytes_add(&list->paths, entry->path, entry->path_size);
    shown->path_size = list->paths.size - shown->path;
}

/* Where a link leads, in terms of the view: never its text, which may be a host path. */
static void resolve_link(struct listing *list, struct shown *shown)
{
    croft_error err;
    croft_status status = path_parse_raw(list->paths.data + shown->path, shown->path_size,
                                         &list->link_path, &err);

    if (status == CROFT_OK)
        status = resolve(list->root, &list->link_path, RESOLVE_STACK, &list->place, &err);
    if (status != CROFT_OK) {
        shown->target_word = status == CROFT_OUTSIDE ? "outside"
                             : status == CROFT_LOOP  ? "loop"
                                                     : "missing";
        return;
    }
    shown->target_word = "target";
    shown->target = list->paths.size;
    shown->target_size = list->place.text_size;
    shown->target_is_directory = S_ISDIR(list->place.node.mode);
    bytes_add(&list->paths, list->place.text, list->place.text_size);
    place_close(&list->place);
}

static bool show(struct listing *list, const struct tree_entry *entry)
{
    struct shown *shown = add_entry(list);
    struct node node;

    if (shown == NULL)
        return false;
    shown->type = entry->type;
    add_path(list, shown, entry);
    if (S_ISREG(entry->type) && list->root->sys->node_at(entry->dir, entry->name, &node) == 0)
        shown->size = node.size;
    if (S_ISLNK(entry->type))
        resolve_link(list, shown);
    return !list->paths.failed;
}

static bool visit(void *user, const struct tree_entry *entry)
{
    struct listing *list = user;

    list->seen++;
    if (list->only != NULL &&
        !glob_fits(list->only, entry->path, entry->path_size, S_ISDIR(entry->type)))
        return true;
    list->total++;
    list->full |= list->count >= list->only_max || list->paths.size >= list->bytes_max;
    if (list->full)
        return true; /* the rest is only counted */
    list->failed = !show(list, entry);
    return !list->failed;
}

/* ---- to Lua ------------------------------------------------------------------------------------ */

static void push_entry(lua_State *L, const struct listing *list, const struct shown *shown)
{
    const char *word = type_word(shown->type);

    lua_createtable(L, 0, 5);
    bind_set_text(L, "path", list->paths.data + shown->path, shown->path_size);
    bind_set_text(L, "type", word, strlen(word));
    if (S_ISREG(shown->type))
        bind_set_integer(L, "size", shown->size);
    if (shown->target_word == NULL)
        return;
    if (strcmp(shown->target_word, "target") != 0) {
        bind_set_boolean(L, shown->target_word, true);
        return;
    }
    bind_set_text(L, "target", list->paths.data + shown->target, shown->target_size);
    bind_set_boolean(L, "target_is_directory", shown->target_is_directory);
}

static void push_listing(lua_State *L, const struct listing *list)
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
    fs_set_notes(L, &list->notes);
}

static croft_status walk(struct listing *list, const struct path *path,
                         const struct tree_options *options, croft_error *err)
{
    croft_status status = resolve(list->root, path, RESOLVE_EXISTING, &list->place, err);

    if (status == CROFT_OK)
        status = open_place(&list->place, path, S_IFDIR, &list->fd, &list->node, err);
    if (list->place.root != NULL)
        place_close(&list->place);
    if (status == CROFT_OK)
        status = tree_walk(list->root, list->fd, options, visit, list, &list->notes, err);
    if (status == CROFT_OK && list->failed)
        status = fail(err, CROFT_INTERNAL, 0, "out of memory");
    return status;
}

/* fs:list(path, {depth, glob, exclude, max, bytes}) -> listing */
int fs_list(lua_State *L)
{
    const struct root *root = fs_root(L);
    struct bind_host *host = bind_host(L);
    const struct path *path = bind_path(L, 2, 3, "list");
    lua_Integer most = bind_field_integer(L, 3, "max", (lua_Integer)host->limits->list_entries);
    lua_Integer bytes = bind_field_integer(L, 3, "bytes", (lua_Integer)host->limits->result_bytes);
    lua_Integer depth = bind_field_integer(L, 3, "depth", 0);
    const struct glob *only = fs_glob(L, 3, "glob", "list");
    struct tree_options options = {.depth = (uint64_t)depth,
                                   .depth_ceiling = host->limits->walk_depth,
                                   .only_below = only,
                                   .budget = &host->budget};
    struct listing *list;
    croft_error err;
    croft_status status;

    luaL_argcheck(L, most >= 0 && bytes >= 0 && depth >= 0, 3, "a field is negative");
    options.exclude = fs_excludes(L, fs_glob(L, 3, "exclude", "list"), &options.exclude_count);
    list = bind_own(L, sizeof *list, close_listing);
    list->fd = list->place.fd = -1;
    list->root = root;
    list->only = only;
    list->only_max = (size_t)most;
    list->bytes_max = (size_t)bytes;
    list->prefix = path->text;
    list->prefix_size = path->size;
    status = walk(list, path, &options, &err);
    if (list->fd >= 0)
        fs_note_opened(L, path, &list->node);
    if (status != CROFT_OK) {
        bind_tick(L, 0); /* a breach ends the call here */
        return bind_raise(L, &err, "list", 2);
    }
    push_listing(L, list);
    bind_release(L, -2);
    return 1;
}
