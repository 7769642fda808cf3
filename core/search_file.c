/* SPDX-License-Identifier: MIT */
/*
 * One file, read in windows that stay in the processor's cache. A line that is longer than a window makes
 * the buffer grow; of all threads of a search only one has such a buffer at a time.
 */
#include "lines.h"
#include "search_parts.h"
#include "utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 256 * KIB };

bool searcher_open(struct searcher *searcher)
{
    searcher->matcher = matcher_new(searcher->options->regex);
    searcher->buffer = malloc(WINDOW + REGEX_BEHIND);
    searcher->capacity = WINDOW;
    return searcher->matcher != NULL && searcher->buffer != NULL;
}

void searcher_close(struct searcher *searcher)
{
    matcher_free(searcher->matcher);
    free(searcher->buffer);
    bytes_free(&searcher->path);
    bytes_free(&searcher->shown);
}

/* Whether its path is shown otherwise than it is sent. */
static bool is_escaped(const struct searcher *searcher)
{
    bool names_drive = path_names_drive(searcher->path.data, searcher->path.size);

    return searcher->shown.size > searcher->path.size + (names_drive ? strlen("./") : 0);
}

void searcher_take_path(struct searcher *searcher, const char *prefix, const char *path)
{
    bytes_clear(&searcher->shown);
    bytes_clear(&searcher->path);
    bytes_add_text(&searcher->path, prefix);
    bytes_add_text(&searcher->path, path);
    bytes_end(&searcher->path);
    if (searcher->path.failed)
        searcher->status = CROFT_INTERNAL;
}

/* ---- the buffer ---- */

static bool grow(struct searcher *searcher)
{
    char *buffer;

    if (searcher->capacity == WINDOW && searcher->large != NULL)
        pthread_mutex_lock(searcher->large);
    buffer = realloc(searcher->buffer, 2 * searcher->capacity + REGEX_BEHIND);
    if (buffer != NULL) {
        searcher->buffer = buffer;
        searcher->capacity *= 2;
    } else if (searcher->capacity == WINDOW && searcher->large != NULL) {
        pthread_mutex_unlock(searcher->large);
    }
    return buffer != NULL;
}

static void shrink(struct searcher *searcher)
{
    char *buffer;

    if (searcher->capacity == WINDOW)
        return;
    buffer = realloc(searcher->buffer, WINDOW + REGEX_BEHIND);
    if (buffer != NULL)
        searcher->buffer = buffer;
    searcher->capacity = WINDOW;
    if (searcher->large != NULL)
        pthread_mutex_unlock(searcher->large);
}

/* ---- reading ---- */

enum reading { READ_TEXT, READ_BINARY, READ_LARGE, READ_FAILED, READ_NO_MEMORY };

/* How far the file at hand was read. */
struct progress {
    uint64_t total; /* bytes of it */
    size_t filled;  /* of the buffer */
    bool last;      /* there are no more */
};

/* Until the buffer is full or the file at its end. */
static enum reading fill(struct searcher *searcher, struct progress *progress)
{
    bool probes;

    while (progress->filled < searcher->capacity) {
        char *to = searcher->buffer + progress->filled;
        ssize_t count = searcher->root->sys->pread(
            searcher->fd, to, searcher->capacity - progress->filled, (off_t)progress->total);

        if (count < 0)
            return READ_FAILED;
        probes = progress->total < TEXT_PROBE;
        progress->filled += (size_t)count;
        progress->total += (uint64_t)count;
        searcher->bytes_read += (uint64_t)count;
        if (progress->total > searcher->options->file_ceiling)
            return READ_LARGE;
        if (probes && lines_binary(searcher->buffer, progress->filled))
            return READ_BINARY;
        progress->last = count == 0;
        if (progress->last)
            break;
    }
    if (progress->last) /* a last line may end within a character */
        memset(searcher->buffer + progress->filled, 0, REGEX_BEHIND);
    return READ_TEXT;
}

/* Of a file that fills the buffer it is asked how large it is, before anything of it is shown. */
static bool is_large(struct searcher *searcher)
{
    struct node node;

    return searcher->root->sys->node(searcher->fd, &node) == 0 &&
           node.size > searcher->options->file_ceiling;
}

/* Where the last line of the window ends; 0: it has no line that is whole. */
static size_t window_end(const struct searcher *searcher, const struct progress *progress,
                         size_t from)
{
    const char *newline;

    if (progress->last)
        return progress->filled;
    newline = memrchr(searcher->buffer + from, '\n', progress->filled - from);
    return newline == NULL ? 0 : (size_t)(newline - searcher->buffer) + 1;
}

static void slide(struct searcher *searcher, struct progress *progress, size_t keep)
{
    progress->filled -= keep;
    memmove(searcher->buffer, searcher->buffer + keep, progress->filled);
}

