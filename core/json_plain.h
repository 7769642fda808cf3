/* SPDX-License-Identifier: MIT */
/* The inner loop of all that goes over the strings of JSON. */
#ifndef CROFT_JSON_PLAIN_H
#define CROFT_JSON_PLAIN_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether `c` is ASCII and stands for itself in a string, DEL aside. */
static inline bool json_is_plain(char c)
{
    unsigned char byte = (unsigned char)c;

    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

/* What stands behind the "\" for a byte that has a short escape; 0 for all others. */
static inline char json_short_escape(char c)
{
    static const char letters[256] = {['"'] = '"',  ['\\'] = '\\', ['\n'] = 'n', ['\r'] = 'r',
                                      ['\t'] = 't', ['\b'] = 'b',  ['\f'] = 'f'};

    return letters[(unsigned char)c];
}

/* Whether the three bytes are a separator of lines or paragraphs, which JSON may have as it is and JavaScript not. */
static inline bool json_is_separator(const char *three)
{
    return memcmp(three, "\xE2\x80\xA8", 3) == 0 || memcmp(three, "\xE2\x80\xA9", 3) == 0;
}

/*
 * The top bit of each of the eight bytes that is not plain. Above the lowest one a plain byte may be
 * flagged too (a borrow or carry starts in a flagged byte and goes up), none is overlooked.
 */
static inline uint64_t json_specials(uint64_t eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t quote = eight ^ ones * '"', escape = eight ^ ones * '\\';

    return (eight | (eight - ones * 0x20) | (eight + ones) | (quote - ones) | (escape - ones)) &
           ones * 0x80;
}

/* How many bytes from the start are plain. */
static inline size_t json_plain_run(const char *text, size_t size)
{
    size_t at = 0;

    while (size - at >= sizeof(uint64_t)) {
        uint64_t eight, specials;

        memcpy(&eight, text + at, sizeof eight);
        specials = json_specials(le64toh(eight)); /* the first byte is the lowest */
        if (specials != 0)
            return at + (size_t)__builtin_ctzll(specials) / 8;
        at += sizeof eight;
    }
    while (at < size && json_is_plain(text[at]))
        at++;
    return at;
}

/* How many bytes from the start are neither a quotation mark nor a "\". */
static inline size_t json_unmarked_run(const char *text, size_t size)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t at = 0;

    while (size - at >= sizeof(uint64_t)) {
        uint64_t eight, quote, escape, marks;

        memcpy(&eight, text + at, sizeof eight);
        eight =
            le64toh(eight); /* the first byte is the lowest, and the lowest mark is never wrong */
        quote = eight ^ ones * '"';
        escape = eight ^ ones * '\\';
        marks = (((quote - ones) & ~quote) | ((escape - ones) & ~escape)) & ones * 0x80;
        if (marks != 0)
            return at + (size_t)__builtin_ctzll(marks) / 8;
        at += sizeof eight;
    }
    while (at < size && text[at] != '"' && text[at] != '\\')
        at++;
    return at;
}

#endif
