/* SPDX-License-Identifier: MIT */
#include "serve_crew.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    STACK_BYTES = 2 * 1024 * 1024,
    SHORT_MS = 2,      /* a call that the leader runs longer than this loses it the lead */
    DRAIN_MS = 700,    /* what was read may still be answered after the client has gone */
    CLEAN_UP_MS = 200, /* and a cancelled call may put things in order */
    RESTING_TICKS = 50 /* without calls, before the watchdog sleeps */
};

void crew_init(struct crew *crew, croft_session *session, struct output *output, size_t calls,
               void (*lead)(void *user), void *user)
{
    pthread_condattr_t attributes;

    *crew = (struct crew){.session = session,
                          .output = output,
                          .lead = lead,
                          .user = user,
                          .calls = calls < CREW_MOST - 1 ? calls : CREW_MOST - 1,
                          .lead_free = true};
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->changed, &attributes);
    (void)pthread_cond_init(&crew->begun, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

/* Everything below with the lock held, but where it says otherwise. */

/* ---- threads ----------------------------------------------------------------------------------- */

static void work(struct crew *crew);
static void *run_watchdog(void *user);

static void *run_follower(void *user)
{
    struct crew *crew = user;

    (void)pthread_mutex_lock(&crew->lock);
    work(crew);
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static bool start_thread(pthread_t *thread, void *(*body)(void *), void *user)
{
    pthread_attr_t attributes;
    bool started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    started = pthread_create(thread, &attributes, body, user) == 0;
    (void)pthread_attr_destroy(&attributes);
    return started;
}

/* Sees that somebody is there to do what has just become to do: `busy` threads lead or run a call, and all
 * others wait for work, or will look for it before they wait. False when nobody can be. */
static bool call_for_help(struct crew *crew, size_t busy)
{
    bool good = crew->thread_count + 1 > busy;

    if (!good && crew->thread_count < crew->calls &&
        start_thread(&crew->threads[crew->thread_count], run_follower, crew)) {
        crew->thread_count++;
        good = true;
    }
    (void)pthread_cond_broadcast(&crew->changed);
    return good;
}

/* ---- jobs -------------------------------------------------------------------------------------- */

/* Whether an earlier job that is not done yet changes the same path. */
static bool is_behind(const struct crew *crew, const struct job *job)
{
    if (job->order == NULL)
        return false;
    for (const struct job *other = crew->first; other != job; other = other->next)
        if (other->order != NULL && !other->is_parked && strcmp(other->order, job->order) == 0)
            return true;
    return false;
}

/* One place is kept for short calls, where there are several. */
static bool may_run(const struct crew *crew, const struct job *job)
{
    size_t long_ones = crew->calls > 1 ? crew->calls - 1 : 1;

    return crew->running < crew->calls && (!job->is_long || crew->running_long < long_ones) &&
           !is_behind(crew, job);
}

static struct job *next_runnable(const struct crew *crew)
{
    for (struct job *job = crew->first; job != NULL; job = job->next)
        if (!job->running && !job->is_parked && may_run(crew, job))
            return job;
    return NULL;
}

static void append(struct crew *crew, struct job *job)
{
    struct job **link = &crew->first;

    while (*link != NULL)
        link = &(*link)->next;
    *link = job;
    job->id = ++crew->last_id;
    crew->count++;
}

/* Nobody is woken who would find nothing to do: that would cost more than a short call. */
static void forget(struct crew *crew, struct job *job)
{
    struct job **link = &crew->first;

    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    crew->count--;
    job_free(job);
    if (crew->awaited || next_runnable(crew) != NULL)
        (void)pthread_cond_broadcast(&crew->changed);
}

/* ---- jobs that wait for an answer -------------------------------------------------------------- */

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

static void send_notices(struct crew *crew)
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
    (void)call_for_help(crew, crew->running + 1);
}

/* The question leaves when its answer can be taken. */
static void park(struct crew *crew, struct job *job)
{
    struct bytes asking = job->asking;

    job->asking = (struct bytes){0};
    job->running = false;
    atomic_store(&job->hold, false); /* whoever runs it then does not lead */
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

/* Runs a job without the lock, and forgets it, unless it waits for an answer then. Whether the leader ran it
 * and still has the lead. */
static bool run(struct crew *crew, struct job *job)
{
    bool waits, leads;

    if (!crew->has_watchdog) /* before the first call there is nothing to watch */
        crew->has_watchdog = start_thread(&crew->watchdog, run_watchdog, crew);
    job->running = true;
    crew->running++;
    crew->running_long += job->is_long;
    (void)pthread_cond_signal(&crew->begun);
    (void)pthread_mutex_unlock(&crew->lock);
    waits = job_run(job, crew->session);
    (void)pthread_mutex_lock(&crew->lock);
    crew->running--;
    crew->running_long -= job->is_long;
    leads = crew->leading == job;
    if (leads)
        crew->leading = NULL; /* before somebody else may have the job */
    if (waits)
        park(crew, job);
    else
        forget(crew, job);
    return leads;
}

static void work(struct crew *crew)
{
    while (!crew->over) {
        struct job *job;

        if (crew->lead_free) { /* first of all: a ping is answered, whatever waits */
            crew->lead_free = false;
            (void)pthread_mutex_unlock(&crew->lock);
            crew->lead(crew->user);
            (void)pthread_mutex_lock(&crew->lock);
            continue;
        }
        job = next_runnable(crew);
        if (job != NULL) {
            (void)run(crew, job);
            continue;
        }
        (void)pthread_cond_wait(&crew->changed, &crew->lock);
    }
}

/* ---- the leader -------------------------------------------------------------------------------- */

/* Runs a short call without a hop. False when it took long and the lead was taken away. */
static bool run_leading(struct crew *crew, struct job *job)
{
    bool leads;

    atomic_store(&job->hold, true);
    crew->leading = job;
    leads = run(crew, job);
    if (leads)
        return true;
    (void)pthread_mutex_unlock(&crew->lock);
    output_flush(crew->output); /* its answer may be held, and the new leader reads already */
    (void)pthread_mutex_lock(&crew->lock);
    return false;
}

/* The lead goes to another thread before the call starts; with nobody there it stays for now. */
static bool run_beside(struct crew *crew, struct job *job)
{
    crew->lead_free = true;
    if (!call_for_help(crew, crew->running + 1)) {
        crew->lead_free = false;
        return run_leading(crew, job);
    }
    (void)run(crew, job);
    return false;
}

/* Nothing more is read while the queue is full, and what is held must not wait for that. */
static void wait_for_room(struct crew *crew)
{
    if (crew->count - crew->parked < CREW_QUEUE)
        return;
    (void)pthread_mutex_unlock(&crew->lock);
    output_flush(crew->output);
    (void)pthread_mutex_lock(&crew->lock);
    crew->awaited = true;
    while (crew->count - crew->parked >= CREW_QUEUE)
        (void)pthread_cond_wait(&crew->changed, &crew->lock);
    crew->awaited = false;
}

/* False when the lead is somebody else's behind it. */
static bool take_over(struct crew *crew, struct job *job)
{
    append(crew, job);
    if (may_run(crew, job))
        return job->is_long ? run_beside(crew, job) : run_leading(crew, job);
    (void)call_for_help(crew, crew->running + 1);
    wait_for_room(crew);
    return true;
}

bool crew_submit(struct crew *crew, struct job *job)
{
    bool leads = true;

    if (job->is_long)
        output_flush(crew->output); /* what is held must not wait for it */
    (void)pthread_mutex_lock(&crew->lock);
    if (crew->closing)
        job_free(job);
    else
        leads = take_over(crew, job);
    (void)pthread_mutex_unlock(&crew->lock);
    return leads;
}

/* ---- the watchdog ------------------------------------------------------------------------------ */

/* A cancel that came before croft_call had begun was lost: it is said again. */
static void repeat_cancels(const struct crew *crew)
{
    for (const struct job *job = crew->first; job != NULL; job = job->next)
        if (job->running && atomic_load(&job->cancelled))
            croft_cancel(crew->session, job->id);
}

/* The leader has been in one call since the last look: somebody else reads on. */
static void take_lead_away(struct crew *crew)
{
    if (crew->leading == NULL || crew->leading->id != crew->watched) {
        crew->watched = crew->leading == NULL ? 0 : crew->leading->id;
        return;
    }
    crew->lead_free = true;
    if (call_for_help(crew, crew->running)) {
        atomic_store(&crew->leading->hold, false);
        crew->leading = NULL;
    } else {
        crew->lead_free = false;
    }
}

static uint64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Questions that nobody answered in time. */
static void expire(struct crew *crew)
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

/* Until something runs, or the time of a question is over. */
static void rest(struct crew *crew)
{
    uint64_t first = UINT64_MAX;
    struct timespec until;

    for (const struct job *job = crew->first; job != NULL; job = job->next)
        if (job->is_parked && job->deadline_ns < first)
            first = job->deadline_ns;
    if (first == UINT64_MAX) {
        (void)pthread_cond_wait(&crew->begun, &crew->lock);
        return;
    }
    until.tv_sec = (time_t)(first / 1000000000u);
    until.tv_nsec = (long)(first % 1000000000u);
    (void)pthread_cond_timedwait(&crew->begun, &crew->lock, &until);
}

static void *run_watchdog(void *user)
{
    const struct timespec tick = {.tv_nsec = SHORT_MS * 1000000L};
    struct crew *crew = user;
    int resting = 0;

    (void)pthread_mutex_lock(&crew->lock);
    while (!crew->over) {
        resting = crew->running > 0 ? 0 : resting + 1;
        if (resting > RESTING_TICKS)
            rest(crew);
        (void)pthread_mutex_unlock(&crew->lock);
        (void)nanosleep(&tick, NULL);
        (void)pthread_mutex_lock(&crew->lock);
        take_lead_away(crew);
        repeat_cancels(crew);
        expire(crew);
        send_notices(crew);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

void crew_work(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    work(crew);
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_cond_broadcast(&crew->begun);
    (void)pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->thread_count; i++)
        (void)pthread_join(crew->threads[i], NULL);
    if (crew->has_watchdog)
        (void)pthread_join(crew->watchdog, NULL);
}

void crew_free(struct crew *crew)
{
    bytes_free(&crew->notices);
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_cond_destroy(&crew->begun);
    (void)pthread_mutex_destroy(&crew->lock);
}

/* ---- cancelling and the end -------------------------------------------------------------------- */

/* It does not run any more; but that it waited for an answer which never came is recorded. */
static void cancel_parked(struct crew *crew, struct job *job)
{
    withdraw(crew, job);
    set_undecided(job, CROFT_UNDECIDED_CANCELLED);
    unpark(crew, job);
}

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
                cancel_parked(crew, job);
            else if (!was_cancelled)
                forget(crew, job);
        }
        job = next;
    }
}

void crew_cancel(struct crew *crew, const char *key)
{
    (void)pthread_mutex_lock(&crew->lock);
    cancel(crew, key);
    send_notices(crew);
    (void)pthread_mutex_unlock(&crew->lock);
}

void crew_cancel_all(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    cancel(crew, NULL);
    (void)pthread_mutex_unlock(&crew->lock);
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

/* Of all that wait for an answer none will come: the client has gone. */
static void close_questions(struct crew *crew)
{
    for (struct job *job = crew->first; job != NULL; job = job->next) {
        if (!job->is_parked)
            continue;
        set_undecided(job, CROFT_UNDECIDED_CANCELLED);
        unpark(crew, job);
    }
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
            forget(crew, job);
        job = next;
    }
    close_questions(crew);
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
    close_questions(crew);
    wait_for_none(crew, DRAIN_MS);
    cancel(crew, NULL);
    wait_for_none(crew, CLEAN_UP_MS);
    if (crew->count > 0)
        _exit(EXIT_SUCCESS); /* a call that does not come back; every write is all or nothing */
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
