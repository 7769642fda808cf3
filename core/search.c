/* SPDX-License-Identifier: MIT */
#include "search.h"

#include "breach.h"
#include "lines.h"
#include "search_parts.h"
#include "utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUFFER = 256 * KIB };

/* ---- one file ---- */

enum reading { READ_TEXT, READ_BINARY, READ_LARGE, READ_FAILED, READ_NO_MEMORY };

static bool make_room(struct searcher *searcher, uint64_t wanted)
{
    size_t capacity = searcher->capacity == 0 ? FIRST_BUFFER : searcher->capacity * 2;
    char *buffer;

    if (capacity < wanted)
        capacity = wanted;
    buffer = realloc(searcher->buffer, capacity);
    if (buffer == NULL)
        return false;
    searcher->buffer = buffer;
    searcher->capacity = capacity;
    return true;
}

/* Reads the file at hand. Its size, `expected`, is a hint: it saves the read that finds the end. */
static enum reading read_text(struct searcher *searcher, int fd, uint64_t expected, size_t *filled)
{
    uint64_t ceiling = searcher->options->file_ceiling;

    for (*filled = 0;;) {
        ssize_t count;
        size_t room;

        if (searcher->capacity <= *filled || (*filled == 0 && searcher->capacity <= expected)) {
            if (!make_room(searcher, *filled == 0 ? expected + 1 : 0))
                return READ_NO_MEMORY;
        }
        room = searcher->capacity - *filled;
        count = searcher->root->sys->pread(fd, searcher->buffer + *filled, room, (off_t)*filled);
        if (count < 0)
            return READ_FAILED;
        if (*filled < TEXT_PROBE && lines_binary(searcher->buffer, *filled + (size_t)count))
            return READ_BINARY;
        *filled += (size_t)count;
        if (*filled > ceiling)
            return READ_LARGE;
        if (count == 0 || (*filled == expected && (size_t)count < room))
            return READ_TEXT;
    }
}

static void keep_first(uint64_t count, char *first, const struct searcher *searcher)
{
    size_t size = searcher->path.size < PATH_BYTES ? searcher->path.size : PATH_BYTES;

    if (count != 1)
        return;
    memcpy(first, searcher->path.data, size);
    first[size] = '\0';
}

static void count_large(struct searcher *searcher)
{
    keep_first(++searcher->result->large, searcher->result->first_large, searcher);
}

static void search_read(struct searcher *searcher, size_t size)
{
    size_t mark = lines_mark(searcher->buffer, size);

    if (utf8_valid(searcher->path.data, searcher->path.size) < searcher->path.size)
        searcher->result->unsendable++;
    search_text(searcher, searcher->buffer + mark, size - mark);
}

/* Searches the open file at hand. */
static void search_open(struct searcher *searcher, int fd, const struct node *node)
{
    struct search_result *result = searcher->result;
    size_t size;

    if (node->size > searcher->options->file_ceiling) {
        count_large(searcher);
        return;
    }
    switch (read_text(searcher, fd, node->size, &size)) {
    case READ_TEXT: search_read(searcher, size); break;
    case READ_BINARY: keep_first(++result->binary, result->first_binary, searcher); break;
    case READ_LARGE: count_large(searcher); break;
    case READ_FAILED: result->unreadable++; break;
    case READ_NO_MEMORY: searcher->status = CROFT_INTERNAL; break;
    }
}

/* ---- a tree ---- */

/* Why a file was not opened. One that is gone, or is none any more, is no news. */
static void note_refusal(struct search_result *result, croft_status status)
{
    switch (status) {
    case CROFT_MISSING:
    case CROFT_CHANGED:
    case CROFT_LOOP: break;
    case CROFT_CROSSES_MOUNT: result->notes.other_mounts++; break;
    default: result->unreadable++;
    }
}

