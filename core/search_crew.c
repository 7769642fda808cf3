/* SPDX-License-Identifier: MIT */
/*
 * Whoever is free takes the next few files from the walk and searches them into a part of its own. The
 * parts are added up in the order of the walk. A part that does not fit below the ceilings, or in what is
 * left of the budget, is searched again, straight into the whole: so the end is that of one thread alone.
 */
#include "search_crew.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "cpus.h"
#include "search_batch.h"

enum {
    BATCHES = 32,            /* taken and not added up yet */
    PENDING_BYTES = 2 * MIB, /* of their texts */
    BATCH_BYTES = 512 * KIB, /* of the files of a batch, by what was read so far */
    STACK_BYTES = 512 * KIB, /* of a thread */
    BETWEEN_REPORTS_MS = 50
};

struct crew {
    pthread_mutex_t lock, large, slow;
    pthread_cond_t changed;
    const struct searcher *first;
    struct search_options *options;
    struct search_result *total;
    struct budget budget; /* of the walk, and of all that was added up */
    struct batch_source source;
    struct batch batches[BATCHES];
    uint64_t next, added; /* batches so far */
    size_t pending_bytes;
    uint64_t files, bytes; /* that were read */
    unsigned busy;         /* threads that may still change something */
    bool done;             /* the search has ended before the walk */
    atomic_bool halted;    /* the same, for those who do not hold the lock */
    croft_status status;   /* as searcher.status */
};

unsigned crew_size(const struct search_options *options)
{
    unsigned count = options->threads == 0 ? cpus_count() : options->threads;

    return count > SEARCH_THREADS ? SEARCH_THREADS : count;
}

/* ---- adding up: with the lock held ---- */

static void halt(struct crew *crew)
{
    crew->done = true;
    atomic_store(&crew->halted, true);
}

/* Ends the search at the file that the batch stood at. */
static void end_at(struct crew *crew, const struct batch *batch)
{
    batch_forget_later(&crew->source, batch);
    halt(crew);
}

/* Searches the files of a batch again, as the calling thread alone would. */
static void search_again(struct crew *crew, struct batch *batch, struct searcher *searcher)
{
    searcher->result = crew->total;
    searcher->budget = &crew->budget;
    if (batch->status != CROFT_INTERNAL) /* it may lack names */
        batch->status = CROFT_OK;
    batch_run(batch, searcher);
}

/* Whether the budget would not run short in the batch if it were searched now. While it was searched,
 * others were at work, and it did not know what they would use. */
static bool affords(const struct crew *crew, const struct batch *batch)
{
    const struct budget *budget = &crew->budget;
    uint64_t used = batch->steps - batch->budget.steps_left;

    return used <= budget->steps_left && budget->steps_left - used >= budget->steps_given / 10;
}

static void add_batch(struct crew *crew, struct batch *batch, struct searcher *searcher)
{
    bool adds = affords(crew, batch);

    if (adds) {
        budget_spend(&crew->budget, batch->steps - batch->budget.steps_left);
        if (crew->budget.breach == BREACH_NONE)
            crew->budget.breach = batch->budget.breach;
        adds = batch->status != CROFT_OK || part_add(crew->total, &batch->part, crew->options);
    }
    if (!adds && crew->budget.breach == BREACH_NONE)
        search_again(crew, batch, searcher);
    if (crew->status == CROFT_OK)
        crew->status = crew->total->text.failed ? CROFT_INTERNAL : batch->status;
    if (batch->done || crew->status != CROFT_OK || crew->budget.breach != BREACH_NONE)
        end_at(crew, batch);
}

static void add_batches(struct crew *crew, struct searcher *searcher)
{
    while (crew->added < crew->next && crew->batches[crew->added % BATCHES].ready) {
        struct batch *batch = &crew->batches[crew->added % BATCHES];

        crew->pending_bytes -= batch->part.text.size;
        if (!crew->done)
            add_batch(crew, batch, searcher);
        batch_close(batch);
        crew->added++;
    }
    pthread_cond_broadcast(&crew->changed);
}

/* ---- one thread ---- */

static bool may_take(const struct crew *crew)
{
    return crew->next == crew->added ||
           (crew->next - crew->added < BATCHES && crew->pending_bytes < PENDING_BYTES);
}

static bool has_more(const struct crew *crew)
{
    return !crew->done && !crew->source.over;
}

/* How many files the next batch should have: fewer, where they are large. */
static unsigned batch_size(const struct crew *crew)
{
    uint64_t size = BATCH_BYTES * crew->files / (crew->bytes + 1);

    return size < 1 ? 1 : size > BATCH_FILES ? BATCH_FILES : (unsigned)size;
}

