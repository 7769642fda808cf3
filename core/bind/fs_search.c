/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "bind/fs.h"
#include "bind/regex_box.h"
#include "search.h"

struct searching {
    const struct root *root;
    int fd;
    struct place place;
    struct search_result result;
    struct node node;
    bool is_file;
    char prefix[PATH_BYTES + 2], base[FS_BASE];
};

static void close_searching(void *payload)
{
    struct searching *searching = payload;

    if (searching->root == NULL)
        return;
    if (searching->fd >= 0)
        searching->root->sys->close(searching->fd);
    if (searching->place.root != NULL)
        place_close(&searching->place);
    search_result_free(&searching->result);
}

static const char *end_word(enum search_end end)
{
    static const char *const words[] = {"complete", "matches", "bytes", "time"};

    return words[end];
}

static void push_counts(lua_State *L, const struct search_result *result)
{
    bind_set_integer(L, "matches", result->matches);
    bind_set_integer(L, "files_matched", result->files_matched);
    bind_set_integer(L, "files_searched", result->files_searched);
    bind_set_integer(L, "files_seen", result->files_seen);
    bind_set_integer(L, "lines_searched", result->lines_searched);
    bind_set_integer(L, "binary", result->binary);
    bind_set_integer(L, "large", result->large);
    bind_set_integer(L, "unreadable", result->unreadable);
    bind_set_integer(L, "unsendable", result->unsendable);
}

static void push_result(lua_State *L, const struct searching *searching)
{
    const struct search_result *result = &searching->result;
    const char *word = end_word(result->end);

    lua_createtable(L, 0, 24);
    bind_set_text(L, "text", result->text.size == 0 ? "" : result->text.data, result->text.size);
    bind_set_text(L, "stop", word, strlen(word));
    if (result->end == SEARCH_TIME)
        bind_set_short_of(L);
    bind_set_path(L, "first_large", result->first_large, strlen(result->first_large));
    bind_set_path(L, "first_escaped", result->first_escaped, strlen(result->first_escaped));
    bind_set_path(L, "first_binary", result->first_binary, strlen(result->first_binary));
    push_counts(L, result);
    bind_set_boolean(L, "is_file", searching->is_file);
    bind_set_integer(L, "size", searching->node.size);
    fs_set_notes(L, &result->notes);
    if (!result->too_expensive)
        return;
    bind_set_text(L, "expensive_file", result->expensive_file, strlen(result->expensive_file));
    bind_set_integer(L, "expensive_line", result->expensive_line);
    bind_set_integer(L, "expensive_bytes", result->expensive_bytes);
}

static enum search_output read_output(lua_State *L)
{
    size_t size;
    const char *word = bind_field_string(L, 4, "output", &size);

    if (word == NULL || strcmp(word, "lines") == 0 || strcmp(word, "json") == 0)
        return SEARCH_LINES;
    if (strcmp(word, "files") == 0)
        return SEARCH_FILES;
    luaL_argcheck(L, strcmp(word, "count") == 0, 4, "output must be lines, json, files or count");
    return SEARCH_COUNT;
}

static uint64_t read_count(lua_State *L, const char *name, uint64_t fallback)
{
    lua_Integer value = bind_field_integer(L, 4, name, (lua_Integer)fallback);

    if (value < 0)
        luaL_error(L, "field '%s' is negative", name);
    return (uint64_t)value;
}

static bool wants_json(lua_State *L)
{
    size_t size;
    const char *word = bind_field_string(L, 4, "output", &size);

    return word != NULL && strcmp(word, "json") == 0;
}

/* Globs and the output word stay on the stack, where they live as long as the call. */
static struct search_options read_options(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    const struct limits *limits = host->limits;
    struct search_options options = {
        .regex = regex_check(L, 3),
        .output = read_output(L),
        .as_json = wants_json(L),
        .context = read_count(L, "context", 0),
        .match_ceiling = read_count(L, "max", limits->grep_matches),
        .byte_ceiling = read_count(L, "bytes", limits->result_bytes),
        .file_ceiling = limits->grep_file_bytes,
        .threads = (unsigned)limits->threads,
        .only = fs_glob(L, 4, "glob", "grep"),
        .tree = {.depth = read_count(L, "depth", 0),
                 .depth_ceiling = limits->walk_depth,
                 .budget = &host->budget},
    };

    luaL_argcheck(L, !options.as_json || options.context == 0, 4, "json shows no context");
    options.tree.only_below = options.only;
    options.tree.exclude =
        fs_excludes(L, fs_glob(L, 4, "exclude", "grep"), &options.tree.exclude_count);
    return options;
}

/* The directory that was opened, or one of the view alone. */
static croft_status search_below(struct searching *searching, const struct hidden *hidden,
                                 const struct path *path, struct search_options *options,
                                 croft_error *err)
{
    if (path->size > 0) {
        memcpy(searching->prefix, path->text, path->size);
        strcpy(searching->prefix + path->size, "/");
    }
    options->prefix = searching->prefix;
    options->tree.hidden = hidden;
    options->tree.base = searching->base;
    return search_tree(searching->root, searching->fd, options, &searching->result, err);
}

static croft_status search_virtual(struct searching *searching, const struct route *route,
                                   struct search_options *options, croft_error *err)
{
    snprintf(searching->base, sizeof searching->base, "%s", route->spelled->text);
    return search_below(searching, route->hidden, route->spelled, options, err);
}

static croft_status run(struct searching *searching, const struct route *route,
                        struct search_options *options, croft_error *err)
{
    const struct path *path = route->spelled;
    croft_status status =
        resolve(searching->root, route->path, RESOLVE_EXISTING, &searching->place, err);
    mode_t want;

    if (fs_is_virtual(route, status))
        return search_virtual(searching, route, options, err);
    if (status != CROFT_OK)
        return status;
    searching->is_file = !S_ISDIR(searching->place.node.mode);
    want = searching->is_file ? S_IFREG : S_IFDIR;
    if (!fs_take_base(&searching->place, searching->base))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "deep", "the path is too deep");
    status =
        open_place(&searching->place, route->path, want, &searching->fd, &searching->node, err);
    if (status != CROFT_OK)
        return status;
    if (searching->is_file)
        status = search_file(searching->root, searching->fd, &searching->node, path->text, options,
                             &searching->result, err);
    else
        status = search_below(searching, searching->place.hidden, path, options, err);
    return path_blame_last(route->path, status, err);
}

/* fs:search(path, regex, {output, context, max, bytes, glob, exclude, depth}) -> result */
int fs_search(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 4, "grep");
    struct search_options options = read_options(L);
    struct searching *searching = bind_own(L, sizeof *searching, close_searching);
    int box = lua_gettop(L);
    croft_error err;
    croft_status status;

    bind_tick(L, 100);
    searching->fd = searching->place.fd = -1;
    searching->root = route->root;
    status = run(searching, route, &options, &err);
    if (searching->fd >= 0)
        fs_note_opened(L, route, &searching->node);
    if (status != CROFT_OK) {
        bind_tick(L, 0); /* a breach ends the call here */
        route_locate(route, &err);
        bind_push_error(L, &err, "grep", 2);
        bind_set_integer(L, "size", searching->node.size);
        return lua_error(L);
    }
    bind_note_bytes(L, searching->result.text.size);
    push_result(L, searching);
    bind_release(L, box);
    return 1;
}
