/* SPDX-License-Identifier: MIT */
/* Characters, classes and escapes, as the bytes that they begin with. */
#include "regex_need.h"
#include "utf8.h"

#include <string.h>

enum { CLASSES = 12 }; /* that PCRE2 is asked about */

bool need_is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Something, of which nothing is known but that it can be stepped over. */
static void take_unknown(struct reading *reading, struct needs *item, size_t size)
{
    memset(item, 0, sizeof *item);
    reading->at += size;
}

static void take_place(struct reading *reading, struct needs *item, size_t size)
{
    needs_start(item);
    reading->looks = true;
    reading->at += size;
}

static void add_set(struct reading *reading, struct needs *item, const struct byte_set *set)
{
    int number = needle_set(reading->needle, set);
    struct fragment *string = &item->strings.list[0];

    if (number < 0)
        reading->failed = true;
    else
        string->set[string->size++] = (unsigned char)number;
}

/* A letter of ASCII where case may not matter. */
static void take_letter(struct reading *reading, struct needs *item, char letter)
{
    struct byte_set set = {{0}};

    set_add(&set, (unsigned char)(letter | 0x20));
    set_add(&set, (unsigned char)(letter & ~0x20));
    if (need_is_one_of(letter, "kKsS")) { /* U+212A and U+017F fold to them */
        set_add(&set, need_is_one_of(letter, "kK") ? 0xE2 : 0xC5);
        item->finite = false;
        item->begins = true;
    }
    add_set(reading, item, &set);
}

/* The character at hand, which stands for itself. */
static void take_character(struct reading *reading, struct needs *item)
{
    const char *text = reading->text + reading->at;
    size_t size = utf8_length(text, reading->size - reading->at);

    needs_start(item);
    if (size == 0 || text[0] == '\n') {
        reading->failed = true;
    } else if (reading->without_case && size > 1) {
        take_unknown(reading, item, size);
        return;
    } else if (reading->without_case && is_letter(text[0])) {
        take_letter(reading, item, text[0]);
    } else {
        for (size_t i = 0; i < size; i++) {
            struct byte_set set = {{0}};

            set_add(&set, (unsigned char)text[i]);
            add_set(reading, item, &set);
        }
    }
    reading->at += size;
}

/* A class of characters, `size` bytes of the pattern. */
static void take_class(struct reading *reading, struct needs *item, size_t size)
{
    struct byte_set set;
    bool single;

    if (reading->classes++ == CLASSES ||
        !class_first_bytes(reading->text + reading->at, size, reading->with_case,
                           reading->without_case, &set, &single)) {
        take_unknown(reading, item, size);
        return;
    }
    needs_start(item);
    item->finite = single;
    item->begins = true;
    add_set(reading, item, &set);
    reading->at += size;
}

/* The size of the class in brackets at hand; 0: it holds what is not understood here. */
static size_t bracket_size(const struct reading *reading)
{
    size_t i = need_peek(reading, 1) == '^' ? 2 : 1;

    if (need_peek(reading, i) == ']')
        i++;
    for (; reading->at + i < reading->size; i++) {
        char c = need_peek(reading, i), next = need_peek(reading, i + 1);

        if (c == ']')
            return i + 1;
        if (c == '\\') {
            if (need_is_one_of(next, "QE") ||
                (need_is_one_of(next, "xopPN") && need_peek(reading, i + 2) == '{'))
                return 0;
            i++;
        } else if (c == '[' && need_is_one_of(next, ":.=")) {
            const char *from = reading->text + reading->at + i + 2;
            const char ends[] = {next, ']'};
            const char *end = memmem(from, reading->size - reading->at - i - 2, ends, 2);

            if (end == NULL || memchr(from, ']', (size_t)(end - from)) != NULL)
                return 0;
            i = (size_t)(end - reading->text) - reading->at + 1;
        }
    }
    return 0;
}

static void read_bracket(struct reading *reading, struct needs *item)
{
    size_t size = bracket_size(reading);

    if (size == 0)
        reading->failed = true;
    else
        take_class(reading, item, size);
}

static void read_property(struct reading *reading, struct needs *item)
{
    const char *from = reading->text + reading->at;
    const char *end = memchr(from, '}', reading->size - reading->at);

    if (need_peek(reading, 2) != '{')
        take_class(reading, item, 3);
    else if (end == NULL)
        reading->failed = true;
    else
        take_class(reading, item, (size_t)(end - from) + 1);
}

static void take_byte(struct reading *reading, struct needs *item, char byte, size_t size)
{
    struct byte_set set = {{0}};

    needs_start(item);
    set_add(&set, (unsigned char)byte);
    add_set(reading, item, &set);
    reading->at += size;
}

static void read_escape(struct reading *reading, struct needs *item)
{
    char kind = need_peek(reading, 1);

    switch (kind) {
    case 'b':
    case 'B':
    case 'A':
    case 'Z':
    case 'z':
    case 'G':
    case 'K': take_place(reading, item, 2); return;
    case 'd':
    case 'w':
    case 's':
    case 'D':
    case 'W':
    case 'S':
    case 'h': take_class(reading, item, 2); return;
    case 'p':
    case 'P': read_property(reading, item); return;
    case 't': take_byte(reading, item, '\t', 2); return;
    case 'r': take_byte(reading, item, '\r', 2); return;
    case 'f': take_byte(reading, item, '\f', 2); return;
    default: break;
    }
    if ((need_is_one_of(kind, "RXHvVN") && need_peek(reading, 2) != '{') ||
        (need_is_digit(kind) && kind != '0' && !need_is_digit(need_peek(reading, 2)))) {
        take_unknown(reading, item, 2);
    } else if (kind == '\0' || is_letter(kind) || need_is_digit(kind)) {
        reading->failed = true;
    } else {
        reading->at++;
        take_character(reading, item);
    }
}

void need_read_item(struct reading *reading, struct needs *item)
{
    char c = need_peek(reading, 0);

    if (reading->literal || reading->quoting)
        c = 'x'; /* it stands for itself */
    switch (c) {
    case '\\': read_escape(reading, item); break;
    case '[': read_bracket(reading, item); break;
    case '.': take_unknown(reading, item, 1); break;
    case '^':
    case '$': take_place(reading, item, 1); break;
    default: take_character(reading, item);
    }
}
