/* SPDX-License-Identifier: MIT */
#include "sources.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "dump.h"
#include "embedded.h"
#include "file.h"
#include "sources_line.h"
#include "sources_parts.h"

#define EXTRA "tools.extra."
#define WORKSPACE "tools.workspace."
#define STAGED "tools.staged."
#define USER "user."

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

/* Whether the source is the file `name` of a tool directory: "user.1.toolset". */
static bool is_users(const struct source *source, const char *name)
{
    const char *number = source->module + sizeof USER - 1;

    return strncmp(source->module, USER, sizeof USER - 1) == 0 &&
           strcmp(number + strspn(number, "0123456789"), name) == 0;
}

bool source_is_manifest(const struct source *source)
{
    return is_users(source, ".toolset");
}

static bool is_messages(const struct source *source)
{
    return is_users(source, ".messages");
}

unsigned source_line_of(const struct source *source, const char *word)
{
    unsigned line =
        source->text.size == 0 ? 0 : sources_line_of(source->text.data, source->text.size, word);

    return line == 0 ? source->line : line;
}

croft_status sources_add_text(struct sources *sources, const char *module, const char *chunk,
                              const char *text, size_t size, croft_error *err)
{
    static const char mark[] =
        "\xEF\xBB\xBF"; /* some editors begin UTF-8 with it; Lua passes over it in files */
    struct source *source = add(sources, module, chunk, err);

    if (source == NULL)
        return CROFT_INTERNAL;
    if (size >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
        text += sizeof mark - 1;
        size -= sizeof mark - 1;
    }
    source->line = sources_line(text, size);
    if (sources->keeps_text || source_is_manifest(source) || is_messages(source))
        bytes_add(&source->text, text, size);
    return dump_text(text, size, chunk, &source->own, err);
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->items[i].module);
        free(sources->items[i].chunk);
        bytes_free(&sources->items[i].own);
        bytes_free(&sources->items[i].text);
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

croft_status sources_read_file(const struct root *root, const char *name, struct bytes *out,
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

croft_status sources_open_directory(const char *path, struct root **root, croft_error *err)
{
    croft_view_options options = {.size = sizeof options, .resolver = CROFT_RESOLVER_AUTO};

    return root_open(path, &options, &sys_kernel, root, err);
}

/* ---- the library's own ------------------------------------------------------------------------- */

/* One for each of session_sources, empty until it is needed: compiled once in a process. */
static pthread_mutex_t compile_lock = PTHREAD_MUTEX_INITIALIZER;
static struct bytes *compiled;

static croft_status compile(const struct embedded_source *item, struct bytes *out, croft_error *err)
{
    const void *text = item->data;
    croft_status status = dump_text(text, item->size, item->chunk, out, err);

    if (status != CROFT_OK)
        bytes_free(out);
    return status;
}

/* As source_code() has it, for one of the library's own that was not compiled when it was built. */
static struct code code_of(const struct embedded_source *item, croft_error *err)
{
    struct code code = {NULL, 0};

    pthread_mutex_lock(&compile_lock);
    if (compiled == NULL)
        compiled = calloc(session_source_count, sizeof *compiled);
    if (compiled == NULL) {
        out_of_memory(err);
    } else {
        struct bytes *place = &compiled[item - session_sources];

        if (place->size > 0 || compile(item, place, err) == CROFT_OK)
            code = (struct code){place->data, place->size};
    }
    pthread_mutex_unlock(&compile_lock);
    return code;
}

struct code source_code(const struct source *source, croft_error *err)
{
    const struct embedded_source *item = source->embedded;

    if (item == NULL)
        return (struct code){source->own.data, source->own.size};
    if (item->code != NULL)
        return (struct code){(const char *)item->code, item->code_size};
    return code_of(item, err);
}

/* Tools that are off unless they are named. */
static bool is_extra(const struct embedded_source *item)
{
    return strncmp(item->module, EXTRA, sizeof EXTRA - 1) == 0;
}

static bool is_wanted(const struct embedded_source *item, const croft_session_options *options)
{
    bool staged = strcmp(options->toolset, "staged") == 0;

    if (strncmp(item->module, WORKSPACE, sizeof WORKSPACE - 1) == 0)
        return !staged;
    if (strncmp(item->module, STAGED, sizeof STAGED - 1) == 0)
        return staged;
    if (!is_extra(item))
        return true;
    for (size_t i = 0; i < options->enable_count; i++)
        if (strcmp(item->module + sizeof EXTRA - 1, options->enable[i]) == 0)
            return true;
    return false;
}

static croft_status add_embedded(struct sources *sources, const struct embedded_source *item,
                                 croft_error *err)
{
    struct source *source = add(sources, item->module, item->chunk, err);

    if (source == NULL)
        return CROFT_INTERNAL;
    source->embedded = item;
    return CROFT_OK;
}

/* Debug builds may read the library's own Lua from a checkout, so that a change needs no build. */
static croft_status add_from_checkout(struct sources *sources, const char *dir,
                                      const croft_session_options *options, croft_error *err)
{
    struct root *checkout = NULL;
    croft_status status = sources_open_directory(dir, &checkout, err);

    for (size_t i = 0; i < session_source_count && status == CROFT_OK; i++) {
        const struct embedded_source *item = &session_sources[i];
        struct bytes text = {0};

        if (!is_wanted(item, options))
            continue;
        status = sources_read_file(checkout, item->chunk + 1, &text, err);
        if (status == CROFT_OK)
            status = sources_add_text(sources, item->module, item->chunk, bytes_end(&text),
                                      text.size, err);
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

static bool is_there(const char *extra)
{
    for (size_t i = 0; i < session_source_count; i++)
        if (is_extra(&session_sources[i]) &&
            strcmp(session_sources[i].module + sizeof EXTRA - 1, extra) == 0)
            return true;
    return false;
}

static void check_enabled(const croft_session_options *options, struct problems *problems)
{
    for (size_t i = 0; i < options->enable_count; i++)
        if (strcmp(options->toolset, "staged") == 0)
            problems_add_format(problems,
                                "the tool \"%.64s\" changes files at once, and the staged tool set "
                                "changes none before save_media: it cannot be enabled there",
                                options->enable[i]);
        else if (!is_there(options->enable[i]))
            problems_add_format(problems,
                                "there is no tool \"%.64s\" to enable; there are apply_patch, "
                                "move, remove, run and stat",
                                options->enable[i]);
}

static croft_status add_own(struct sources *sources, const croft_session_options *options,
                            croft_error *err)
{
    const char *dir = checkout_directory();
    croft_status status = CROFT_OK;

    if (dir != NULL)
        return add_from_checkout(sources, dir, options, err);
    for (size_t i = 0; i < session_source_count && status == CROFT_OK; i++)
        if (is_wanted(&session_sources[i], options))
            status = add_embedded(sources, &session_sources[i], err);
    return status;
}

croft_status sources_gather(struct sources *sources, const croft_session_options *options,
                            struct problems *problems, croft_error *err)
{
    croft_status status = add_own(sources, options, err);

    check_enabled(options, problems);
    for (size_t i = 0; i < options->tool_dir_count && status == CROFT_OK; i++)
        status = sources_add_dir(sources, options->tool_dirs[i], i + 1, problems, err);
    return status;
}
