/* SPDX-License-Identifier: MIT */
#include "utf8.h"

#include <endian.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

uint32_t utf8_decode(const char *text, size_t length)
{
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)text[0] & lead_bits[length];

    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3F);
    return code;
}

size_t utf8_encode(uint32_t code, char out[4])
{
    static const unsigned char lead_marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(lead_marks[length] | code);
    return length;
}

/* How many bytes from the start are ASCII; of the last few that may be left out. */
static inline size_t ascii_run(const char *text, size_t size)
{
    size_t at = 0;

    while (size - at >= sizeof(uint64_t)) {
        uint64_t eight, wide;

        memcpy(&eight, text + at, sizeof eight);
        wide = le64toh(eight) & UINT64_C(0x8080808080808080);
        if (wide != 0)
            return at + (size_t)__builtin_ctzll(wide) / 8;
        at += sizeof eight;
    }
    return at;
}

enum { WIDE_WORTH = 64 }; /* bytes from which the inner loops of wide.h pay */

size_t utf8_valid_by(const struct wide *wide, const char *text, size_t size)
{
    size_t at = size >= WIDE_WORTH ? wide->valid(text, size) : 0;

    while (at < size) {
        size_t length = 0;

        if ((unsigned char)text[at] < 0x80)
            length = ascii_run(text + at, size - at);
        if (length == 0)
            length = utf8_length(text + at, size - at);
        if (length == 0)
            break;
        at += length;
    }
    return at;
}

size_t utf8_valid(const char *text, size_t size)
{
    return utf8_valid_by(wide_best(), text, size);
}

size_t utf8_repair(struct bytes *out, const char *text, size_t size)
{
    size_t wrong = 0, at = 0;

    while (at < size) {
        size_t good = utf8_valid(text + at, size - at);

        bytes_add(out, text + at, good);
        at += good;
        if (at < size) {
            bytes_add_text(out, REPLACEMENT);
            wrong++;
            at++;
        }
    }
    return wrong;
}

size_t utf8_cut(const char *text, size_t size, size_t at)
{
    if (at >= size)
        return size;
    /* A lead byte never stands inside another character, so looking back is enough. */
    for (size_t back = 1; back <= 3 && back <= at; back++) {
        if (utf8_length(text + at - back, size - at + back) > back)
            return at - back;
    }
    return at;
}

bool utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void add_escaped(struct bytes *out, const char *text, size_t size)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        char escape[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};

        bytes_add(out, escape, sizeof escape);
    }
}

bool utf8_add_name(struct bytes *out, const char *name, size_t size)
{
    bool sendable = true;
    size_t at = 0;

    while (at < size) {
        size_t length = utf8_length(name + at, size - at);

        if (length == 0) {
            sendable = false;
            length = 1;
            add_escaped(out, name + at, length);
        } else if (utf8_is_control(utf8_decode(name + at, length))) {
            add_escaped(out, name + at, length);
        } else {
            bytes_add(out, name + at, length);
        }
        at += length;
    }
    return sendable;
}
