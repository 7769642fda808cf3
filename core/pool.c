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
    if (pool->kept == 0)
        pool->kept = 1;
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
        pool->waiting++;
        pthread_cond_wait(&pool->freed, &pool->lock);
        pool->waiting--;
    }
    return NULL;
}

/* One that takes a place that is counted already; gives the place up when that fails. */
static struct sandbox *make_one(struct pool *pool, croft_error *err)
{
    struct sandbox *sandbox;

    if (sandbox_new(&pool->options, &sandbox, NULL, err) == CROFT_OK)
        return sandbox;
    pthread_mutex_lock(&pool->lock);
    pool->made--;
    pool->made_ever--;
    pthread_cond_signal(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct sandbox *pool_take(struct pool *pool, const atomic_bool *cancelled, croft_error *err)
{
    struct sandbox *sandbox;
    bool may_make;

    pthread_mutex_lock(&pool->lock);
    sandbox = wait_for_one(pool, cancelled, &may_make);
    pthread_mutex_unlock(&pool->lock);
    if (may_make)
        return make_one(pool, err);
    if (sandbox == NULL)
        fail(err, CROFT_CANCELLED, 0, "the call was cancelled");
    return sandbox;
}

struct sandbox *pool_replace(struct pool *pool, struct sandbox *dead, croft_error *err)
{
    sandbox_free(dead);
    pthread_mutex_lock(&pool->lock);
    pool->made_ever++;
    pool->trapped_ever++;
    pthread_mutex_unlock(&pool->lock);
    return make_one(pool, err);
}

/* Nobody calls: what is kept then is enough. With the lock held. */
static size_t take_surplus(struct pool *pool, struct sandbox **surplus)
{
    size_t count = 0;

    if (pool->idle_count < pool->made || pool->waiting > 0)
        return 0;
    while (pool->idle_count > pool->kept) {
        surplus[count++] = pool->idle[--pool->idle_count];
        pool->made--;
    }
    return count;
}

void pool_give(struct pool *pool, struct sandbox *sandbox, bool is_dead)
{
    struct sandbox *surplus[POOL_MOST];
    size_t count;

    pthread_mutex_lock(&pool->lock);
    if (is_dead)
        pool->made--;
    else
        pool->idle[pool->idle_count++] = sandbox;
    pool->trapped_ever += is_dead;
    count = take_surplus(pool, surplus);
    pthread_cond_signal(&pool->freed);
    pthread_mutex_unlock(&pool->lock);
    if (is_dead)
        sandbox_free(sandbox);
    while (count > 0)
        sandbox_free(surplus[--count]);
}

void pool_keep(struct pool *pool, size_t count)
{
    struct sandbox *surplus[POOL_MOST];

    pthread_mutex_lock(&pool->lock);
    pool->kept = count < 1 ? 1 : count;
    count = take_surplus(pool, surplus);
    pthread_mutex_unlock(&pool->lock);
    while (count > 0)
        sandbox_free(surplus[--count]);
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
