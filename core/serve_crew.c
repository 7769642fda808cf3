/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <time.h>

#include "cpus.h"
#include "serve_crew_parts.h"

enum {
    STACK_BYTES = 2 * 1024 * 1024,
    SHORT_MS = 2,       /* a call that the leader runs longer than this loses it the lead */
    RESTING_TICKS = 50, /* without calls, before the watchdog sleeps */
    SHARED = 8,         /* short calls that the leader leaves to the others at a time */
    WORTH = 4           /* that wait before somebody is woken for them: it costs a part of a call */
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
                          .shares = cpus_count() > 1,
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

/* Sees that somebody is there who could help, as crew_call_for_help has it, and wakes nobody. */
static bool find_help(struct crew *crew, size_t busy)
{
    bool good = crew->thread_count + 1 > busy + crew->asking;

    if (!good && crew->thread_count < crew->calls + crew->asking &&
        crew->thread_count < CREW_MOST &&
        start_thread(&crew->threads[crew->thread_count], run_follower, crew)) {
        crew->thread_count++;
        good = true;
    }
    return good;
}

/* Sees that somebody is there to do what has just become to do: `busy` threads lead or run a call, those that
 * ask wait for their users, and all others wait for work, or will look for it before they wait. False when
 * nobody can be. */
bool crew_call_for_help(struct crew *crew, size_t busy)
{
    bool good = find_help(crew, busy);

    (void)pthread_cond_broadcast(&crew->changed);
    return good;
}

/* Lets go of the lock, and wakes whom the leader wants then: with the lock taken he would wait again at once. */
static void let_go(struct crew *crew)
{
    bool wakes = crew->wakes;

    crew->wakes = false;
    (void)pthread_mutex_unlock(&crew->lock);
    if (wakes)
        (void)pthread_cond_signal(&crew->changed);
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

/* Of what the leader has left to others, and nobody has begun. */
static struct job *first_left(const struct crew *crew)
{
    struct job *job = crew->first;

    while (job != NULL && (job->running || !job->is_left))
        job = job->next;
    return job;
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

/* Whether somebody has to be called. For what the leader has left to others nobody has: who is at work on a short
 * call comes by. */
static bool is_needed(const struct crew *crew)
{
    for (const struct job *job = crew->first; job != NULL; job = job->next)
        if (!job->running && !job->is_parked && !job->is_left && may_run(crew, job))
            return true;
    return false;
}

/* Nobody is woken who would find nothing to do: that would cost more than a short call. */
void crew_forget(struct crew *crew, struct job *job)
{
    struct job **link = &crew->first;

    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    crew->count--;
    job_free(job);
    if (crew->awaited || is_needed(crew))
        (void)pthread_cond_broadcast(&crew->changed);
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
    let_go(crew);
    waits = job_run(job, crew->session);
    (void)pthread_mutex_lock(&crew->lock);
    crew->running--;
    crew->running_long -= job->is_long;
    leads = crew->leading == job;
    if (leads)
        crew->leading = NULL; /* before somebody else may have the job */
    if (waits)
        park_job(crew, job);
    else
        crew_forget(crew, job);
    return leads;
}

/* Without the lock. */
static void flush(struct crew *crew)
{
    (void)pthread_mutex_unlock(&crew->lock);
    output_flush(crew->output);
    (void)pthread_mutex_lock(&crew->lock);
}

/* Answers of what the leader left are held until no more of it waits, or until the leader sends them. */
static void run_following(struct crew *crew, struct job *job)
{
    bool may_be_held = job->is_left;

    (void)run(crew, job);
    if (may_be_held && crew->waits && first_left(crew) == NULL)
        flush(crew);
}

static void work(struct crew *crew)
{
    while (!crew->over) {
        struct job *job;

        crew->comes = false;
        if (crew->lead_free) { /* first of all: a ping is answered, whatever waits */
            crew->lead_free = false;
            (void)pthread_mutex_unlock(&crew->lock);
            crew->lead(crew->user);
            (void)pthread_mutex_lock(&crew->lock);
            continue;
        }
        job = next_runnable(crew);
        if (job != NULL) {
            run_following(crew, job);
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
    if (!leads)
        flush(crew); /* its answer may be held, and the new leader reads already */
    return leads;
}

/* The lead goes to another thread before the call starts; with nobody there it stays for now. */
static bool run_beside(struct crew *crew, struct job *job)
{
    crew->lead_free = true;
    if (!crew_call_for_help(crew, crew->running + 1)) {
        crew->lead_free = false;
        return run_leading(crew, job);
    }
    (void)run(crew, job);
    return false;
}

/* Jobs that run or will, as soon as somebody has time. */
static size_t count_active(const struct crew *crew)
{
    return crew->count - crew->parked - crew->asking;
}

/* Nothing more is read while the queue is full, and what is held must not wait for that. */
static void wait_for_room(struct crew *crew)
{
    if (count_active(crew) < CREW_QUEUE)
        return;
    flush(crew);
    crew->awaited = true;
    while (count_active(crew) >= CREW_QUEUE)
        (void)pthread_cond_wait(&crew->changed, &crew->lock);
    crew->awaited = false;
}

/* Leaves a short call to another thread, while the leader reads the next. False where nobody could come by, or that
 * has enough to do. */
static bool leave_to_others(struct crew *crew, struct job *job)
{
    if (!crew->shares || crew->calls == 1 || job->order != NULL ||
        count_active(crew) > crew->running + SHARED || !find_help(crew, crew->running + 1))
        return false;
    atomic_store(&job->hold, true);
    job->is_left = true;
    return true;
}

/* Whether the leader has left something that nobody at work or woken will come by for. */
static bool is_forsaken(const struct crew *crew)
{
    return !crew->comes && crew->running == crew->running_long && first_left(crew) != NULL;
}

/* Has somebody woken for what the leader left, when it lets go of the lock. */
static void wake_one(struct crew *crew)
{
    crew->wakes = crew->comes = true;
}

/* A short call that may run. False when the lead is somebody else's behind it. */
static bool leave_or_run(struct crew *crew, struct job *job, bool more)
{
    bool is_left = more && leave_to_others(crew, job);

    if (is_forsaken(crew) && (!is_left || count_active(crew) >= crew->running + WORTH))
        wake_one(crew);
    return is_left || run_leading(crew, job);
}

/* False when the lead is somebody else's behind it. */
static bool take_over(struct crew *crew, struct job *job, bool more)
{
    append(crew, job);
    if (may_run(crew, job)) {
        if (job->is_long)
            return run_beside(crew, job);
        return leave_or_run(crew, job, more);
    }
    (void)crew_call_for_help(crew, crew->running + 1);
    wait_for_room(crew);
    return true;
}

bool crew_submit(struct crew *crew, struct job *job, bool more)
{
    bool leads = true;

    if (job->is_long)
        output_flush(crew->output); /* what is held must not wait for it */
    (void)pthread_mutex_lock(&crew->lock);
    crew->waits = false;
    if (crew->closing)
        job_free(job);
    else
        leads = take_over(crew, job, more);
    let_go(crew);
    return leads;
}

bool crew_help(struct crew *crew)
{
    bool leads = true;

    (void)pthread_mutex_lock(&crew->lock);
    while (leads && first_left(crew) != NULL && may_run(crew, first_left(crew)))
        leads = run_leading(crew, first_left(crew));
    crew->waits = leads;
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
    if (crew_call_for_help(crew, crew->running)) {
        atomic_store(&crew->leading->hold, false);
        crew->leading = NULL;
    } else {
        crew->lead_free = false;
    }
}

/* What was left to others at the last look waits still: who was near has got a long call. */
static void see_to_what_is_left(struct crew *crew)
{
    const struct job *left = first_left(crew);
    uint64_t id = left == NULL ? 0 : left->id;

    if (id != 0 && id == crew->watched_left)
        (void)crew_call_for_help(crew, crew->running + 1);
    crew->watched_left = id;
}

/* How many interpreters stay while nobody calls. Lets go of the lock meanwhile. */
static void keep(struct crew *crew, size_t interpreters)
{
    (void)pthread_mutex_unlock(&crew->lock);
    croft_session_keep(crew->session, interpreters);
    (void)pthread_mutex_lock(&crew->lock);
}

/* Until something runs, or the time of a question is over. */
static void wait_for_work(struct crew *crew)
{
    uint64_t first = park_first_deadline(crew);
    struct timespec until;

    if (first == UINT64_MAX) {
        (void)pthread_cond_wait(&crew->begun, &crew->lock);
        return;
    }
    until.tv_sec = (time_t)(first / 1000000000u);
    until.tv_nsec = (long)(first % 1000000000u);
    (void)pthread_cond_timedwait(&crew->begun, &crew->lock, &until);
}

static void rest(struct crew *crew)
{
    keep(crew, 1);
    if (crew->running == 0 && !crew->over)
        wait_for_work(crew);
    keep(crew, crew->calls);
}

static void *run_watchdog(void *user)
{
    const struct timespec tick = {.tv_nsec = SHORT_MS * 1000000L};
    struct crew *crew = user;
    int resting = 0;

    (void)pthread_mutex_lock(&crew->lock);
    keep(crew, crew->calls);
    while (!crew->over) {
        resting = crew->running > 0 ? 0 : resting + 1;
        if (resting > RESTING_TICKS)
            rest(crew);
        (void)pthread_mutex_unlock(&crew->lock);
        (void)nanosleep(&tick, NULL);
        output_flush(crew->output); /* what is held waits no longer */
        (void)pthread_mutex_lock(&crew->lock);
        take_lead_away(crew);
        see_to_what_is_left(crew);
        repeat_cancels(crew);
        park_expire(crew);
        park_send_notices(crew);
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
