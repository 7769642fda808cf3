/* SPDX-License-Identifier: MIT */
#include "pool.h"

#include <errno.h>

croft_status pool_open(struct pool *pool, const struct sandbox_options *options, size_t ceiling,
                       struct bytes *tools, croft_error *err)
{
    croft_status status;

    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->freed, NULL);
    pool->options = *options;
    pool->options.known = &pool->known;
    pool->ceiling = ceiling < POOL_MOST ? ceiling : POOL_MOST;
    status = sandbox_new(&pool->options, &pool->idle[0], tools, err);
    if (status == CROFT_OK)
        pool->idle_count = pool->made = pool->made_ever = 1;
    return status;
}

void pool_close(struct pool *pool)
{
    while (pool->idle_count > 0)
        sandbox_free(pool->idle[--pool->idle_count]);
    bytes_free(&pool->known);
    pthread_cond_destroy(&pool->freed);
    pthread_mutex_destroy(&pool->lock);
}

/* An interpreter that is free, or leave to make one (NULL, *may_make). With the lock held. */
static struct sandbox *wait_for_one(struct pool *pool, const atomic_bool *cancelled, bool *may_make)
{
    *may_make = false;
    while (!atomic_load(cancelled)) {
        if (pool->idle_count > 0)
            return pool->idle[--pool->idle_count];
        if (pool->made < pool->ceiling) {
            pool->made++;
            pool->made_ever++;
            *may_make = true;
            return NULL;
        }
        pthread_cond_wait(&pool->freed, &pool->lock);
    }
    return NULL;
}

static void forget_one(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->made--;
    pool->made_ever--;
    pthread_cond_signal(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}

struct sandbox *pool_take(struct pool *pool, const atomic_bool *cancelled, croft_error *err)
{
    struct sandbox *sandbox;
    bool may_make;

    pthread_mutex_lock(&pool->lock);
    sandbox = wait_for_one(pool, cancelled, &may_make);
    pthread_mutex_unlock(&pool->lock);
    if (sandbox == NULL && !may_make)
        fail(err, CROFT_CANCELLED, 0, "the call was cancelled");
    if (!may_make)
        return sandbox;
    if (sandbox_new(&pool->options, &sandbox, NULL, err) != CROFT_OK) {
        sandbox = NULL;
        forget_one(pool);
    }
    return sandbox;
}

void pool_give(struct pool *pool, struct sandbox *sandbox, bool is_dead)
{
    bool keep;

    pthread_mutex_lock(&pool->lock);
    /* all others idle too: nobody calls, and one is enough */
    keep = !is_dead && !(pool->idle_count > 0 && pool->idle_count + 1 == pool->made);
    if (keep)
        pool->idle[pool->idle_count++] = sandbox;
    else
        pool->made--;
    pool->trapped_ever += is_dead;
    pthread_cond_signal(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
    if (!keep)
        sandbox_free(sandbox);
}

void pool_count(struct pool *pool, uint64_t *made, uint64_t *trapped)
{
    pthread_mutex_lock(&pool->lock);
    *made = pool->made_ever;
    *trapped = pool->trapped_ever;
    pthread_mutex_unlock(&pool->lock);
}

void pool_wake(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
}
