/* SPDX-License-Identifier: MIT */
#include "sources_line.h"

#include <stdbool.h>
#include <string.h>

struct span {
    const char *from, *end;
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

static const char *find(struct span in, const char *word)
{
    return in.from >= in.end ? NULL
                             : memmem(in.from, (size_t)(in.end - in.from), word, strlen(word));
}

/* The next line of the text between `from` and `end`, without its LF. */
static struct span line_at(const char *from, const char *end)
{
    const char *stop = memchr(from, '\n', (size_t)(end - from));

    return (struct span){from, stop == NULL ? end : stop};
}

static struct span without_comment(struct span line)
{
    const char *comment = find(line, "--");

    return comment == NULL ? line : (struct span){line.from, comment};
}

static bool begins(struct span line, const char *word)
{
    size_t size = strlen(word);

    while (line.from < line.end && is_blank(*line.from))
        line.from++;
    return (size_t)(line.end - line.from) >= size && memcmp(line.from, word, size) == 0 &&
           (line.from + size == line.end || !is_letter(line.from[size]));
}

unsigned sources_line(const char *text, size_t size)
{
    const char *from = text, *end = text + size;
    unsigned number = 0, last_return = 0, last = 1;

    while (from < end) {
        struct span line = line_at(from, end), code = without_comment(line);

        number++;
        if (find(code, "tool.define") != NULL)
            return number;
        if (begins(code, "return"))
            last_return = number;
        if (line.end > line.from)
            last = number;
        from = line.end + 1;
    }
    return last_return == 0 ? last : last_return;
}

static bool ends_key(char byte)
{
    return byte == '"' || byte == '\'' || byte == ']' || is_blank(byte);
}

/* Whether `=`, and not `==`, is what follows; behind a `"]` as well. */
static bool is_given(struct span rest)
{
    while (rest.from < rest.end && ends_key(*rest.from))
        rest.from++;
    return rest.from < rest.end && *rest.from == '=' &&
           (rest.from + 1 == rest.end || rest.from[1] != '=');
}

enum found { NOT_THERE, THERE, GIVEN };

static enum found look(struct span line, const char *word)
{
    enum found found = NOT_THERE;
    const char *start = line.from, *at;

    while (found != GIVEN && (at = find(line, word)) != NULL) {
        line.from = at + strlen(word);
        if ((at > start && is_letter(at[-1])) || (line.from < line.end && is_letter(*line.from)))
            continue;
        found = is_given(line) ? GIVEN : THERE;
    }
    return found;
}

unsigned sources_line_of(const char *text, size_t size, const char *word)
{
    const char *from = text, *end = text + size;
    unsigned number = 0, there = 0;

    if (*word == '\0')
        return 0;
    while (from < end) {
        struct span line = line_at(from, end);
        enum found found = look(without_comment(line), word);

        number++;
        if (found == GIVEN)
            return number;
        if (found == THERE && there == 0)
            there = number;
        from = line.end + 1;
    }
    return there;
}
