/* SPDX-License-Identifier: MIT */
/* Both forms of the inner loops beside one that goes character by character, over texts of all kinds. */
#include "json_scan.h"
#include "utf8.h"

#include <string.h>

#include "check.h"

enum { TEXTS = 4000, TEXT_MOST = 400 };

static uint32_t state = 20260101;

static uint32_t chance(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

/* ---- texts ------------------------------------------------------------------------------------- */

static const char *const pieces[] = {
    "a",
    "plain words and nothing else",
    "\n",
    "\"",
    "\\",
    "\t",
    "\x7F",
    "\xC2\x80",
    "\xC3\xA9",
    "\xDF\xBF",
    "\xE0\xA0\x80",
    "\xE2\x80\xA8",
    "\xE2\x80\xA9",
    "\xE2\x82\xAC",
    "\xED\x9F\xBF",
    "\xEF\xBF\xBD",
    "\xF0\x90\x80\x80",
    "\xF0\x9F\x98\x80",
    "\xF4\x8F\xBF\xBF",
    "\x01",
};

static const char *const wrong[] = {
    "\x80",     "\xBF",     "\xC0\x80",     "\xC1\xBF",         "\xC2",     "\xE0\x9F\xBF",
    "\xE2\x82", "\xE2\x80", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF", "\xF0\x9F", "\xF4\x90\x80\x80",
    "\xF5",     "\xFF",
};

/* Makes a text of up to `most` bytes; about one piece in `rare` is no UTF-8, none when that is 0. */
static size_t make_text(char *text, size_t most, uint32_t rare)
{
    size_t size = 0;

    for (;;) {
        const char *piece = rare > 0 && chance(rare) == 0
                                ? wrong[chance(sizeof wrong / sizeof *wrong)]
                            : chance(3) == 0 ? pieces[1]
                                             : pieces[chance(sizeof pieces / sizeof *pieces)];

        if (size + strlen(piece) > most)
            return size;
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
}

/* ---- one character after another --------------------------------------------------------------- */

static size_t valid_slowly(const char *text, size_t size)
{
    size_t at = 0, length;

    while (at < size && (length = utf8_length(text + at, size - at)) > 0)
        at += length;
    return at;
}

static void quote_slowly(struct bytes *out, const char *text, size_t size)
{
    static const char names[] = "\"\"\\\\\nn\rr\tt\bb\ff";
    char escape[8];

    bytes_add_char(out, '"');
    for (size_t at = 0, length; at < size; at += length == 0 ? 1 : length) {
        uint32_t code;
        const char *name;

        length = utf8_length(text + at, size - at);
        code = length == 0 ? 0xFFFD : utf8_decode(text + at, length);
        name = code > 0 && code < 0x80 ? strchr(names, (int)code) : NULL;
        if (length == 0)
            bytes_add_text(out, "\xEF\xBF\xBD");
        else if (name != NULL && (name - names) % 2 == 0)
            bytes_add(out, (char[]){'\\', name[1]}, 2);
        else if (code < 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029)
            bytes_add(out, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", code));
        else
            bytes_add(out, text + at, length);
    }
    bytes_add_char(out, '"');
}

/* ---- beside each other ------------------------------------------------------------------------- */

static void same(const struct wide *wide, const char *text, size_t size)
{
    struct bytes expected = {0}, quoted = {0};

    CHECK(utf8_valid_by(wide, text, size) == valid_slowly(text, size));
    quote_slowly(&expected, text, size);
    json_quote_by(wide, &quoted, text, size);
    CHECK(quoted.size == expected.size && memcmp(quoted.data, expected.data, quoted.size) == 0);
    bytes_free(&expected);
    bytes_free(&quoted);
}

static void texts(const struct wide *wide)
{
    static const uint32_t rare[] = {0, 400, 40, 4};
    char text[TEXT_MOST];

    for (size_t i = 0; i < TEXTS; i++) {
        size_t size = make_text(text, chance(TEXT_MOST + 1), rare[i % 4]);
        size_t from = size == 0 ? 0 : chance((uint32_t)size); /* a piece may begin in a character */

        same(wide, text, size);
        same(wide, text + from, size - from);
    }
}

/* Each byte at each place of a few blocks of plain text. */
static void bytes_everywhere(const struct wide *wide)
{
    char text[100];

    for (int byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < sizeof text; at += 1 + at % 3) {
            memset(text, 'x', sizeof text);
            text[at] = (char)byte;
            same(wide, text, sizeof text);
        }
    }
}

int main(void)
{
    const struct wide *forms[] = {&wide_portable, wide_best()};

    for (size_t i = 0; i < 2; i++) {
        texts(forms[i]);
        bytes_everywhere(forms[i]);
    }
    return check_report("wide");
}
