/* SPDX-License-Identifier: MIT */
#include "problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 512 };

void problems_free(struct problems *problems)
{
    bytes_free(&problems->lines);
    memset(problems, 0, sizeof *problems);
}

/* Whether the last line is this one. */
static bool is_last(const struct problems *problems, const char *line, size_t size)
{
    size_t end = problems->lines.size;
    const char *data = problems->lines.data;

    return end > size && data[end - 1] == '\n' && memcmp(data + end - 1 - size, line, size) == 0 &&
           (end == size + 1 || data[end - size - 2] == '\n');
}

static void add_line(struct problems *problems, const char *line, size_t size)
{
    if (size > LINE_BYTES)
        size = LINE_BYTES;
    if (size == 0 || is_last(problems, line, size))
        return;
    bytes_add(&problems->lines, line, size);
    bytes_add_char(&problems->lines, '\n');
    problems->count++;
}

void problems_add(struct problems *problems, const char *text, size_t size)
{
    const char *end;

    while ((end = memchr(text, '\n', size)) != NULL) {
        add_line(problems, text, (size_t)(end - text));
        size -= (size_t)(end - text) + 1;
        text = end + 1;
    }
    add_line(problems, text, size);
}

void problems_add_format(struct problems *problems, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    problems_add(problems, line, strlen(line));
}

/* The bytes of the line at `from`, with its LF. */
static size_t line_size(const struct problems *problems, size_t from)
{
    const char *start = problems->lines.data + from;
    const char *end = memchr(start, '\n', problems->lines.size - from);

    return (size_t)(end - start) + 1;
}

void problems_cut(struct problems *problems, size_t count)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++)
        size += line_size(problems, size);
    problems->lines.size = size;
    problems->count = count;
}

croft_status problems_fail(const struct problems *problems, croft_error *err)
{
    enum { ROOM_FOR_COUNT = 32 };
    croft_error unwanted;
    size_t used = 0, shown = 0, left;

    if (err == NULL)
        err = &unwanted;
    if (problems->lines.failed)
        return fail(err, CROFT_INTERNAL, 0, "out of memory");
    fail(err, CROFT_BAD_ARGUMENT, 0, "");
    while (shown < problems->count) {
        size_t size = line_size(problems, used);

        if (used + size + ROOM_FOR_COUNT > sizeof err->message)
            break;
        memcpy(err->message + used, problems->lines.data + used, size);
        used += size;
        shown++;
    }
    left = problems->count - shown;
    if (left > 0)
        snprintf(err->message + used, sizeof err->message - used, "and %zu more", left);
    else if (used > 0)
        err->message[used - 1] = '\0'; /* no LF at the end */
    return CROFT_BAD_ARGUMENT;
}

void problems_tell(const struct problems *problems, croft_problem_function *tell, void *user)
{
    size_t from = 0;

    for (size_t i = 0; i < problems->count; i++) {
        size_t size = line_size(problems, from);

        problems->lines.data[from + size - 1] = '\0';
        tell(user, problems->lines.data + from);
        problems->lines.data[from + size - 1] = '\n';
        from += size;
    }
}
