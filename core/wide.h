/* SPDX-License-Identifier: MIT */
/*
 * The inner loops over large texts, in two forms that do the same: for any machine, and for one with AVX2, which
 * is found out at run time. Who calls them goes on byte by byte where they stop.
 */
#ifndef CROFT_WIDE_H
#define CROFT_WIDE_H

#include <stddef.h>

struct wide {
    /* Some bytes from the start that are whole characters of UTF-8; not over the first wrong one. */
    size_t (*valid)(const char *text, size_t size);

    /* Copies from the start of `text`, which is UTF-8, what may stand in a JSON string as it is; stops before
     * what may not, or may have to be looked at. May write over all `size` bytes of `out`. */
    size_t (*copy)(char *restrict out, const char *restrict text, size_t size);

    /*
     * Writes a long text, whatever its bytes are, as it stands in a JSON string, and returns how much of it: whole
     * characters up to one that is wrong or has no short escape, or up to the last bytes, fewer than `least`, or
     * while `least` bytes of the room are left. May write over all of it; *written is what counts.
     */
    size_t (*quote)(char *restrict out, size_t room, const char *restrict text, size_t size,
                    size_t *written);

    /* Of text and of room, with which `quote` does something; SIZE_MAX: there is none. */
    size_t least;
};

extern const struct wide wide_portable;

/* The fastest that this machine can run. */
const struct wide *wide_best(void);

/* What a string of JSON cannot hold as it is, or perhaps not: U+2028 and U+2029 begin with 0xE2. */
enum { WIDE_SEPARATOR_LEAD = 0xE2 };

#endif
