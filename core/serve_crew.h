/* SPDX-License-Identifier: MIT */
/*
 * Who does what in the server: leader and followers.
 *
 * One thread leads: it reads lines and answers what is short on the spot, without a hop; of short calls that came
 * together another thread takes its share, one behind the other. A long call, or one that turns out to be long,
 * runs on while another thread takes the lead. Calls over the ceiling
 * wait in a queue; while that is full nothing is read. A call whose client is asked a question is put aside
 * until the answer comes, and runs then from its beginning.
 */
#ifndef CROFT_SERVE_CREW_H
#define CROFT_SERVE_CREW_H

#include <pthread.h>

#include "serve_job.h"

enum { CREW_MOST = 65, CREW_QUEUE = 64, CREW_PARKED = 48 };

struct crew {
    croft_session *session;
    struct output *output;
    void (*lead)(void *user); /* leads until crew_submit says false or the input is over */
    void *user;
    size_t calls; /* at once */
    bool shares;  /* more than one CPU: calls that came together are run by two threads */

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    pthread_cond_t begun; /* wakes the watchdog */
    struct job *first;    /* all jobs, in the order in which they came */
    size_t count, running, running_long;
    size_t
        parked; /* of those in `count`: they wait for their client's answer, and hold nobody up */
    size_t asking; /* of those in `count`: their threads wait for an answer in the gate itself */
    struct bytes
        notices; /* questions, and that they are withdrawn, a line each; to be sent without the lock */
    bool sends; /* somebody sends them */
    uint64_t last_id;
    bool lead_free;        /* somebody is to take the lead */
    bool waits;            /* the leader waits for input, and sends nothing that others hold */
    bool awaited;          /* the leader waits for jobs to end */
    bool wakes;            /* a thread is to be woken as soon as the leader lets go of the lock */
    bool comes;            /* it was woken for what the leader left, and has not looked yet */
    struct job *leading;   /* the call that the leader itself runs, while it has the lead */
    uint64_t watched;      /* its id when the watchdog looked last */
    uint64_t watched_left; /* and that of the first job that is left to others */
    bool closing;          /* nothing new is begun */
    bool is_drained;       /* the input is over: no question is answered any more */
    bool over;             /* nothing is left to do */
    pthread_t threads[CREW_MOST];
    size_t thread_count;
    pthread_t watchdog;
    bool has_watchdog;
};

void crew_init(struct crew *crew, croft_session *session, struct output *output, size_t calls,
               void (*lead)(void *user), void *user);

/* Works until it is over, this thread as the first of the crew; then the others have ended. */
void crew_work(struct crew *crew);
void crew_free(struct crew *crew);

/* For the leader: takes a job over; `more`: another line has come already. False when the lead is somebody
 * else's on return. */
bool crew_submit(struct crew *crew, struct job *job, bool more);

/* For the leader, before it waits for input: runs what it left to another thread that has not begun it. False when
 * the lead is somebody else's on return. */
bool crew_help(struct crew *crew);

/* The answer to the question of a job that waits for one; of others nothing comes. Any thread. */
void crew_answer(struct crew *crew, uint64_t question, const croft_verdict *verdict);

/* A call begins or ends to wait for an answer in the gate itself, by the thread that runs it: meanwhile it
 * holds nobody up. `user` is the crew. */
void crew_asks(void *user, uint64_t call_id, bool begins);

/* Calls off every job with that key. Any thread. */
void crew_cancel(struct crew *crew, const char *key);
void crew_cancel_all(struct crew *crew);

/* Forgets what has not begun; nothing new is begun. Any thread. */
void crew_close(struct crew *crew);

/* Whether nothing runs, and all that was answered has left. Any thread. */
bool crew_is_quiet(struct crew *crew);

/* For the leader when the input is over: waits for the jobs, but no longer than a second in all, and
 * calls off what is left. */
void crew_drain(struct crew *crew);

/* For the leader, last: the crew goes home. */
void crew_finish(struct crew *crew);

#endif
