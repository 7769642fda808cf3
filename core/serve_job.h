/* SPDX-License-Identifier: MIT */
/* One tools/call, from the line that asks for it to the line that answers. */
#ifndef CROFT_SERVE_JOB_H
#define CROFT_SERVE_JOB_H

#include <lua.h>
#include <stdatomic.h>

#include "bytes.h"
#include "croft.h"
#include "front_recorder.h"
#include "serve_output.h"

struct job {
    struct job *next;
    uint64_t id;           /* for croft_cancel */
    bool is_long;          /* runs beside the reading of further lines from the start */
    bool running;          /* else it waits */
    atomic_bool cancelled; /* nothing more is said of it */
    struct output *output;
    struct recorder *recorder; /* NULL: the call is not recorded */
    bool verbose;              /* a line in the log when it is done */
    atomic_bool hold;          /* its answer may wait for others */
    /* owned, each ended by NUL */
    char *key;  /* what two spellings of its JSON-RPC id have in common */
    char *name; /* of the tool */
    char *
        order; /* the path that it changes, as it was sent: jobs of one path run in their order; or NULL */
    struct bytes args;
    char *before;     /* the answer up to the text of the result */
    char *after_done; /* and what follows it */
    char *after_failed;
    char
        *before_refused; /* of an error that says that nothing ran; followed by its text and "}}" */
    char *broken;        /* the whole answer when the library failed */
    char *progress;      /* a notification up to its number; NULL: none are wanted */
};

/*
 * Makes a job of the table at `index`: key, name, order, arguments (a slice), long, before, after_done,
 * after_failed, before_refused, broken, progress. Raises. The job is the caller's: job_free.
 */
struct job *job_new(lua_State *L, int index);
void job_free(struct job *job);

/* Makes the call and puts the answer, unless it was cancelled. */
void job_run(struct job *job, croft_session *session);

#endif
