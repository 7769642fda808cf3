/* SPDX-License-Identifier: MIT */
/* Jobs that wait for the answer of their client's user. */
#include <stdlib.h>
#include <time.h>

#include "serve_crew_parts.h"

/* Everything with the lock held, but for crew_answer. */

/* Sends what is in `line`, which it frees, without the lock. */
static void send_line(struct crew *crew, struct bytes *line)
{
    struct output_piece piece = {.data = line->data, .size = line->size};

    (void)pthread_mutex_unlock(&crew->lock);
    if (line->size > 0 && !line->failed)
        output_put(crew->output, &piece, 1, false);
    bytes_free(line);
    (void)pthread_mutex_lock(&crew->lock);
}

void park_send_notices(struct crew *crew)
{
    while (crew->notices.size > 0) {
        struct bytes notices = crew->notices;

        crew->notices = (struct bytes){0};
        send_line(crew, &notices);
    }
}

static void withdraw(struct crew *crew, const struct job *job)
{
    if (crew->notices.size > 0)
        bytes_add_char(&crew->notices, '\n');
    ask_add_withdrawal(&crew->notices, job->question);
}

static void set_undecided(struct job *job, croft_undecided cause)
{
    job->answer = (croft_answer){.request_id = job->question,
                                 .verdict = {.decision = CROFT_UNDECIDED, .cause = cause}};
    job->has_answer = true;
}

/* It runs again, with its answer; there is somebody who does that. */
static void unpark(struct crew *crew, struct job *job)
{
    job->is_parked = false;
    job->has_answer = true;
    free(job->state);
    job->state = NULL;
    crew->parked--;
    (void)crew_call_for_help(crew, crew->running + 1);
}

/* The question leaves when its answer can be taken. */
void park_job(struct crew *crew, struct job *job)
{
    struct bytes asking = job->asking;

    job->asking = (struct bytes){0};
    job->running = false;
    atomic_store(&job->hold, false); /* whoever runs it then does not lead */
    job->is_left = false;
    job->is_parked = true;
    crew->parked++;
    if (crew->parked > CREW_PARKED || crew->closing || crew->is_drained) {
        bytes_free(&asking);
        set_undecided(job, CROFT_UNDECIDED_ERROR);
        unpark(crew, job);
        return;
    }
    (void)pthread_cond_signal(&crew->begun); /* the watchdog looks at the time */
    send_line(crew, &asking);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Questions that nobody answered in time. */
void park_expire(struct crew *crew)
{
    uint64_t now = crew->parked > 0 ? now_ns() : 0;

    for (struct job *job = crew->first; crew->parked > 0 && job != NULL; job = job->next) {
        if (!job->is_parked || job->deadline_ns > now)
            continue;
        withdraw(crew, job);
        set_undecided(job, CROFT_UNDECIDED_TIMEOUT);
        unpark(crew, job);
    }
}

uint64_t park_first_deadline(const struct crew *crew)
{
    uint64_t first = UINT64_MAX;

    for (const struct job *job = crew->first; job != NULL; job = job->next)
        if (job->is_parked && job->deadline_ns < first)
            first = job->deadline_ns;
    return first;
}

/* It does not run any more; but that it waited for an answer which never came is recorded. */
void park_cancel(struct crew *crew, struct job *job)
{
    withdraw(crew, job);
    set_undecided(job, CROFT_UNDECIDED_CANCELLED);
    unpark(crew, job);
}

/* Of all that wait for an answer none will come: the client has gone. */
void park_close(struct crew *crew)
{
    for (struct job *job = crew->first; job != NULL; job = job->next) {
        if (!job->is_parked)
            continue;
        set_undecided(job, CROFT_UNDECIDED_CANCELLED);
        unpark(crew, job);
    }
}

void crew_answer(struct crew *crew, uint64_t question, const croft_verdict *verdict)
{
    (void)pthread_mutex_lock(&crew->lock);
    for (struct job *job = crew->first; job != NULL; job = job->next) {
        if (!job->is_parked || job->question != question)
            continue;
        job->answer = (croft_answer){.request_id = question, .verdict = *verdict};
        unpark(crew, job);
        break;
    }
    (void)pthread_mutex_unlock(&crew->lock);
}
