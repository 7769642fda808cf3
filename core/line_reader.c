/* SPDX-License-Identifier: MIT */
#include "line_reader.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* What is asked for at once (a pipe holds that much), and what is kept once all has been handed out. */
enum { CHUNK = 64 * 1024, KEPT = 1024 * 1024 };

void line_reader_init(struct line_reader *reader, int fd, size_t ceiling)
{
    memset(reader, 0, sizeof *reader);
    reader->fd = fd;
    reader->ceiling = ceiling;
}

void line_reader_free(struct line_reader *reader)
{
    bytes_free(&reader->bytes);
}

/* Moves what is left to the front. */
static void make_room(struct line_reader *reader)
{
    struct bytes *bytes = &reader->bytes;
    size_t left = bytes->size - reader->start;

    if (reader->start > 0 && left > 0)
        memmove(bytes->data, bytes->data + reader->start, left);
    bytes->size = left;
    reader->searched -= reader->start;
    reader->start = 0;
    if (left == 0 && bytes->capacity > KEPT)
        bytes_free(bytes);
}

/* read(2) that also waits where the descriptor does not block. */
static ssize_t read_some(int fd, char *data, size_t size)
{
    struct pollfd in = {.fd = fd, .events = POLLIN};
    ssize_t got;

    for (;;) {
        got = read(fd, data, size);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN)
            (void)poll(&in, 1, -1);
    }
}

static bool fill(struct line_reader *reader)
{
    struct bytes *bytes = &reader->bytes;
    ssize_t got;

    make_room(reader);
    if (!bytes_reserve(bytes, CHUNK)) {
        errno = ENOMEM;
        return false;
    }
    got = read_some(reader->fd, bytes->data + bytes->size, bytes->capacity - bytes->size);
    if (got < 0)
        return false;
    bytes->size += (size_t)got;
    reader->ended = got == 0;
    return true;
}

static void skip_byte_order_mark(struct line_reader *reader, const char **line, size_t *size)
{
    if (!reader->begun && *size >= 3 && memcmp(*line, "\xEF\xBB\xBF", 3) == 0) {
        *line += 3;
        *size -= 3;
    }
    reader->begun = true;
}

/* Hands out the line up to `end`. */
static enum line_kind take(struct line_reader *reader, size_t end, const char **line, size_t *size)
{
    bool skipped = reader->skipping;

    *line = reader->bytes.data + reader->start;
    *size = end - reader->start;
    reader->start = reader->searched = end < reader->bytes.size ? end + 1 : end;
    reader->skipping = false;
    if (skipped)
        return LINE_END; /* the rest of a line that was told of: not seen outside */
    skip_byte_order_mark(reader, line, size);
    if (*size > 0 && (*line)[*size - 1] == '\r')
        --*size;
    return *size > reader->ceiling ? LINE_TOO_LONG : LINE_TEXT;
}

/* The next line of what has been read; LINE_END when it holds no whole one. */
static enum line_kind next_held(struct line_reader *reader, const char **line, size_t *size)
{
    struct bytes *bytes = &reader->bytes;

    while (reader->searched < bytes->size) {
        size_t left = bytes->size - reader->searched;
        const char *end = memchr(bytes->data + reader->searched, '\n', left);
        enum line_kind kind;

        if (end == NULL) {
            reader->searched = bytes->size;
            break;
        }
        kind = take(reader, (size_t)(end - bytes->data), line, size);
        if (kind != LINE_END)
            return kind;
    }
    if (reader->ended && bytes->size > reader->start)
        return take(reader, bytes->size, line, size);
    return LINE_END;
}

/* Gives up a line that is over the ceiling before its end has come. */
static bool over_ceiling(struct line_reader *reader)
{
    bool first = !reader->skipping;

    if (first && reader->bytes.size - reader->start <= reader->ceiling + 1)
        return false;
    reader->skipping = true;
    reader->start = reader->searched = reader->bytes.size;
    return first;
}

enum line_kind line_reader_next(struct line_reader *reader, const char **line, size_t *size)
{
    for (;;) {
        enum line_kind kind = next_held(reader, line, size);

        if (kind != LINE_END || reader->ended)
            return kind;
        if (over_ceiling(reader))
            return LINE_TOO_LONG;
        if (!fill(reader))
            return LINE_BROKEN;
    }
}

bool line_reader_has_line(const struct line_reader *reader)
{
    const struct bytes *bytes = &reader->bytes;

    return reader->ended ||
           (bytes->size > reader->searched &&
            memchr(bytes->data + reader->searched, '\n', bytes->size - reader->searched) != NULL);
}

bool line_reader_take(struct line_reader *reader, struct bytes *out)
{
    struct bytes rest = {0};

    bytes_add(&rest, reader->bytes.data + reader->start, reader->bytes.size - reader->start);
    if (rest.failed)
        return false;
    *out = reader->bytes;
    reader->bytes = rest;
    reader->searched -= reader->start;
    reader->start = 0;
    return true;
}
