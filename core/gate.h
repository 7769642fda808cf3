/* SPDX-License-Identifier: MIT */
/*
 * Who is asked whether a call may run, and what was answered: questions that wait for an answer, approvals that
 * hold for the session. Any number of threads may use one.
 */
#ifndef CROFT_GATE_H
#define CROFT_GATE_H

#include <pthread.h>

#include "gate_tools.h"
#include "policy.h"

enum {
    GATE_OPEN_MOST = 64,     /* questions that wait; the oldest is given up for one more */
    GATE_GRANTS_MOST = 4096, /* approvals for the session; those over it are good once */
    GATE_MILLISECONDS = 120 * 1000
};

struct gate_open {
    uint64_t id, deadline_ns;
    char digest[SHA256_HEX];
};

struct gate {
    croft_gate_kind kind; /* CROFT_GATE_NONE: there is none, calls run unasked */
    croft_gate_function *ask;
    croft_withdraw_function *withdraw;
    void *user;
    char *decider;
    uint64_t milliseconds;
    struct policy *policy;   /* NULL: all is asked for */
    struct gate_tools tools; /* that the session offers */
    pthread_mutex_t lock;    /* of what follows */
    struct gate_open open[GATE_OPEN_MOST];
    size_t open_count;
    unsigned char (*grants)[SHA256_BYTES];
    size_t grant_count;
    uint64_t last_id;
};

/* Takes what the options say. CROFT_BAD_ARGUMENT for a callback that is missing. */
croft_status gate_init(struct gate *gate, const croft_session_options *options, croft_error *err);
void gate_free(struct gate *gate);

/* The same for what the policy, which is in its place now, leaves open. CROFT_GATE_UNAVAILABLE when nobody
 * decides. */
croft_status gate_settle(struct gate *gate, croft_error *err);

/* A question with all that its request points to. */
struct asked {
    croft_gate_request request;
    struct question question; /* its args and name are in `texts` */
    struct bytes args, texts; /* texts: the name of the tool, then why */
    uint64_t deadline_ns;
};

/* Makes a question of `from`, whose hashes are made: with a new number and its deadline. NULL: no memory. */
struct asked *gate_question(struct gate *gate, const struct question *from, uint64_t call_id,
                            const char *why);
void gate_forget(struct asked *asked); /* NULL is fine */

/* What stands against the verdict: NULL, or the word for it: "timeout", "error", "no_decider", "cancelled",
 * "too_many". */
const char *gate_fault(const croft_verdict *verdict, uint64_t deadline_ns);

/* The question waits for croft_call_options.answer. */
void gate_leave_open(struct gate *gate, const struct asked *asked);

/* Takes the answer's question from those that wait. False when it does not wait, is over its deadline (unless
 * the answer is that there is none), or is about another call than the one with that digest; it does not wait
 * any more in any of these cases. */
bool gate_redeem(struct gate *gate, const croft_answer *answer, const char *digest);

bool gate_has_grant(struct gate *gate, const unsigned char scope[SHA256_BYTES]);
/* False when there is no room for it. */
bool gate_grant(struct gate *gate, const unsigned char scope[SHA256_BYTES]);

#endif
