/* SPDX-License-Identifier: MIT */
#include "json_plain.h"
#include "json_scan.h"
#include "utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD"

enum { SLOW = 32 }; /* bytes that go by one by one where there is much to be looked at */

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
    char letter = json_short_escape(c);

    if (letter == 0) {
        add_unicode_escape(out, (unsigned char)c);
    } else if (bytes_reserve(out, 2)) { /* each line has one: no loop, no call */
        out->data[out->size] = '\\';
        out->data[out->size + 1] = letter;
        out->size += 2;
    }
}

/* Appends what stands for the valid character at `text`, of three bytes or not copied by itself; returns its size. */
static size_t add_special(struct bytes *out, const char *text)
{
    size_t length = (unsigned char)*text < 0x80 ? 1 : 3;

    if (length == 1)
        add_ascii(out, *text);
    else if (json_is_separator(text))
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

/* Appends what stands for the first character, or for a byte that is none; returns its size. */
static size_t add_first(struct bytes *out, const char *text, size_t size)
{
    size_t length = utf8_length(text, size);

    if (length == 3 || (length == 1 && !json_is_plain(*text)))
        return add_special(out, text);
    bytes_add(out, length == 0 ? REPLACEMENT : text, length == 0 ? strlen(REPLACEMENT) : length);
    return length == 0 ? 1 : length;
}

/* Appends of a long text all but the end, whose size it returns. */
static size_t add_long(struct bytes *out, const struct wide *wide, const char *text, size_t size)
{
    size_t at = 0;

    while (size - at >= wide->least && bytes_reserve(out, size - at + wide->least)) {
        size_t written, taken, slow;

        taken = wide->quote(out->data + out->size, out->capacity - out->size, text + at, size - at,
                            &written);
        out->size += written;
        at += taken;
        slow = at + (taken > 0 ? 1 : SLOW);
        while (at < slow && size - at >= wide->least)
            at += add_first(out, text + at, size - at);
    }
    return size - at;
}

void json_quote_by(const struct wide *wide, struct bytes *out, const char *text, size_t size)
{
    size_t at;

    bytes_reserve(out, size + size / 16 + 2); /* most texts fit then */
    bytes_add_char(out, '"');
    at = size - add_long(out, wide, text, size);
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
