/* SPDX-License-Identifier: MIT */
/* A call on its way through the gate of its session: what is known of it, and the ways in which it ends. */
#ifndef CROFT_PASSAGE_H
#define CROFT_PASSAGE_H

#include "session.h"

struct passage {
    croft_session *session;
    struct running *running;
    const struct session_task *task;
    uint64_t id;      /* of the call, for its records */
    const char *name; /* of the tool, without prefix */
    struct call_start start;
    struct question question;
    struct permit permit;
    struct answered asking;  /* what asks */
    struct judgement judged; /* the strictest, and of which path */
    const char *path;        /* NULL: none */
    char rule[300];          /* which rule decided, for the records */
    unsigned char scope[SHA256_BYTES];
    struct reply *reply;
    struct asked **asked;
};

/* Records that the call has come. Like the others, false when that could not be recorded. */
bool passage_begin(const struct passage *p);

/* Records how it ended, where no interpreter does. */
void passage_end(const struct passage *p, const char *verdict);

/* Records a question, or what came of it. */
bool passage_tell(struct passage *p, const char *operation, const char *verdict, const char *rule,
                  const char *decider, const char *note);

/* Lends an interpreter; NULL when there is none or the call was cancelled. */
struct sandbox *passage_take(struct passage *p);

/* The call for an interpreter. `permit` NULL: it may touch nothing. */
struct call_task passage_task(const struct passage *p, const struct permit *permit);

/* The ways to end; each gives what session_call returns. */

/* Cancelled, or no memory. */
croft_status passage_give_up(struct passage *p);

/* With the words of call.refused in lua/croft. */
croft_status passage_refuse(struct passage *p, const char *kind, const char *note);
croft_status passage_unavailable(struct passage *p, const char *cause, const char *decider);
croft_status passage_deny(struct passage *p, const char *kind, const char *rule,
                          const char *decider, const char *note);

/* It runs. What asked is answered from here on. */
croft_status passage_allow(struct passage *p, const char *rule, const char *decider,
                           const char *note);
croft_status passage_run(struct passage *p, const struct permit *permit);

#endif