/* The windows behind the first, which is full already. */
static enum reading search_windows(struct searcher *searcher, struct pass *pass,
                                   struct progress *progress)
{
    enum reading reading = READ_TEXT;

    for (;;) {
        size_t end = window_end(searcher, progress, pass->from);

        if (end == 0 && !progress->last) {
            if (!grow(searcher))
                return READ_NO_MEMORY;
        } else {
            if (!pass_search(pass, searcher->buffer, end) || progress->last)
                return READ_TEXT;
            slide(searcher, progress, pass_leave(pass));
            if (searcher->done)
                return READ_TEXT;
        }
        reading = fill(searcher, progress);
        if (reading != READ_TEXT)
            return reading;
    }
}

static enum reading search_text(struct searcher *searcher, struct pass *pass)
{
    struct progress progress = {0};
    enum reading reading = fill(searcher, &progress);

    if (reading <= READ_BINARY && progress.filled == searcher->capacity && is_large(searcher))
        return READ_LARGE;
    if (reading != READ_TEXT)
        return reading;
    pass_begin(pass, searcher, lines_mark(searcher->buffer, progress.filled));
    reading = search_windows(searcher, pass, &progress);
    if (reading == READ_TEXT && searcher->refused == CROFT_OK)
        pass_end(pass);
    return reading;
}

/* ---- what becomes of a file ---- */

static void keep_first(uint64_t count, char *first, const struct searcher *searcher)
{
    size_t size = searcher->path.size < PATH_BYTES ? searcher->path.size : PATH_BYTES;

    if (count != 1)
        return;
    memcpy(first, searcher->path.data, size);
    first[size] = '\0';
}

bool search_may_show(struct searcher *searcher)
{
    struct node node;

    if (!searcher->is_regular)
        searcher->refused = check_entry(searcher->root, searcher->fd, S_IFREG, &node, NULL);
    searcher->is_regular = searcher->refused == CROFT_OK;
    return searcher->is_regular;
}

/* Why a file was not searched. One that is gone, or is none any more, is no news. */
static void note_refusal(struct search_result *result, croft_status status)
{
    switch (status) {
    case CROFT_OK:
    case CROFT_MISSING:
    case CROFT_CHANGED:
    case CROFT_LOOP: break;
    case CROFT_CROSSES_MOUNT: result->mounts++; break;
    default: result->unreadable++;
    }
}

static void take_reading(struct searcher *searcher, enum reading reading)
{
    struct search_result *result = searcher->result;

    switch (reading) {
    case READ_TEXT: break;
    case READ_BINARY: keep_first(++result->binary, result->first_binary, searcher); break;
    case READ_LARGE: keep_first(++result->large, result->first_large, searcher); break;
    case READ_FAILED:
        result->unreadable += search_may_show(searcher);
        break; /* or it was replaced */
    case READ_NO_MEMORY: searcher->status = CROFT_INTERNAL; break;
    }
}

void searcher_read(struct searcher *searcher, int fd, const struct node *node)
{
    struct search_result *result = searcher->result;
    size_t text_size = result->text.size;
    uint64_t matches = result->matches;
    enum reading reading = READ_LARGE;
    struct pass pass;

    searcher->fd = fd;
    searcher->is_regular = node != NULL;
    searcher->refused = CROFT_OK;
    if (node == NULL || node->size <= searcher->options->file_ceiling)
        reading = search_text(searcher, &pass);
    shrink(searcher);
    if (reading != READ_TEXT ||
        searcher->refused != CROFT_OK) { /* what was shown of it is taken back */
        result->text.size = text_size;
        result->matches = matches;
    } else if (utf8_valid(searcher->path.data, searcher->path.size) < searcher->path.size) {
        result->unsendable++;
    } else if (is_escaped(searcher) && result->first_escaped[0] == '\0') {
        keep_first(1, result->first_escaped, searcher);
    }
    take_reading(searcher, reading);
    note_refusal(result, searcher->refused);
    if (result->text.failed)
        searcher->status = CROFT_INTERNAL;
}

void searcher_visit(struct searcher *searcher, const struct root *root, int dir, const char *name,
                    const char *path)
{
    const char *prefix = searcher->options->prefix;
    bool asks = root->one_file_system; /* a mount is told by what was opened only */
    struct node node;
    int fd = -1;
    croft_status status = asks ? open_entry(root, dir, name, S_IFREG, &fd, &node, NULL)
                               : open_listed(root, dir, name, &fd, NULL);

    searcher->root = root;
    if (status != CROFT_OK) {
        note_refusal(searcher->result, status);
        return;
    }
    searcher_take_path(searcher, prefix == NULL ? "" : prefix, path);
    if (searcher->status == CROFT_OK)
        searcher_read(searcher, fd, asks ? &node : NULL);
    root->sys->close(fd);
}
