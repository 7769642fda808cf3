/* SPDX-License-Identifier: MIT */
/* Jobs that wait for the answer of a user. */
#include <stdlib.h>
#include <time.h>

#include "serve_crew_parts.h"

/* Everything with the lock held, but for crew_answer and crew_asks. */

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

/* Whoever sends goes on until nothing is left, so that lines leave in the order in which they were added: no
 * withdrawal before its question. */
void park_send_notices(struct crew *crew)
{
    if (crew->sends)
        return;
    crew->sends = true;
    while (crew->notices.size > 0) {
        struct bytes notices = crew->notices;

        crew->notices = (struct bytes){0};
        send_line(crew, &notices);
    }
    crew->sends = false;
}

/* False when memory ran out for it; what was added before stays. */
static bool add_notice(struct crew *crew, const struct bytes *line)
{
    bool good = !line->failed && bytes_reserve(&crew->notices, line->size + 1);

    crew->notices.failed = false;
    if (good && crew->notices.size > 0)
        bytes_add_char(&crew->notices, '\n');
    if (good)
        bytes_add(&crew->notices, line->data, line->size);
    return good;
}

static void withdraw(struct crew *crew, const struct job *job)
{
    struct bytes line = {0};

    ask_add_withdrawal(&line, job->question);
    (void)add_notice(crew, &line);
    bytes_free(&line);
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

/* Whether nobody is to be asked, and why. A call that was cancelled while its question was made is not in the
 * session any more, so that croft_cancel did not meet it. */
static bool is_unasked(const struct crew *crew, const struct job *job, croft_undecided *cause)
{
    bool is_over = crew->closing || crew->is_drained || atomic_load(&job->cancelled);

    *cause = is_over ? CROFT_UNDECIDED_CANCELLED : CROFT_UNDECIDED_TOO_MANY;
    return is_over || crew->parked > CREW_PARKED;
}

/* The question leaves when its answer can be taken. */
void park_job(struct crew *crew, struct job *job)
{
    struct bytes asking = job->asking;
    croft_undecided cause;

    job->asking = (struct bytes){0};
    job->running = false;
    atomic_store(&job->hold, false); /* whoever runs it then does not lead */
    job->is_left = false;
    job->is_parked = true;
    crew->parked++;
    if (is_unasked(crew, job, &cause)) {
        set_undecided(job, cause);
        unpark(crew, job);
    } else if (!add_notice(crew, &asking)) {
        set_undecided(job, CROFT_UNDECIDED_ERROR);
        unpark(crew, job);
    } else {
        (void)pthread_cond_signal(&crew->begun); /* the watchdog looks at the time */
        park_send_notices(crew);
    }
    bytes_free(&asking);
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

void crew_asks(void *user, uint64_t call_id, bool begins)
{
    struct crew *crew = user;
    struct job *job;

    (void)pthread_mutex_lock(&crew->lock);
    job = crew->first;
    while (job != NULL && job->id != call_id)
        job = job->next;
    if (job != NULL && begins) {
        crew->running--;
        crew->running_long -= job->is_long;
        crew->asking++;
        (void)crew_call_for_help(crew, crew->running + 1);
    } else if (job != NULL) {
        crew->asking--;
        crew->running++;
        crew->running_long += job->is_long;
        (void)pthread_cond_signal(&crew->begun);
    }
    (void)pthread_mutex_unlock(&crew->lock);
}
