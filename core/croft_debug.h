/* SPDX-License-Identifier: MIT */
/*
 * What `croft repl` needs besides croft.h: a session whose calls can be stopped and looked into. Not
 * installed, and no promise to anybody: the program is its one user. Nothing but text and numbers comes
 * through here.
 *
 * A croft_debug outlives the sessions that it was given to. Their calls are made one at a time; all
 * functions here are for the thread that makes them.
 */
#ifndef CROFT_DEBUG_H
#define CROFT_DEBUG_H

#include "croft.h"

typedef struct croft_debug croft_debug;

/* Takes what a function has to say, in pieces. */
typedef void croft_debug_sink(void *user, const char *text, size_t size);

/* ---- what a call did --------------------------------------------------------------------------- */

/* One name that the resolver looked at on its way. All of it is valid during the callback. */
typedef struct croft_debug_step {
    const char *name; /* any bytes; ".." for the way up */
    size_t size;
    bool from_link; /* it stems from the text of a link, and not from the argument */
    const char
        *what; /* "directory", "file", "link", "up", "fifo", ..., or what stopped it: "missing",
                       * "outside", "in_the_way", "refused" */
    const char *target; /* the text of a link, as it stands in the file system; NULL for others */
    size_t target_size;
} croft_debug_step;

/* A record of croft.h with what only a debugger is told. */
typedef struct croft_debug_record {
    const croft_record *record;
    const char *file; /* the Lua that called the primitive; "" when nobody did */
    int line;
    const char *blamed; /* the path that was refused; NULL: none was */
    size_t blamed_size;
    const croft_debug_step *steps; /* of a refused path: how it was resolved */
    size_t step_count;
    const char *read_only; /* the read-only name that it lies in; or NULL */
} croft_debug_record;

/* ---- stops ------------------------------------------------------------------------------------- */

typedef enum croft_debug_kind {
    CROFT_DEBUG_LINE,      /* before line `line` of `name`, a file */
    CROFT_DEBUG_FUNCTION,  /* before the first line of the function defined at that line */
    CROFT_DEBUG_PRIMITIVE, /* before the primitive `name`; "" for each of them */
    CROFT_DEBUG_ERROR,     /* where an error of Lua is raised */
    CROFT_DEBUG_REFUSAL    /* where a structured error is raised */
} croft_debug_kind;

typedef struct croft_debug_point {
    croft_debug_kind kind;
    const char *name; /* a file as errors name it, or a primitive */
    int line;
    const char *condition; /* Lua that must be true for it; NULL: always */
} croft_debug_point;

/* Why a call stands still, and where. Valid during the callback. */
typedef struct croft_debug_stop {
    const char *why; /* "breakpoint", "step", "primitive", "error", "refusal" */
    int point;       /* the breakpoint; 0: none */
    const char
        *text; /* of the error; the name of the primitive; of a condition that failed; or "" */
    const char *file; /* "" where no Lua runs */
    int line;
} croft_debug_stop;

typedef enum croft_debug_move {
    CROFT_DEBUG_CONTINUE,
    CROFT_DEBUG_STEP,  /* to the next line, wherever it is */
    CROFT_DEBUG_NEXT,  /* to the next line of this function, or of one that called it */
    CROFT_DEBUG_OUT,   /* to the next line of one that called it */
    CROFT_DEBUG_UNTIL, /* to `line` of this file */
    CROFT_DEBUG_ABORT  /* the call ends CROFT_CALLED_OFF */
} croft_debug_move;

typedef struct croft_debug_callbacks {
    /* The call stands still until it returns; its time does, too. `line` is for CROFT_DEBUG_UNTIL. */
    croft_debug_move (*stopped)(void *user, const croft_debug_stop *stop, int *line);
    void (*recorded)(void *user, const croft_debug_record *record); /* as croft_audit_function */
    void *user;
} croft_debug_callbacks;

/* NULL: out of memory. */
croft_debug *croft_debug_new(const croft_debug_callbacks *callbacks);
void croft_debug_free(croft_debug *debug); /* NULL is fine */

/* As croft_session_open. */
croft_status croft_debug_session_open(croft_debug *debug, croft_view *view,
                                      const croft_session_options *options, croft_session **session,
                                      croft_error *err);

/* Evaluates Lua in the environment of tools, as a call under the session's limits; `ctx` is there, and what
 * is assigned stays for the next time. The result's text has the values, each cut at `most` bytes. */
croft_status croft_debug_evaluate(croft_session *session, const char *text, size_t size,
                                  uint64_t call_id, size_t most, croft_result *result);

/* ---- breakpoints ------------------------------------------------------------------------------- */

/* Gives the number of the new breakpoint, 0 when there is no room for it. */
int croft_debug_add(croft_debug *debug, const croft_debug_point *point);

/* False when there is none of that number. */
bool croft_debug_delete(croft_debug *debug, int number);

/* ---- while a call stands still ----------------------------------------------------------------- */

/*
 * A JSON array of the frames, innermost first: {"file","line","name","what","thread"} each. `what` is "Lua",
 * "main" or "C"; `thread` counts coroutines, 0 is the call's own. False when no call stands still.
 */
bool croft_debug_frames(croft_debug *debug, croft_debug_sink *sink, void *user);

/* A JSON array of {"name","kind","value","cut"}: kind is "local", "argument" or "upvalue". `frame` counts
 * from 0; values are cut at `most` bytes. False when there is no such frame. */
bool croft_debug_variables(croft_debug *debug, size_t frame, size_t most, croft_debug_sink *sink,
                           void *user);

/*
 * Runs Lua in a frame: names are its locals, its upvalues, then its globals, and an assignment sets them. It
 * has a small budget of its own and cannot end the call. The values, or the error, as text: false for an
 * error. *cut says that a value was cut.
 */
bool croft_debug_run(croft_debug *debug, size_t frame, const char *text, size_t size, size_t most,
                     bool *cut, croft_debug_sink *sink, void *user);

/* ---- where the time goes ----------------------------------------------------------------------- */

/* Counts from now on, from zero; or stops counting. */
void croft_debug_profile(croft_debug *debug, bool on);

/* A JSON array of {"file","line","hits","us"}, in no order. */
void croft_debug_profiled(const croft_debug *debug, croft_debug_sink *sink, void *user);

/* ---- what there is ----------------------------------------------------------------------------- */

/* A JSON array of {"file","module"}: all Lua of the session. */
void croft_debug_sources(const croft_session *session, croft_debug_sink *sink, void *user);

/* The text of a file by that name; false when there is none. */
bool croft_debug_source(const croft_session *session, const char *file, croft_debug_sink *sink,
                        void *user);

/* A JSON array of {"name","file","built_in"}: which file a tool comes from. */
void croft_debug_tools(croft_session *session, croft_debug_sink *sink, void *user);

/* A name below the root. */
typedef void croft_debug_found(void *user, const char *name, size_t size, bool is_directory);

/*
 * Finds the names that go on where `path`, an argument of a tool that is being typed, ends: those in its
 * directory, found through the resolver, that begin with its last piece; up to `most` of them, and as far as
 * 250 milliseconds go. `name` is that last piece, whole. Returns whether those are all.
 */
bool croft_debug_complete(const croft_view *view, const char *path, size_t size, size_t most,
                          croft_debug_found *found, void *user);

/* As croft_confine; but what lies in the directories `dirs` can be read on. */
croft_status croft_debug_confine(const croft_view *view, const char *const *dirs, size_t count,
                                 croft_wall *wall, croft_error *err);

#endif
