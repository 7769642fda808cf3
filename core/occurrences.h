/* SPDX-License-Identifier: MIT */
/* All places of one text in another, in time proportional to the two, also where the places overlap. */
#ifndef CROFT_OCCURRENCES_H
#define CROFT_OCCURRENCES_H

#include <stdbool.h>
#include <stddef.h>

struct occurrences {
    const char *at, *end; /* where it goes on looking, and the end of the text */
    const char *needle;
    size_t size;
    size_t stride; /* how far behind the start of a place the next may begin, at the least */
    size_t period; /* of the needle, where it is at most half of it and places may overlap; or 0 */
    const char *hit;
    size_t looked; /* bytes that the last step may have looked at */
};

/* Both texts stay the caller's; the needle is not empty. Without `overlap` a place begins behind the one
 * before it. */
void occurrences_init(struct occurrences *all, const char *text, size_t text_size,
                      const char *needle, size_t size, bool overlap);

/* The next place, or NULL. */
const char *occurrences_next(struct occurrences *all);

#endif
