/* SPDX-License-Identifier: MIT */
/* croft_debug.h in terms of the floors below it, but for what is about a call that stands still. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "croft_debug.h"
#include "dir.h"
#include "door.h"
#include "embedded.h"
#include "json_scan.h"
#include "resolve.h"
#include "wall.h"

/* ---- sessions ---------------------------------------------------------------------------------- */

croft_status croft_debug_session_open(croft_debug *debug, croft_view *view,
                                      const croft_session_options *options, croft_session **session,
                                      croft_error *err)
{
    return session_open(view, options, debug, session, err);
}

croft_status croft_debug_evaluate(croft_session *session, const char *text, size_t size,
                                  uint64_t call_id, size_t most, croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);
    uint64_t started = clock_ns();

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    door_fill_result(result, session_evaluate(session, text, size, call_id, most, &owned->reply),
                     owned);
    result->microseconds = (clock_ns() - started - owned->reply.paused_ns) / 1000;
    return CROFT_OK;
}

/* ---- sources ----------------------------------------------------------------------------------- */

static void add_member(struct bytes *out, const char *before, const char *text)
{
    bytes_add_text(out, before);
    json_quote(out, text, strlen(text));
}

static void give(struct bytes *out, croft_debug_sink *sink, void *user)
{
    bytes_end(out);
    sink(user, out->size == 0 ? "" : out->data, out->size);
    bytes_free(out);
}

void croft_debug_sources(const croft_session *session, croft_debug_sink *sink, void *user)
{
    struct bytes out = {0};

    bytes_add_char(&out, '[');
    for (size_t i = 0; i < session->sources.count; i++) {
        const struct source *source = &session->sources.items[i];

        add_member(&out, i > 0 ? ",{\"file\":" : "{\"file\":", source->chunk + 1);
        add_member(&out, ",\"module\":", source->module);
        bytes_add_char(&out, '}');
    }
    bytes_add_char(&out, ']');
    give(&out, sink, user);
}

bool croft_debug_source(const croft_session *session, const char *file, croft_debug_sink *sink,
                        void *user)
{
    for (size_t i = 0; i < session->sources.count; i++) {
        const struct source *source = &session->sources.items[i];

        if (strcmp(source->chunk + 1, file) != 0)
            continue;
        if (source->embedded != NULL)
            sink(user, (const char *)source->embedded->data, source->embedded->size);
        else
            sink(user, source->text.size == 0 ? "" : source->text.data, source->text.size);
        return true;
    }
    return false;
}

/* A line of what the pool knows: name, TAB, something, TAB, module. */
static void add_tool(const croft_session *session, const char *line, size_t size, struct bytes *out)
{
    const char *tab = memchr(line, '\t', size);
    const char *module = memrchr(line, '\t', size);
    char name[256];
    const struct source *source;

    if (tab == NULL || module == tab || (size_t)(line + size - module) > sizeof name)
        return;
    memcpy(name, module + 1, (size_t)(line + size - module - 1));
    name[line + size - module - 1] = '\0';
    source = sources_find(&session->sources, name);
    bytes_add_text(out, out->size > 1 ? ",{\"name\":" : "{\"name\":");
    json_quote(out, line, (size_t)(tab - line));
    add_member(out, ",\"file\":", source == NULL ? "" : source->chunk + 1);
    bytes_add_text(out,
                   strncmp(name, "user.", 5) == 0 ? ",\"built_in\":false" : ",\"built_in\":true");
    bytes_add_char(out, '}');
}

void croft_debug_tools(croft_session *session, croft_debug_sink *sink, void *user)
{
    const struct bytes *known = &session->pool.known;
    struct bytes out = {0};

    (void)session_tools(session); /* makes the first interpreter, which knows them */
    bytes_add_char(&out, '[');
    for (size_t from = 0; from < known->size;) {
        const char *line = known->data + from;
        const char *end = memchr(line, '\n', known->size - from);
        size_t size = end == NULL ? known->size - from : (size_t)(end - line);

        add_tool(session, line, size, &out);
        from += size + 1;
    }
    bytes_add_char(&out, ']');
    give(&out, sink, user);
}

/* ---- completion -------------------------------------------------------------------------------- */

enum { COMPLETE_NS = 250 * 1000 * 1000, ENTRIES_BETWEEN_LOOKS = 1000 };

struct completing {
    const croft_view *view;
    const char *path; /* as it is typed; its last piece begins at `from` */
    size_t size, from;
    size_t most, count;
    croft_debug_found *found;
    void *user;
};

/* Resolves that name in the directory at hand: what it is itself, or what it leads to. False where no tool would
 * see it. */
static bool look_up(const struct completing *job, const char *name, size_t size,
                    enum resolve_how how, struct node *node)
{
    char text[PATH_BYTES + 1];
    struct path path;
    struct route route;
    struct place place;
    bool good;

