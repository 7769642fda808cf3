/* SPDX-License-Identifier: MIT */
/* UTF-8 as RFC 3629 has it: no surrogates, nothing over U+10FFFF, no overlong forms. */
#ifndef CROFT_UTF8_H
#define CROFT_UTF8_H

#include "bytes.h"
#include "wide.h"

/* Whether `c` continues a character, and lies between `low` and `high`, as a second byte has to. */
static inline bool utf8_continues(char c, unsigned char low, unsigned char high)
{
    return (unsigned char)c >= low && (unsigned char)c <= high;
}

static inline bool utf8_is_tail(char c)
{
    return utf8_continues(c, 0x80, 0xBF);
}

/* Length in bytes of the character at `text` (1 to 4), or 0 when none that is valid begins
 * there. In the inner loop of all that goes over text. */
static inline size_t utf8_length(const char *text, size_t size)
{
    unsigned char lead;

    if (size == 0)
        return 0;
    lead = (unsigned char)text[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    if (lead < 0xE0)
        return size >= 2 && utf8_is_tail(text[1]) ? 2 : 0;
    if (lead < 0xF0)
        return size >= 3 && utf8_is_tail(text[2]) &&
                       utf8_continues(text[1], lead == 0xE0 ? 0xA0 : 0x80,
                                      lead == 0xED ? 0x9F : 0xBF)
                   ? 3
                   : 0;
    return size >= 4 && utf8_is_tail(text[2]) && utf8_is_tail(text[3]) &&
                   utf8_continues(text[1], lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF)
               ? 4
               : 0;
}

/* The code point of the valid character at `text`; `length` is what utf8_length said, and not 0. */
uint32_t utf8_decode(const char *text, size_t length);

/* Writes `code` (no surrogate, at most U+10FFFF) and returns its length in bytes. */
size_t utf8_encode(uint32_t code, char out[4]);

/* How many bytes from the start are valid. */
size_t utf8_valid(const char *text, size_t size);

/* The same in one of the forms of wide.h. */
size_t utf8_valid_by(const struct wide *wide, const char *text, size_t size);

/* Appends `text` with each byte that is not UTF-8 as U+FFFD; returns how many those were. */
size_t utf8_repair(struct bytes *out, const char *text, size_t size);

/* The greatest boundary of a character that is not over `at`, and at most `size`; bytes that are
 * not UTF-8 count as characters of their own. */
size_t utf8_cut(const char *text, size_t size, size_t at);

/* Whether a terminal may do something else with it than show it: C0, DEL, C1, U+2028, U+2029, and the
 * bidirectional controls (U+061C, U+200E, U+200F, U+202A-202E, U+2066-2069). */
bool utf8_is_control(uint32_t code);

/*
 * Appends a file name or path so that it stays on one line and moves no cursor: what utf8_is_control names and
 * bytes that are not UTF-8 become \xNN (lower case), byte by byte; a "\" of the name stays as it
 * is. Returns false when the name was not UTF-8: such a name cannot be sent in JSON.
 */
bool utf8_add_name(struct bytes *out, const char *name, size_t size);

#endif
