/* SPDX-License-Identifier: MIT */
/* Small pieces of memory for one interpreter, which makes and forgets thousands of them: cut from chunks, kept
 * by size when they are given back, and freed as a whole. */
#ifndef CROFT_HEAP_SMALL_H
#define CROFT_HEAP_SMALL_H

#include <stddef.h>

enum {
    SMALL_GRAIN = 16, /* sizes are rounded up to it, and pieces aligned to it */
    SMALL_MOST = 256, /* bytes of a piece */
    SMALL_SIZES = SMALL_MOST / SMALL_GRAIN
};

/* {0} is the empty state. */
struct small_heap {
    struct small_chunk *chunks;
    size_t held;      /* bytes of all chunks */
    char *next, *end; /* what is not cut yet of the first chunk */
    struct small_piece *given_back[SMALL_SIZES];
};

/* A piece of `size` bytes, 1 to SMALL_MOST; NULL when memory ran out, or the chunks would hold more than `most`
 * bytes: pieces that were given back serve none of another size, so that what is in use does not bound them. */
void *small_take(struct small_heap *heap, size_t size, size_t most);

/* Gives back a piece that was taken for that size. */
void small_give(struct small_heap *heap, void *piece, size_t size);

/* Whether a piece that was taken for `old` bytes has room for `size`, and is no larger than one for it. */
static inline int small_fits(size_t old, size_t size)
{
    return (old + SMALL_GRAIN - 1) / SMALL_GRAIN == (size + SMALL_GRAIN - 1) / SMALL_GRAIN;
}

/* Frees all, whoever still has a piece. */
void small_drop(struct small_heap *heap);

#endif
