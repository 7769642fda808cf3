/* SPDX-License-Identifier: MIT */
/* How calls are called off, and how the crew ends. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "leave.h"
#include "serve_crew_parts.h"

enum {
    DRAIN_MS = 700,   /* what was read may still be answered after the client has gone */
    CLEAN_UP_MS = 200 /* and a cancelled call may put things in order */
};

/* key NULL: all. */
static void cancel(struct crew *crew, const char *key)
{
    struct job *job = crew->first;

    while (job != NULL) {
        struct job *next = job->next;

        if (key == NULL || strcmp(job->key, key) == 0) {
            bool was_cancelled = atomic_exchange(&job->cancelled, true);

            if (job->running)
                croft_cancel(crew->session, job->id);
            else if (job->is_parked)
                park_cancel(crew, job);
            else if (!was_cancelled)
                crew_forget(crew, job);
        }
        job = next;
    }
}

void crew_cancel(struct crew *crew, const char *key)
{
    (void)pthread_mutex_lock(&crew->lock);
    cancel(crew, key);
    park_send_notices(crew);
    (void)pthread_mutex_unlock(&crew->lock);
}

void crew_cancel_all(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    cancel(crew, NULL);
    (void)pthread_mutex_unlock(&crew->lock);
}

void crew_close(struct crew *crew)
{
    struct job *job;

    (void)pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    job = crew->first;
    while (job != NULL) {
        struct job *next = job->next;

        if (!job->running && job->question == 0)
            crew_forget(crew, job);
        job = next;
    }
    park_close(crew);
    (void)pthread_mutex_unlock(&crew->lock);
}

bool crew_is_quiet(struct crew *crew)
{
    bool quiet;

    (void)pthread_mutex_lock(&crew->lock);
    quiet = crew->count == 0;
    (void)pthread_mutex_unlock(&crew->lock);
    return quiet && output_is_flushed(crew->output);
}

/* Waits until there is no job, at most so long. */
static void wait_for_none(struct crew *crew, long milliseconds)
{
    struct timespec until;
    int result = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (until.tv_nsec + milliseconds * 1000000) / 1000000000;
    until.tv_nsec = (until.tv_nsec + milliseconds * 1000000) % 1000000000;
    crew->awaited = true;
    while (crew->count > 0 && result == 0)
        result = pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
    crew->awaited = false;
}

void crew_drain(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    crew->is_drained = true;
    park_close(crew);
    wait_for_none(crew, DRAIN_MS);
    cancel(crew, NULL);
    wait_for_none(crew, CLEAN_UP_MS);
    if (crew->count > 0)
        leave(EXIT_SUCCESS); /* a call that does not come back; every write is all or nothing */
    (void)pthread_mutex_unlock(&crew->lock);
}

void crew_finish(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    crew->over = true;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_cond_broadcast(&crew->begun);
    (void)pthread_mutex_unlock(&crew->lock);
}
