/* SPDX-License-Identifier: MIT */
#include "json_plain.h"
#include "json_scan.h"
#include "utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"

/* Length of a character that may stand in a string as it is though it is not ASCII, or 0. */
static inline size_t wide_length(const char *text, size_t size)
{
    size_t length;

    if (size == 0 || (unsigned char)*text < 0x80)
        return 0;
    length = utf8_length(text, size);
    if (length == 3 &&
        (memcmp(text, "\xE2\x80\xA8", 3) == 0 || memcmp(text, "\xE2\x80\xA9", 3) == 0))
        return 0;
    return length;
}

/* How many bytes from the start may be copied. */
static size_t copied_run(const char *text, size_t size)
{
    size_t at = 0, before, wide;

    do {
        at += json_plain_run(text + at, size - at);
        before = at;
        while ((wide = wide_length(text + at, size - at)) > 0)
            at += wide; /* such characters stand together more often than not */
    } while (at > before);
    return at;
}

static void add_unicode_escape(struct bytes *out, unsigned code)
{
    static const char digits[] = "0123456789abcdef";
    char escape[6] = {'\\',
                      'u',
                      digits[code >> 12 & 15],
                      digits[code >> 8 & 15],
                      digits[code >> 4 & 15],
                      digits[code & 15]};

    bytes_add(out, escape, sizeof escape);
}

static void add_ascii(struct bytes *out, char c)
{
    switch (c) {
    case '"': bytes_add(out, "\\\"", 2); break;
    case '\\': bytes_add(out, "\\\\", 2); break;
    case '\n': bytes_add(out, "\\n", 2); break;
    case '\r': bytes_add(out, "\\r", 2); break;
    case '\t': bytes_add(out, "\\t", 2); break;
    case '\b': bytes_add(out, "\\b", 2); break;
    case '\f': bytes_add(out, "\\f", 2); break;
    default: add_unicode_escape(out, (unsigned char)c); break;
    }
}

/* Appends what stands for the character or byte at `text`, which cannot be copied; returns its
 * size. */
static size_t add_special(struct bytes *out, const char *text, size_t size)
{
    size_t length = utf8_length(text, size);

    if (length == 0) {
        bytes_add_text(out, REPLACEMENT);
        return 1;
    }
    if (length == 1)
        add_ascii(out, *text);
    else
        add_unicode_escape(out, utf8_decode(text, length)); /* U+2028 or U+2029 */
    return length;
}

void json_quote(struct bytes *out, const char *text, size_t size)
{
    size_t at = 0;

    bytes_reserve(out, size + size / 16 + 2); /* most texts fit then */
    bytes_add_char(out, '"');
    while (at < size) {
        size_t run = copied_run(text + at, size - at);

        bytes_add(out, text + at, run);
        at += run;
        if (at < size)
            at += add_special(out, text + at, size - at);
    }
    bytes_add_char(out, '"');
}
