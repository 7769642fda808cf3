/* SPDX-License-Identifier: MIT */
/* The interpreters of a session: alike, made when a call finds none free; one is kept while nobody calls, or as
 * many as the host says. */
#ifndef CROFT_POOL_H
#define CROFT_POOL_H

#include <pthread.h>

#include "sandbox.h"

enum { POOL_MOST = 64 };

struct pool {
    struct sandbox_options options;
    struct bytes known; /* what the interpreters are told of the tools */
    size_t ceiling;     /* interpreters at once */
    size_t kept;        /* while nobody calls */
    pthread_mutex_t lock;
    pthread_cond_t freed;
    struct sandbox *idle[POOL_MOST];
    size_t idle_count;
    size_t made;    /* idle and lent */
    size_t waiting; /* calls, for one of them */
    uint64_t made_ever, trapped_ever;
};

/* Makes the first interpreter. It loads all tools, so that one that does not load is found now, and *tools gets
 * them; with NULL it is told of them by `known`, which is filled before. */
croft_status pool_open(struct pool *pool, const struct sandbox_options *options, size_t ceiling,
                       struct bytes *tools, croft_error *err);
void pool_close(struct pool *pool);

/* Lends an interpreter; waits while all are lent. NULL when the call was cancelled meanwhile
 * (CROFT_CANCELLED) or none could be made. */
struct sandbox *pool_take(struct pool *pool, const atomic_bool *cancelled, croft_error *err);

/* Takes it back; one that was trapped is thrown away. */
void pool_give(struct pool *pool, struct sandbox *sandbox, bool is_dead);

/* A new one in the place of one that was lent and trapped, so that nobody waits for it. NULL when none
 * could be made: the place is free then. */
struct sandbox *pool_replace(struct pool *pool, struct sandbox *dead, croft_error *err);

/* How many stay while nobody calls, at least one; what is over now goes. */
void pool_keep(struct pool *pool, size_t count);

/* How many were made so far, and how many of them were thrown away after a trap. */
void pool_count(struct pool *pool, uint64_t *made, uint64_t *trapped);

/* Wakes those who wait, so that a cancelled one sees it. */
void pool_wake(struct pool *pool);

#endif