static void take_path(struct searcher *searcher, const char *prefix, const char *path)
{
    bytes_clear(&searcher->shown);
    bytes_clear(&searcher->path);
    bytes_add_text(&searcher->path, prefix);
    bytes_add_text(&searcher->path, path);
    bytes_end(&searcher->path);
    if (searcher->path.failed)
        searcher->status = CROFT_INTERNAL;
}

static void search_entry(struct searcher *searcher, const struct tree_entry *entry)
{
    const struct search_options *options = searcher->options;
    struct node node;
    int fd = -1;
    croft_status status =
        open_entry(searcher->root, entry->dir, entry->name, S_IFREG, &fd, &node, NULL);

    if (status != CROFT_OK) {
        note_refusal(searcher->result, status);
        return;
    }
    take_path(searcher, options->prefix == NULL ? "" : options->prefix, entry->path);
    if (searcher->status == CROFT_OK)
        search_open(searcher, fd, &node);
    searcher->root->sys->close(fd);
}

static bool visit(void *user, const struct tree_entry *entry)
{
    struct searcher *searcher = user;
    const struct glob *only = searcher->options->only;

    if (entry->type == 0) /* it cannot be told: whatever it is, it is not searched */
        searcher->result->unreadable++;
    if (entry->type != S_IFREG)
        return true;
    searcher->result->files_seen++;
    if (only != NULL && !glob_fits(only, entry->path, entry->path_size, false))
        return true;
    if (budget_is_short(searcher->options->tree.budget)) {
        searcher->result->end = SEARCH_TIME;
        return false;
    }
    search_entry(searcher, entry);
    return !searcher->done && searcher->status == CROFT_OK;
}

/* ---- both ---- */

static croft_status open_searcher(struct searcher *searcher, croft_error *err)
{
    memset(searcher->result, 0, sizeof *searcher->result);
    searcher->matcher = matcher_new(searcher->options->regex);
    if (searcher->matcher == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return CROFT_OK;
}

static void close_searcher(struct searcher *searcher)
{
    matcher_free(searcher->matcher);
    free(searcher->buffer);
    bytes_free(&searcher->path);
    bytes_free(&searcher->shown);
}

/* The status that the search ends with. */
static croft_status verdict(const struct searcher *searcher, croft_error *err)
{
    const struct budget *budget = searcher->options->tree.budget;

    if (budget->breach != BREACH_NONE)
        return fail_breach(budget, err);
    if (searcher->status != CROFT_OK)
        return fail(err, searcher->status, ENOMEM, "out of memory");
    return CROFT_OK;
}

croft_status search_tree(const struct root *root, int fd, const struct search_options *options,
                         struct search_result *result, croft_error *err)
{
    struct searcher searcher = {.root = root, .options = options, .result = result};
    croft_status status = open_searcher(&searcher, err);

    if (status == CROFT_OK)
        status = tree_walk(root, fd, &options->tree, visit, &searcher, &result->notes, err);
    if (status == CROFT_OK)
        status = verdict(&searcher, err);
    if (result->notes.stopped)
        result->end = SEARCH_TIME;
    close_searcher(&searcher);
    return status;
}

croft_status search_file(const struct root *root, int fd, const struct node *node, const char *path,
                         const struct search_options *options, struct search_result *result,
                         croft_error *err)
{
    struct searcher searcher = {
        .root = root, .options = options, .result = result, .counts_lines = true};
    croft_status status = open_searcher(&searcher, err);

    result->files_seen = 1;
    if (status == CROFT_OK) {
        take_path(&searcher, "", path);
        if (searcher.status == CROFT_OK)
            search_open(&searcher, fd, node);
        status = verdict(&searcher, err);
    }
    if (status == CROFT_OK && result->large > 0)
        status = fail(err, CROFT_TOO_LARGE, 0, "it is larger than the ceiling");
    if (status == CROFT_OK && result->unreadable > 0)
        status = fail(err, CROFT_IO, EIO, "it cannot be read");
    close_searcher(&searcher);
    return status;
}

void search_result_free(struct search_result *result)
{
    bytes_free(&result->text);
}
