/* SPDX-License-Identifier: MIT */
#include "json_plain.h"
#include "json_scan.h"
#include "utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"

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

/* What stands behind the backslash; 0: a number does. */
static char short_escape(char c)
{
    switch (c) {
    case '"':
    case '\\': return c;
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return 0;
    }
}

static void add_ascii(struct bytes *out, char c)
{
    char letter = short_escape(c);

    if (letter == 0) {
        add_unicode_escape(out, (unsigned char)c);
    } else if (bytes_reserve(out, 2)) { /* each line has one: no loop, no call */
        out->data[out->size] = '\\';
        out->data[out->size + 1] = letter;
        out->size += 2;
    }
}

/* Appends what stands for the valid character at `text`, which may not be copied by itself; returns its size. */
static size_t add_special(struct bytes *out, const char *text)
{
    size_t length = (unsigned char)*text < 0x80 ? 1 : 3;

    if (length == 1)
        add_ascii(out, *text);
    else if (memcmp(text, "\xE2\x80\xA8", 3) == 0 || memcmp(text, "\xE2\x80\xA9", 3) == 0)
        add_unicode_escape(out, utf8_decode(text, length));
    else
        bytes_add(out, text, length); /* it only begins as those two do */
    return length;
}

/* Appends UTF-8. */
static void add_valid(struct bytes *out, const struct wide *wide, const char *text, size_t size)
{
    size_t at = 0;

    while (at < size && bytes_reserve(out, size - at)) {
        size_t run = wide->copy(out->data + out->size, text + at, size - at);

        out->size += run;
        at += run;
        if (at < size)
            at += add_special(out, text + at);
    }
}

void json_quote_by(const struct wide *wide, struct bytes *out, const char *text, size_t size)
{
    size_t at = 0;

    bytes_reserve(out, size + size / 16 + 2); /* most texts fit then */
    bytes_add_char(out, '"');
    while (at < size) {
        size_t good = utf8_valid_by(wide, text + at, size - at);

        add_valid(out, wide, text + at, good);
        at += good;
        if (at < size) {
            bytes_add_text(out, REPLACEMENT);
            at++;
        }
    }
    bytes_add_char(out, '"');
}

void json_quote(struct bytes *out, const char *text, size_t size)
{
    json_quote_by(wide_best(), out, text, size);
}

void json_quote_visible(struct bytes *out, const char *text, size_t size)
{
    struct bytes quoted = {0};

    json_quote(&quoted, text, size);
    for (size_t at = 0, length; at < quoted.size; at += length) {
        uint32_t code;

        length = utf8_length(quoted.data + at, quoted.size - at);
        code = utf8_decode(quoted.data + at, length);
        if (utf8_is_control(code))
            add_unicode_escape(out, code); /* none is beyond U+FFFF */
        else
            bytes_add(out, quoted.data + at, length);
    }
    out->failed |= quoted.failed;
    bytes_free(&quoted);
}
