/* SPDX-License-Identifier: MIT */
/* The memory of one interpreter: counted, bounded, and freed as a whole after a trap. */
#ifndef CROFT_HEAP_H
#define CROFT_HEAP_H

#include "bind/bind.h"
#include "heap_small.h"

struct block;

/* Per cent of what is in use when garbage is collected again. */
enum { HEAP_PAUSE = 120 };

struct heap {
    struct bind_host *host;
    lua_State *L; /* whose memory it is */
    struct small_heap small;
    struct block *blocks; /* all others that are in use */
    size_t used, limit;   /* bytes, headers included */
    size_t most;          /* that were in use at once */
    int pause;            /* the collector's at the moment, in per cent */
};

/* A lua_Alloc; `user` is the struct heap. With the trap armed it never returns NULL for want of memory: a
 * breach of the limit is a trap. */
void *heap_allocate(void *user, void *pointer, size_t old_size, size_t size);

/* Before a call: where little of the limit is in use, garbage is collected late. That ends as soon as more
 * is, so that no garbage is taken for a breach of the limit. */
void heap_relax(struct heap *heap);

/* Frees everything; the interpreter must not be used any more, not even to close it. */
void heap_drop(struct heap *heap);

#endif
