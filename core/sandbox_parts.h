/* SPDX-License-Identifier: MIT */
/* What the making of an interpreter and the calls in it share; nobody else needs it. */
#ifndef CROFT_SANDBOX_PARTS_H
#define CROFT_SANDBOX_PARTS_H

#include "bind/debug.h"
#include "heap.h"
#include "sandbox.h"

/* Registry keys. */
#define SANDBOX_FS_READ "croft.fs.read"
#define SANDBOX_FS_WRITE "croft.fs.write"
#define SANDBOX_ARTIFACTS_READ "croft.artifacts.read"
#define SANDBOX_ARTIFACTS_WRITE "croft.artifacts.write"

struct sandbox {
    const struct sandbox_options options;
    struct bind_host host;
    struct heap heap;
    lua_State *L;       /* NULL after a trap */
    size_t collected;   /* heap in use after the last full collection of the hook */
    struct root *gated; /* a copy of the view's root, for permits; NULL: the session is not gated */
};

/* What loading and explaining may take, whatever a call may: they are not the call's work. */
enum { OWN_MILLISECONDS = 5000, OWN_STEPS = 5 * 1000 * 1000 };

void sandbox_start_own(struct sandbox *sandbox);

enum run_end { RUN_DONE, RUN_ERROR, RUN_TRAPPED };

/* An interpreter with nothing in it, its budget for loading begun. */
croft_status sandbox_make(const struct sandbox_options *options, struct sandbox **out,
                          croft_error *err);

/* Runs `body` with the trap armed; it finds `job` as a light userdata. On RUN_ERROR the error's text
 * is in *message. */
enum run_end sandbox_run(struct sandbox *sandbox, lua_CFunction body, void *job,
                         struct bytes *message);

/* What became of loading something, which ended so: CROFT_STOPPED when it took more than it may. `is_alone`: no
 * other thread has the session yet, and its problems are told whose file that was. */
croft_status sandbox_load_status(const struct sandbox *sandbox, enum run_end end, bool is_alone,
                                 struct bytes *message, croft_error *err);

/* Pushes the list of the modules of tools, and a table of how errors call their files. */
void sandbox_push_modules(lua_State *L, const struct sources *sources);

/* Pushes the function `name` of croft.call. */
void sandbox_push_entry(lua_State *L, const char *name);

/* What a call does in an interpreter. */
struct call_job {
    const char *tool, *args;
    size_t size;
    struct json_slice json; /* of args */
    size_t most;            /* for sandbox_evaluate */
    bool is_free;           /* no gate was asked, and nothing is kept from it */
    enum breach breach;     /* for sandbox_explain */
    bool wrote;
    const struct refusal *refusal; /* for sandbox_refuse */
    struct reply *reply;
};

/* The budget has been started. */
void sandbox_run_job(struct sandbox *sandbox, lua_CFunction body, struct call_job *job);

/* Runs `body` as the call of `task`: recorded, and under the limits of one. */
void sandbox_run_call(struct sandbox *sandbox, lua_CFunction body, struct call_job *job,
                      const struct call_task *task);

/* Without a permit nothing can be touched. */
extern const struct permit permit_nothing;

/* A breach as a status, for a record, and which limit it was, "" for none. */
const char *breach_verdict(enum breach breach);
const char *breach_word(enum breach breach);

#endif
