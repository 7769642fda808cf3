/* SPDX-License-Identifier: MIT */
#include "sources.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "dir.h"
#include "dump.h"
#include "embedded.h"
#include "file.h"

/* ---- the list ---------------------------------------------------------------------------------- */

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* Adds a source, with copies of its names, that has no code yet. NULL: out of memory. */
static struct source *add(struct sources *sources, const char *module, const char *chunk,
                          croft_error *err)
{
    struct source *source;

    if (sources->count == sources->capacity) {
        size_t capacity = sources->capacity == 0 ? 32 : sources->capacity * 2;
        struct source *items = realloc(sources->items, capacity * sizeof *items);

        if (items == NULL) {
            out_of_memory(err);
            return NULL;
        }
        sources->items = items;
        sources->capacity = capacity;
    }
    source = &sources->items[sources->count++];
    memset(source, 0, sizeof *source);
    source->module = strdup(module);
    source->chunk = strdup(chunk);
    source->is_tool = strncmp(module, "croft.", 6) != 0;
    if (source->module != NULL && source->chunk != NULL)
        return source;
    out_of_memory(err);
    return NULL;
}

/* Adds a source that is compiled for this session. */
static croft_status add_text(struct sources *sources, const char *module, const char *chunk,
                             const void *text, size_t size, croft_error *err)
{
    struct source *source = add(sources, module, chunk, err);
    croft_status status;

    if (source == NULL)
        return CROFT_INTERNAL;
    status = dump_text(text, size, chunk, &source->own, err);
    if (status == CROFT_OK) {
        source->code = source->own.data;
        source->size = source->own.size;
    }
    return status;
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->items[i].module);
        free(sources->items[i].chunk);
        bytes_free(&sources->items[i].own);
    }
    free(sources->items);
    memset(sources, 0, sizeof *sources);
}

const struct source *sources_find(const struct sources *sources, const char *module)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->items[i].module, module) == 0)
            return &sources->items[i];
    return NULL;
}

/* ---- files ------------------------------------------------------------------------------------- */

/* Reads `name` (relative, cleaned) below `root`. */
static croft_status read_file(const struct root *root, const char *name, struct bytes *out,
                              croft_error *err)
{
    struct path path;
    struct node node;
    int fd;
    croft_status status = path_parse(name, strlen(name), &path, err);

    if (status == CROFT_OK)
        status = file_open(root, &path, &fd, &node, err);
    if (status != CROFT_OK)
        return status;
    status = file_read(root->sys, fd, SOURCE_BYTES, out, err);
    root->sys->close(fd);
    return status;
}

static croft_status open_directory(const char *path, struct root **root, croft_error *err)
{
    croft_view_options options = {.size = sizeof options, .resolver = CROFT_RESOLVER_AUTO};

    return root_open(path, &options, &sys_kernel, root, err);
}

/* ---- tool directories -------------------------------------------------------------------------- */

struct tool_dir {
    struct root *root;
    const char *label; /* the last component of its path: what errors show */
    size_t label_size;
    size_t number; /* from 1 */
    char **names;
    size_t count;
};

static bool ends_in(const struct dir_entry *entry, const char *end)
{
    size_t size = strlen(end);

    return entry->size > size && strcmp(entry->name + entry->size - size, end) == 0;
}

/* A tool's spec lies beside it and is none. */
static bool is_tool_file(const struct dir_entry *entry)
{
    return entry->name[0] != '.' && ends_in(entry, ".lua") && !ends_in(entry, "_spec.lua");
}