    if (job->from + size > PATH_BYTES)
        return false;
    memcpy(text, job->path, job->from);
    memcpy(text + job->from, name, size);
    if (path_parse_raw(text, job->from + size, &path, NULL) != CROFT_OK ||
        view_route(job->view, &path, &route, NULL) != CROFT_OK)
        return false;
    good = resolve(route.root, route.path, how, &place, NULL) == CROFT_OK;
    if (good) {
        *node = place.node;
        place_close(&place);
    }
    route_end(&route);
    return good;
}

/* False when that is one too many. */
static bool offer(struct completing *job, const char *name, size_t size)
{
    struct node node;

    if (!look_up(job, name, size, RESOLVE_NAME, &node))
        return true;
    if (job->count++ == job->most)
        return false;
    if (S_ISLNK(node.mode) && !look_up(job, name, size, RESOLVE_EXISTING, &node))
        node.mode = S_IFLNK;
    job->found(job->user, name, size, S_ISDIR(node.mode));
    return true;
}

static bool goes_on(const struct completing *job, const char *name, size_t size)
{
    size_t typed = job->size - job->from;

    return size >= typed && memcmp(name, job->path + job->from, typed) == 0 &&
           (name[0] != '.' || typed > 0);
}

static bool is_mount(const struct hidden *names, const struct dir_entry *entry)
{
    const struct hidden *child =
        names == NULL ? NULL : hidden_exact(names, entry->name, entry->size);

    return child != NULL && child->mount != NULL;
}

/* False when there may be more. Where one of `names` is a mount, that was offered. */
static bool find_names(struct completing *job, const struct hidden *names, int fd)
{
    uint64_t end = clock_ns() + COMPLETE_NS;
    size_t seen = 0;
    struct dir dir;
    struct dir_entry entry;

    dir_init(&dir, job->view->root->sys, fd);
    while (dir_next(&dir, &entry)) {
        if (++seen % ENTRIES_BETWEEN_LOOKS == 0 && clock_ns() > end)
            return false;
        if (goes_on(job, entry.name, entry.size) && !is_mount(names, &entry) &&
            !offer(job, entry.name, entry.size))
            return false;
    }
    return true;
}

/* The other trees of the view that lie in the directory. */
static bool find_mounts(struct completing *job, const struct hidden *names)
{
    for (size_t i = 0; names != NULL && i < names->count; i++) {
        const struct hidden *child = names->children[i];
        size_t size = strlen(child->name);

        if (child->mount == NULL || !goes_on(job, child->name, size))
            continue;
        if (job->count++ == job->most)
            return false;
        job->found(job->user, child->name, size, true);
    }
    return true;
}

static bool find_in(struct completing *job, const struct route *route)
{
    struct place place;
    struct node node;
    bool all = true;
    int fd;

    if (resolve(route->root, route->path, RESOLVE_STACK, &place, NULL) != CROFT_OK)
        return true;
    if (open_place(&place, route->path, S_IFDIR, &fd, &node, NULL) == CROFT_OK) {
        all = find_names(job, route->hidden, fd);
        route->root->sys->close(fd);
    }
    place_close(&place);
    return all;
}

bool croft_debug_complete(const croft_view *view, const char *path, size_t size, size_t most,
                          croft_debug_found *found, void *user)
{
    const char *slash = memrchr(path, '/', size);
    struct completing job = {.view = view,
                             .path = path,
                             .size = size,
                             .from = slash == NULL ? 0 : (size_t)(slash - path) + 1,
                             .most = most,
                             .found = found,
                             .user = user};
    const char *directory = job.from == 0 ? "." : path;
    struct path cleaned;
    struct route route;
    bool all;

    if (path_parse(directory, job.from == 0 ? 1 : job.from, &cleaned, NULL) != CROFT_OK ||
        view_route(view, &cleaned, &route, NULL) != CROFT_OK)
        return true;
    all = find_mounts(&job, route.hidden) && find_in(&job, &route);
    route_end(&route);
    return all;
}

/* ---- the wall ---------------------------------------------------------------------------------- */

enum { READABLE = 64 };

croft_status croft_debug_confine(const croft_view *view, const char *const *dirs, size_t count,
                                 croft_wall *wall, croft_error *err)
{
    croft_view_options options;
    struct root *readable[READABLE];
    size_t opened = 0;
    croft_status status = CROFT_OK;

    croft_view_options_init(&options);
    if (count > READABLE)
        return fail(err, CROFT_TOO_MANY, 0, "there are more than 64 directories");
    for (; opened < count && status == CROFT_OK; opened++) {
        readable[opened] = NULL;
        status = root_open(dirs[opened], &options, view->root->sys, &readable[opened], err);
    }
    if (status == CROFT_OK)
        status = wall_raise(view->root, view->layout->mounts, readable, count, wall, err);
    while (opened > 0)
        root_close(readable[--opened]);
    return status;
}
