/* SPDX-License-Identifier: MIT */
/*
 * What a call did, told to the host: a record of each primitive, one before the first and one behind
 * the last. A recorder belongs to one interpreter and is there only where the host wants records.
 */
#ifndef CROFT_RECORD_H
#define CROFT_RECORD_H

#include "resolve.h"

struct recorder;

enum { RESOLVED_BYTES = 2 * PATH_BYTES };

/* When a call began. */
struct call_start {
    uint64_t time, ns; /* microseconds since 1970; of clock_ns(). 0: not yet */
};
struct call_start call_start_now(void);

/* Somebody who looks more closely at what is recorded: a debugger. */
struct record_watch {
    void (*told)(void *user, const struct recorder *recorder, const croft_record *record);
    void *user;
};

enum { RECORD_FILE = 128 };

struct recorder {
    croft_audit_function *audit; /* NULL: only `watch` is told */
    void *user;
    const struct record_watch *watch; /* NULL: nobody */
    bool is_muted;                    /* what runs now is not the call's: nothing is recorded */
    char file[RECORD_FILE];           /* with a watch: the Lua that called the primitive at work */
    int line;
    const char *blamed; /* with a watch, while a refusal is told: its path */
    size_t blamed_size;
    bool failed; /* a record of this call could not be made */
    uint64_t call_id;
    const char *tool; /* the caller's, during a call */
    struct call_start start;

    /* the primitive at work */
    const char *operation; /* NULL: none */
    uint64_t time, started_ns, bytes;
    char path[PATH_BYTES + 1], resolved[RESOLVED_BYTES];
    size_t path_size, resolved_size;
    bool has_path, has_resolved;

    struct reading *readings;
};

/* A file that a tool reads piece by piece. All zero: nobody records. */
struct reading {
    struct reading *next, **link;
    struct recorder *recorder;
    uint64_t time, started_ns;
    uint64_t bytes; /* since the last record */
    bool is_told;   /* there was one */
    croft_status failed;
    char path[PATH_BYTES + 1];
    size_t path_size;
};

struct recorder *recorder_new(croft_audit_function *audit, void *user);
void recorder_free(struct recorder *recorder); /* NULL is fine */

/* All of these are false when a record could not be made, now or earlier in this call: it must end. */

/* The call begins; `size` is that of its arguments. `tool` must stay until record_call_end. One that has a
 * `start` (not NULL) was recorded already, when it came to the gate. */
bool record_call(struct recorder *recorder, uint64_t call_id, const char *tool, uint64_t size,
                 const struct call_start *start);

/* It has ended: what was left open is recorded, then the end. */
bool record_call_end(struct recorder *recorder, const char *verdict, const char *rule,
                     uint64_t size);

/* A primitive begins. `path` is cut; NULL: it was given none. One that an error of Lua's own left open
 * is ended first, as "internal". */
bool record_begin(struct recorder *recorder, const char *operation, const char *path, size_t size);

/* It has ended. Nothing happens when none is at work. */
bool record_end(struct recorder *recorder, const char *verdict, const char *rule);

/* Where the path of the primitive at work leads, in the view. */
void record_resolved(struct recorder *recorder, const char *text, size_t size);

void record_place(struct recorder *recorder, const struct place *place);

/* The same, looked for: by a walk, and only if that leads to the very `node` that was opened. */
void record_opened(struct recorder *recorder, const struct root *root, const struct path *path,
                   const struct node *node);

/* `nanoseconds` have passed that are not the call's. */
void record_shift(struct recorder *recorder, uint64_t nanoseconds);

/* The file at the path of the primitive at work is read on by its handle. */
void reading_begin(struct reading *reading, struct recorder *recorder);
void reading_end(struct reading *reading); /* it is closed; also where nobody records */

#endif