static croft_status add_name(struct tool_dir *dir, const char *name, croft_error *err)
{
    char **names = realloc(dir->names, (dir->count + 1) * sizeof *names);

    if (names == NULL)
        return out_of_memory(err);
    dir->names = names;
    names[dir->count] = strdup(name);
    return names[dir->count++] == NULL ? out_of_memory(err) : CROFT_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static croft_status list_names(struct tool_dir *dir, croft_error *err)
{
    const struct sys *sys = dir->root->sys;
    int fd = sys->openat(dir->root->fd, ".", 0 /* O_RDONLY */, 0);
    croft_status status = CROFT_OK;
    struct dir entries;
    struct dir_entry entry;

    if (fd < 0)
        return fail(err, status_of_errno(errno), errno, "the directory cannot be read");
    dir_init(&entries, sys, fd);
    while (status == CROFT_OK && dir_next(&entries, &entry))
        if (is_tool_file(&entry))
            status = add_name(dir, entry.name, err);
    sys->close(fd);
    if (dir->count > 0)
        qsort(dir->names, dir->count, sizeof *dir->names, by_text);
    return status;
}

static croft_status add_tool(struct sources *sources, const struct tool_dir *dir, const char *name,
                             croft_error *err)
{
    char module[NAME_BYTES + 32], chunk[2 * NAME_BYTES + 8];
    struct bytes text = {0};
    croft_status status;

    snprintf(module, sizeof module, "user.%zu.%.*s", dir->number, (int)strlen(name) - 4, name);
    snprintf(chunk, sizeof chunk, "@%.*s/%s", (int)dir->label_size, dir->label, name);
    status = read_file(dir->root, name, &text, err);
    if (status == CROFT_OK)
        status = add_text(sources, module, chunk, bytes_end(&text), text.size, err);
    else if (status == CROFT_TOO_LARGE)
        fail_format(err, status, 0, "%s is larger than 256 KiB", chunk + 1);
    else
        fail_format(err, status, 0, "%s cannot be read", chunk + 1);
    bytes_free(&text);
    return status;
}

static croft_status add_tool_dir(struct sources *sources, const char *path, size_t number,
                                 croft_error *err)
{
    struct tool_dir dir = {.number = number};
    size_t end = strlen(path);
    croft_status status;

    while (end > 1 && path[end - 1] == '/')
        end--;
    while (dir.label_size < end && path[end - dir.label_size - 1] != '/' &&
           dir.label_size < NAME_BYTES)
        dir.label_size++;
    dir.label = path + end - dir.label_size;
    status = open_directory(path, &dir.root, err);
    if (status == CROFT_OK)
        status = list_names(&dir, err);
    else
        fail_format(err, status, 0, "the tool directory \"%.*s\" cannot be opened",
                    (int)dir.label_size, dir.label);
    for (size_t i = 0; i < dir.count && status == CROFT_OK; i++)
        status = add_tool(sources, &dir, dir.names[i], err);
    for (size_t i = 0; i < dir.count; i++)
        free(dir.names[i]);
    free(dir.names);
    root_close(dir.root);
    return status;
}

/* ---- the library's own ------------------------------------------------------------------------- */

/* Compiled once in a process: one for each of session_sources, empty where that failed. */
static pthread_once_t compile_once = PTHREAD_ONCE_INIT;
static struct bytes *compiled;

static void compile_embedded(void)
{
    croft_error err;

    compiled = calloc(session_source_count, sizeof *compiled);
    for (size_t i = 0; compiled != NULL && i < session_source_count; i++) {
        const struct embedded_source *item = &session_sources[i];
        const void *text = item->data;

        if (dump_text(text, item->size, item->chunk, &compiled[i], &err) != CROFT_OK)
            bytes_free(&compiled[i]);
    }
}

static croft_status add_embedded(struct sources *sources, size_t index, croft_error *err)
{
    const struct embedded_source *item = &session_sources[index];
    struct source *source;

    pthread_once(&compile_once, compile_embedded);
    if (compiled == NULL || compiled[index].size == 0) /* no memory then: once more */
        return add_text(sources, item->module, item->chunk, item->data, item->size, err);
    source = add(sources, item->module, item->chunk, err);
    if (source == NULL)
        return CROFT_INTERNAL;
    source->code = compiled[index].data;
    source->size = compiled[index].size;
    return CROFT_OK;
}

/* Debug builds may read the library's own Lua from a checkout, so that a change needs no build. */
static croft_status add_from_checkout(struct sources *sources, const char *dir, croft_error *err)
{
    struct root *checkout = NULL;
    croft_status status = open_directory(dir, &checkout, err);

    for (size_t i = 0; i < session_source_count && status == CROFT_OK; i++) {
        const struct embedded_source *item = &session_sources[i];
        struct bytes text = {0};

        status = read_file(checkout, item->chunk + 1, &text, err);
        if (status == CROFT_OK)
            status = add_text(sources, item->module, item->chunk, bytes_end(&text), text.size, err);
        bytes_free(&text);
    }
    root_close(checkout);
    return status;
}

static const char *checkout_directory(void)
{
#ifdef CROFT_LUA_DIR_ALLOWED
    return getenv("CROFT_LUA_DIR");
#else
    return NULL;
#endif
}

/* ---- all --------------------------------------------------------------------------------------- */

croft_status sources_gather(struct sources *sources, const croft_session_options *options,
                            croft_error *err)
{
    const char *dir = checkout_directory();
    croft_status status = dir == NULL ? CROFT_OK : add_from_checkout(sources, dir, err);

    for (size_t i = 0; i < session_source_count && dir == NULL && status == CROFT_OK; i++)
        status = add_embedded(sources, i, err);
    for (size_t i = 0; i < options->tool_dir_count && status == CROFT_OK; i++)
        status = add_tool_dir(sources, options->tool_dirs[i], i + 1, err);
    return status;
}
