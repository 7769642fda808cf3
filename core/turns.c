/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOK_NS = 20 * 1000 * 1000 }; /* how often a waiting call looks at its budget */

void turns_init(struct turns *turns)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&turns->freed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&turns->lock, NULL);
    turns->taken = NULL;
}

void turns_destroy(struct turns *turns)
{
    pthread_cond_destroy(&turns->freed);
    pthread_mutex_destroy(&turns->lock);
}

static bool is_taken(const struct turns *turns, const char *key)
{
    for (const struct turn *turn = turns->taken; turn != NULL; turn = turn->next)
        if (strcmp(turn->key, key) == 0)
            return true;
    return false;
}

/* With the lock held, which is let go meanwhile: the budget may tell the host of progress. */
static bool wait_a_little(struct turns *turns, struct budget *budget)
{
    struct timespec until;
    bool good;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&turns->freed, &turns->lock, &until);
    pthread_mutex_unlock(&turns->lock);
    good = budget_look(budget);
    pthread_mutex_lock(&turns->lock);
    return good;
}

bool turns_take(struct turns *turns, struct turn *turn, const char *key, struct budget *budget)
{
    bool good = true;
    char *copy;

    if (turn->key != NULL && strcmp(turn->key, key) == 0)
        return true;
    turns_give(turns, turn);
    copy = strdup(key);
    if (copy == NULL)
        return false;
    pthread_mutex_lock(&turns->lock);
    while (good && is_taken(turns, key))
        good = wait_a_little(turns, budget);
    if (good) {
        turn->key = copy;
        turn->next = turns->taken;
        turns->taken = turn;
    }
    pthread_mutex_unlock(&turns->lock);
    if (!good)
        free(copy);
    return good;
}

void turns_give(struct turns *turns, struct turn *turn)
{
    struct turn **link;

    if (turn->key == NULL)
        return;
    pthread_mutex_lock(&turns->lock);
    for (link = &turns->taken; *link != turn; link = &(*link)->next)
        ;
    *link = turn->next;
    pthread_cond_broadcast(&turns->freed);
    pthread_mutex_unlock(&turns->lock);
    free(turn->key);
    turn->key = NULL;
}
