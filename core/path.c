/* SPDX-License-Identifier: MIT */
#include "path.h"

#include <string.h>

#include "utf8.h"

static croft_status refuse(croft_error *err, croft_status kind, const char *detail, size_t at,
                           const char *what)
{
    fail(err, kind, 0, what);
    if (err != NULL) {
        strncpy(err->detail, detail, sizeof err->detail - 1);
        err->at = (unsigned)at;
    }
    return kind;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool path_names_drive(const char *text, size_t size)
{
    return size >= 3 && is_letter(text[0]) && text[1] == ':' && (text[2] == '/' || text[2] == '\\');
}

/* What can be said of the argument before it is taken apart. */
static croft_status check_whole(const char *text, size_t size, croft_error *err)
{
    if (size == 0)
        return refuse(err, CROFT_BAD_ARGUMENT, "empty", 0, "the path is empty");
    if (memchr(text, '\0', size) != NULL)
        return refuse(err, CROFT_BAD_ARGUMENT, "nul", 0, "the path holds a NUL");
    if (size > PATH_BYTES)
        return refuse(err, CROFT_BAD_ARGUMENT, "long", 0, "the path is too long");
    if (text[0] == '/')
        return refuse(err, CROFT_OUTSIDE, "absolute", 0, "the path is absolute");
    return CROFT_OK;
}

static void push(struct path *path, const char *part, size_t size)
{
    struct component *component = &path->parts[path->count++];

    if (path->size > 0)
        path->text[path->size++] = '/';
    component->from = (uint16_t)path->size;
    component->size = (uint16_t)size;
    memcpy(path->text + path->size, part, size);
    path->size += size;
}

static void pop(struct path *path)
{
    const struct component *last = &path->parts[--path->count];

    path->size = last->from == 0 ? 0 : (size_t)last->from - 1;
}

/* Takes one component as spelled. `part` may be "" (a doubled or final "/"), "." or "..". */
static croft_status take(struct path *path, const char *part, size_t size, croft_error *err)
{
    bool dot = size == 1 && part[0] == '.';
    bool dots = size == 2 && part[0] == '.' && part[1] == '.';

    path->must_be_directory = size == 0 || dot || dots;
    if (size == 0 || dot)
        return CROFT_OK;
    if (dots) {
        if (path->count == 0)
            return refuse(err, CROFT_OUTSIDE, "climbs", 0, "the path climbs above the root");
        pop(path);
        return CROFT_OK;
    }
    if (size > NAME_BYTES)
        return refuse(err, CROFT_BAD_ARGUMENT, "long", path->count, "a name is too long");
    push(path, part, size);
    return CROFT_OK;
}

croft_status path_parse(const char *text, size_t size, struct path *path, croft_error *err)
{
    if (utf8_valid(text, size) != size)
        return refuse(err, CROFT_BAD_ARGUMENT, "utf8", 0, "the path is not UTF-8");
    if (path_names_drive(text, size))
        return refuse(err, CROFT_OUTSIDE, "drive", 0, "the path names a drive");
    return path_parse_raw(text, size, path, err);
}

croft_status path_parse_raw(const char *text, size_t size, struct path *path, croft_error *err)
{
    croft_status status = check_whole(text, size, err);
    size_t from = 0;

    path->size = 0;
    path->count = 0;
    path->must_be_directory = false;
    while (status == CROFT_OK && from <= size) {
        const char *slash = memchr(text + from, '/', size - from);
        size_t end = slash == NULL ? size : (size_t)(slash - text);

        status = take(path, text + from, end - from, err);
        from = end + 1;
    }
    path->text[path->size] = '\0';
    return status;
}

croft_status path_blame_last(const struct path *path, croft_status status, croft_error *err)
{
    if (status != CROFT_OK && status != CROFT_READ_ONLY && err != NULL && path->count > 0)
        err->at = (unsigned)path->count - 1;
    return status;
}

bool name_is_reserved(const char *name, size_t size)
{
    size_t length = sizeof RESERVED_PREFIX - 1;

    return size >= length && memcmp(name, RESERVED_PREFIX, length) == 0;
}
