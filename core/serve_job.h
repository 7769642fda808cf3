/* SPDX-License-Identifier: MIT */
/* One tools/call, from the line that asks for it to the line that answers. */
#ifndef CROFT_SERVE_JOB_H
#define CROFT_SERVE_JOB_H

#include <lua.h>
#include <stdatomic.h>

#include "bytes.h"
#include "croft.h"
#include "front_recorder.h"
#include "json_scan.h"
#include "line_reader.h"
#include "serve_ask.h"
#include "serve_form.h"
#include "serve_output.h"

/* How the client of a call can be asked whether it may run. */
enum job_asks {
    ASKS_NOBODY,  /* it cannot */
    ASKS_REQUEST, /* by a request of ours, while the call waits */
    ASKS_RESULT   /* by a result, after which it makes the call again */
};

struct job {
    struct job *next;
    uint64_t id;           /* for croft_cancel */
    bool is_long;          /* runs beside the reading of further lines from the start */
    bool running;          /* else it waits */
    bool is_left;          /* by the leader, to whoever comes by */
    atomic_bool cancelled; /* nothing more is said of it */
    struct output *output;
    struct recorder *recorder; /* NULL: the call is not recorded */
    bool verbose;              /* a line in the log when it is done */
    atomic_bool hold;          /* its answer may wait for others */
    /* in `room`, each ended by NUL */
    const char *key;   /* what two spellings of its JSON-RPC id have in common */
    const char *name;  /* of the tool */
    const char *order; /* the path that it changes, as it was sent: jobs of one path run in their
                        * order; or NULL */
    struct json_slice args;
    struct bytes held; /* holds the arguments, if they are long */
    const struct answer_form *form;
    const char *start;    /* how the answer begins, whatever it is */
    const char *done;     /* in the place of what the form has; NULL: that */
    const char *progress; /* a notification up to its number; NULL: none are wanted */
    enum job_asks asks;
    char *state; /* owned; that came with an answer; NULL: none did */
    const struct ask_key *key_of_states;
    /* the answer to its question, and while it waits for one, that */
    bool has_answer, is_parked;
    croft_answer answer;
    uint64_t question, deadline_ns; /* 0: it did not wait so far */
    struct bytes asking;            /* what is to be sent when it waits */
    char room[];
};

/* The texts of a job. */
enum job_text { JOB_KEY, JOB_NAME, JOB_ORDER, JOB_START, JOB_DONE, JOB_PROGRESS, JOB_TEXTS };

enum { JOB_PIECES = 3 };

/* What a job is made of. A text is joined of pieces; where the first is {NULL, 0} the job has none. */
struct job_parts {
    struct json_slice texts[JOB_TEXTS][JOB_PIECES];
    struct json_slice args; /* of the line that the reader has just handed out, or {NULL, 0} */
    const struct answer_form *form;
    bool is_long;
};

/*
 * The job is the caller's: job_free. NULL when memory ran out. Long arguments are not copied: the job takes the
 * line over from the reader.
 */
struct job *job_make(const struct job_parts *parts, struct line_reader *reader);

/*
 * Makes a job of the table at `index`: key, name, order, arguments (a slice), long, form, start, done, progress,
 * asks ("request" or "result"), and of an answer state and the fields of job_take_verdict, as job_make does. Raises.
 */
struct job *job_new(lua_State *L, int index, struct line_reader *reader);
void job_free(struct job *job);

/* Takes decision ("allow" or "deny"), scope ("session"), note and cause ("cancelled") of the table at
 * `index`. What is none of these is no verdict. */
void job_take_verdict(lua_State *L, int index, croft_verdict *verdict);

/* Makes the call and puts the answer, unless it was cancelled. True when a question has to be answered first:
 * then it waits, and `asking` is to be sent. */
bool job_run(struct job *job, croft_session *session);

#endif
