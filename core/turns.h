/* SPDX-License-Identifier: MIT */
/* Writes of one file in order: who changes a file waits for the one before. A turn is a record, not a
 * mutex, so that it can be given back for a call that was trapped. */
#ifndef CROFT_TURNS_H
#define CROFT_TURNS_H

#include <pthread.h>

#include "budget.h"

/* One call's turn at one file. All zero: none. */
struct turn {
    struct turn *next;
    char *key; /* the file's root-relative path with links resolved */
};

struct turns {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    struct turn *taken;
};

void turns_init(struct turns *turns);
void turns_destroy(struct turns *turns);

/*
 * Waits until no other call has the turn at `key`, and takes it; the one that `turn` held before is
 * given back first, so that no two calls wait for each other. False after a breach of the budget (or
 * without memory).
 */
bool turns_take(struct turns *turns, struct turn *turn, const char *key, struct budget *budget);

/* Gives it back; nothing happens when there is none. */
void turns_give(struct turns *turns, struct turn *turn);

#endif