/* Takes the next batch, searches it and adds it up. */
static void do_batch(struct crew *crew, struct searcher *searcher)
{
    struct batch *batch = &crew->batches[crew->next++ % BATCHES];
    uint64_t before = searcher->bytes_read;

    batch_cut(batch, &crew->source, batch_size(crew));
    batch->budget = crew->budget;
    batch->budget.halted = &crew->halted;
    batch->steps = batch->budget.steps_left;
    pthread_mutex_unlock(&crew->lock);
    searcher->result = &batch->part;
    searcher->budget = &batch->budget;
    batch_run(batch, searcher);
    pthread_mutex_lock(&crew->lock);
    batch->ready = true;
    crew->files += batch->count;
    crew->bytes += searcher->bytes_read - before;
    crew->pending_bytes += batch->part.text.size;
    add_batches(crew, searcher);
}

static void *help(void *argument)
{
    struct crew *crew = argument;
    struct searcher searcher = {.options = crew->options, .large = &crew->large};
    bool opened = searcher_open(&searcher);

    if (opened)
        matcher_share(searcher.matcher, &crew->slow);
    pthread_mutex_lock(&crew->lock);
    while (opened && has_more(crew)) {
        if (may_take(crew))
            do_batch(crew, &searcher);
        else
            pthread_cond_wait(&crew->changed, &crew->lock);
    }
    crew->busy--;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    searcher_close(&searcher);
    return NULL;
}

/* ---- the calling thread ---- */

/* Tells the listener of the call how far all have come. Lets go of the lock meanwhile. */
static void report(struct crew *crew, struct budget *budget)
{
    budget->done = crew->budget.done;
    budget->steps_left = crew->budget.steps_left;
    pthread_mutex_unlock(&crew->lock);
    budget_look(budget);
    pthread_mutex_lock(&crew->lock);
}

static void wait_a_moment(struct crew *crew)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += BETWEEN_REPORTS_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_clockwait(&crew->changed, &crew->lock, CLOCK_MONOTONIC, &until);
}

static void lead(struct crew *crew, struct searcher *searcher, struct budget *budget)
{
    pthread_mutex_lock(&crew->lock);
    while (has_more(crew) || crew->busy > 0) {
        if (has_more(crew) && may_take(crew))
            do_batch(crew, searcher);
        else
            wait_a_moment(crew);
        report(crew, budget);
    }
    pthread_mutex_unlock(&crew->lock);
}

/* Signals are the affair of the host's own threads. */
static unsigned call_helpers(struct crew *crew, pthread_t *threads, unsigned count)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    unsigned started = 0;

    if (pthread_attr_init(&attributes) != 0)
        return 0;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_mutex_lock(&crew->lock);
    while (started < count && pthread_create(&threads[started], &attributes, help, crew) == 0) {
        started++;
        crew->busy++;
    }
    pthread_mutex_unlock(&crew->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* ---- all of it ---- */

static struct crew *crew_new(struct searcher *first, struct tree *tree,
                             struct search_options *options)
{
    struct crew *crew = calloc(1, sizeof *crew);

    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_mutex_init(&crew->large, NULL);
    pthread_mutex_init(&crew->slow, NULL);
    pthread_cond_init(&crew->changed, NULL);
    crew->first = first;
    crew->options = options;
    crew->total = first->result;
    crew->files = first->result->files_seen;
    crew->bytes = first->bytes_read;
    crew->budget = *first->budget;
    crew->budget.listener.progress = NULL;
    batch_source_begin(&crew->source, tree, options, first->result);
    return crew;
}

static void crew_free(struct crew *crew)
{
    for (unsigned i = 0; i < BATCHES; i++)
        batch_free(&crew->batches[i]);
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->slow);
    pthread_mutex_destroy(&crew->large);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

/* What the calling thread would know if it had done all alone. */
static croft_status finish(struct crew *crew, struct searcher *first, struct budget *budget,
                           croft_error *err)
{
    croft_status status = crew->done ? CROFT_OK : crew->source.status;

    batch_source_end(&crew->source);
    if (status != CROFT_OK && err != NULL)
        *err = crew->source.err;
    budget->steps_left = crew->budget.steps_left;
    budget->done = crew->budget.done;
    if (budget->breach == BREACH_NONE)
        budget->breach = crew->budget.breach;
    first->result = crew->total;
    first->budget = budget;
    first->done = crew->done;
    first->status = crew->status;
    return status;
}

croft_status crew_search(struct searcher *first, struct tree *tree, struct search_options *options,
                         unsigned threads, croft_error *err)
{
    struct budget *budget = first->budget;
    struct crew *crew = crew_new(first, tree, options);
    pthread_t helpers[SEARCH_THREADS];
    croft_status status;
    unsigned count;

    if (crew == NULL) {
        first->status = CROFT_INTERNAL;
        return CROFT_OK;
    }
    options->tree.budget = &crew->budget; /* the walk looks there from now on */
    first->large = &crew->large;
    matcher_share(first->matcher, &crew->slow);
    count = call_helpers(crew, helpers, threads - 1);
    lead(crew, first, budget);
    for (unsigned i = 0; i < count; i++)
        pthread_join(helpers[i], NULL);
    status = finish(crew, first, budget, err);
    options->tree.budget = budget;
    first->large = NULL;
    matcher_share(first->matcher, NULL);
    crew_free(crew);
    return status;
}
