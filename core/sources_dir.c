/* SPDX-License-Identifier: MIT */
/* The files of the directories that --tools names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "dir.h"
#include "sources_parts.h"
#include "utf8.h"

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

struct tool_dir {
    struct root *root;
    char label[NAME_BYTES + 16]; /* the last component of its path: what errors show */
    size_t number;               /* from 1 */
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
        return fail_errno(err, errno, "the directory cannot be read");
    dir_init(&entries, sys, fd);
    while (status == CROFT_OK && dir_next(&entries, &entry))
        if (is_tool_file(&entry))
            status = add_name(dir, entry.name, err);
    sys->close(fd);
    if (status == CROFT_OK && entries.sys_errno != 0)
        status = fail(err, status_of_errno(entries.sys_errno), entries.sys_errno,
                      "the directory cannot be read");
    if (dir->count > 0)
        qsort(dir->names, dir->count, sizeof *dir->names, by_text);
    return status;
}

/* What keeps a file from being a tool is gathered: the others are looked at too. */
static croft_status take_problem(struct problems *problems, const char *file, croft_status status,
                                 const croft_error *err)
{
    if (status == CROFT_INTERNAL || status == CROFT_OK)
        return status;
    if (status == CROFT_BAD_ARGUMENT)
        problems_add(problems, err->message, strlen(err->message)); /* begins with file and line */
    else if (status == CROFT_TOO_LARGE)
        problems_add_format(problems, "%s: it is larger than 256 KiB", file);
    else
        problems_add_format(problems, "%s: it cannot be read", file);
    if (strcmp(strrchr(file, '/'), "/toolset.lua") == 0)
        problems->are_fatal = true;
    return CROFT_OK;
}

/* "label/count_lines.lua" with the "@" of a chunk before it. */
static void write_chunk(const struct tool_dir *dir, const char *name, char *chunk, size_t size)
{
    snprintf(chunk, size, "@%s/%s", dir->label, name);
}

/* What is told of a file is one line of UTF-8: every other byte of `text` becomes "?". Whether there was none. */
static bool make_plain(char *text)
{
    bool was_plain = true;

    while (*text != '\0') {
        size_t length = utf8_length(text, strlen(text));

        if (length > 1 || (length == 1 && (unsigned char)*text >= 0x20 && *text != 0x7F)) {
            text += length;
        } else {
            *text++ = '?';
            was_plain = false;
        }
    }
    return was_plain;
}

static croft_status add_tool(struct sources *sources, const struct tool_dir *dir, const char *name,
                             struct problems *problems, croft_error *err)
{
    char module[NAME_BYTES + 32], chunk[2 * NAME_BYTES + 32];
    struct bytes text = {0};
    size_t before = sources->count;
    croft_status status;

    snprintf(module, sizeof module, "user.%zu.%.*s", dir->number, (int)strlen(name) - 4, name);
    write_chunk(dir, name, chunk, sizeof chunk);
    if (!make_plain(chunk)) {
        problems_add_format(
            problems, "%s: the name of a file must be UTF-8 without control characters", chunk + 1);
        return CROFT_OK;
    }
    status = sources_read_file(dir->root, name, &text, err);
    if (status == CROFT_OK)
        status = sources_add_text(sources, module, chunk, bytes_end(&text), text.size, err);
    bytes_free(&text);
    if (status != CROFT_OK && sources->count > before) /* there is no code in it */
        sources->items[before].is_left_out = true;
    return take_problem(problems, chunk + 1, status, err);
}

/* Whether files of another directory are called by that label. */
static bool is_taken(const struct sources *sources, const char *label)
{
    size_t size = strlen(label);

    for (size_t i = 0; i < sources->count; i++) {
        const char *file = sources->items[i].chunk + 1; /* behind the "@" */

        if (strncmp(file, label, size) == 0 && file[size] == '/' &&
            strchr(file + size + 1, '/') == NULL)
            return true;
    }
    return false;
}

/* The debugger knows files by their names alone: of directories "x/tools" and "y/tools" the second one's are
 * in "tools-2". */
static void find_label(struct tool_dir *dir, const struct sources *sources, const char *path)
{
    size_t end = strlen(path), size = 0;

    while (end > 1 && path[end - 1] == '/')
        end--;
    while (size < end && path[end - size - 1] != '/' && size < NAME_BYTES)
        size++;
    path += end - size;
    snprintf(dir->label, sizeof dir->label, "%.*s", (int)size, path);
    (void)make_plain(dir->label);
    for (unsigned number = 2; is_taken(sources, dir->label); number++)
        snprintf(dir->label + size, sizeof dir->label - size, "-%u", number);
}

croft_status sources_add_dir(struct sources *sources, const char *path, size_t number,
                             struct problems *problems, croft_error *err)
{
    struct tool_dir dir = {.number = number};
    croft_status status;

    find_label(&dir, sources, path);
    status = sources_open_directory(path, &dir.root, err);
    if (status == CROFT_OK)
        status = list_names(&dir, err);
    if (status != CROFT_OK && status != CROFT_INTERNAL) {
        problems_add_format(problems, "the tool directory \"%s\" cannot be opened", dir.label);
        problems->are_fatal = true; /* a manifest may be in it */
        status = CROFT_OK;
    }
    for (size_t i = 0; i < dir.count && status == CROFT_OK; i++)
        status = add_tool(sources, &dir, dir.names[i], problems, err);
    for (size_t i = 0; i < dir.count; i++)
        free(dir.names[i]);
    free(dir.names);
    root_close(dir.root);
    return status;
}
