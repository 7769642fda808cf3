/* SPDX-License-Identifier: MIT */
/* The inner loop that the checker and the writer of JSON share; nobody else needs it. */
#ifndef CROFT_JSON_PLAIN_H
#define CROFT_JSON_PLAIN_H

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

/*
 * Whether all eight bytes are plain. Each line sets the top bit of a byte that is not; a byte next
 * to such a one may be flagged with it, never overlooked (a borrow or carry starts in a flagged
 * byte, and bytes over 0x7F are looked at first).
 */
static inline bool json_all_plain(uint64_t eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    uint64_t quote = eight ^ ones * '"', escape = eight ^ ones * '\\';

    if ((eight & tops) != 0)
        return false;
    return (((eight - ones * 0x20) | (eight + ones) | (quote - ones) | (escape - ones)) & tops) ==
           0;
}

/* How many bytes from the start are plain. */
static inline size_t json_plain_run(const char *text, size_t size)
{
    size_t at = 0;
    uint64_t eight;

    while (size - at >= sizeof eight) {
        memcpy(&eight, text + at, sizeof eight);
        if (!json_all_plain(eight))
            break;
        at += sizeof eight;
    }
    while (at < size && json_is_plain(text[at]))
        at++;
    return at;
}

#endif
