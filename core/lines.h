/* SPDX-License-Identifier: MIT */
/* Line ends in a buffer: counted and found. Lines end at LF alone. */
#ifndef CROFT_LINES_H
#define CROFT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
enum { BYTE_ORDER_MARK_SIZE = 3, TEXT_PROBE = 8 * 1024 };

/* How many LF there are. */
size_t lines_count(const char *text, size_t size);

/* How many LF have a CR before them. `before` is the byte in front of `text`. */
size_t lines_count_crlf(const char *text, size_t size, char before);

/* Where the line that begins at `from` ends: at its LF, or at `size`. */
static inline size_t lines_end(const char *text, size_t size, size_t from)
{
    const char *end = from < size ? memchr(text + from, '\n', size - from) : NULL;

    return end == NULL ? size : (size_t)(end - text);
}

/* Where the line behind the LF number `number` (from 1) begins; there are so many. */
size_t lines_behind(const char *text, size_t size, size_t number);

/* Where the line that holds byte `at` begins; not before `from`, which begins a line. */
size_t lines_start(const char *text, size_t from, size_t at);

/* The end of the line [start, end) without a CR that stands before its LF. `end` is where its LF is,
 * or `size` when it has none. */
static inline size_t lines_trim(const char *text, size_t size, size_t start, size_t end)
{
    return end < size && end > start && text[end - 1] == '\r' ? end - 1 : end;
}

/* A NUL in the first TEXT_PROBE bytes. */
bool lines_binary(const char *text, size_t size);

/* Size of the byte order mark that `text` begins with, or 0. */
size_t lines_mark(const char *text, size_t size);

#endif
