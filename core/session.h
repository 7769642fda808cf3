/* SPDX-License-Identifier: MIT */
/* A session: a view, its tools, and the calls in flight. */
#ifndef CROFT_SESSION_H
#define CROFT_SESSION_H

#include "gate.h"
#include "json_scan.h"
#include "page_store.h"
#include "pool.h"

/* A call that can be cancelled: on the stack of the thread that makes it, listed while it runs. */
struct running {
    struct running *next;
    uint64_t id;
    uint64_t question; /* that the host's gate is asked now; 0: none. Under the lock of the list */
    atomic_bool cancelled;
};

/* What calls have taken so far. */
struct spent {
    uint64_t ended, running, running_most;
    uint64_t steps, steps_most; /* of the call that ended last, of the costliest */
    uint64_t heap, heap_most; /* of the interpreter of the call that ended last, of the greatest */
};

struct croft_session {
    croft_view *view;
    struct limits limits;
    struct sources sources;
    struct problems problems; /* of the sources */
    struct functions functions;
    struct bytes tools; /* JSON, ended by NUL; empty until somebody asks */
    char *prefix;
    struct turns turns;
    struct artifacts artifacts;
    struct staging staging;
    struct page_store pages;
    struct sandbox_options shared; /* by all its interpreters */
    struct pool pool;
    atomic_bool has_pool;      /* its first interpreter is made */
    pthread_mutex_t beginning; /* for making it */
    pthread_mutex_t list;      /* for the two below */
    struct running *running;   /* all calls that wait or run */
    struct spent spent;
    atomic_uint_least64_t unnamed; /* calls without an id of the host's, so far */
    struct gate gate;
};

/* `debug` is NULL unless its calls are to be debugged. */
croft_status session_open(croft_view *view, const croft_session_options *options,
                          struct croft_debug *debug, croft_session **out, croft_error *err);
void session_close(croft_session *session);

/* Makes the first interpreter, unless it is there. Any thread. */
croft_status session_begin(croft_session *session, croft_error *err);

/* As croft_session_keep. */
void session_keep(croft_session *session, size_t interpreters);

/* The tools as JSON; "[]" when memory ran out. */
const char *session_tools(croft_session *session);

/* A call as croft_call gets it. */
struct session_task {
    const char *tool, *args;
    size_t size;
    uint64_t id;
    const struct listener *listener; /* may be NULL */
    const croft_answer *answer;      /* may be NULL */
};

/* Fills *reply; CROFT_STOPPED and CROFT_CANCELLED when the call was trapped, CROFT_INTERNAL when there
 * could be no interpreter. Where the host has to answer a question first, that is in *asked, which is the
 * caller's: gate_forget; otherwise NULL. */
croft_status session_call(croft_session *session, const struct session_task *task,
                          struct reply *reply, struct asked **asked);
/* Adds what gates and policies have to know of its tools. */
croft_status session_list_tools(croft_session *session, struct gate_tools *tools, croft_error *err);

/* For session_gate.c: lends an interpreter, as pool_take does; and makes a call that may run. */
struct sandbox *session_take(croft_session *session, const atomic_bool *cancelled,
                             croft_error *err);
croft_status session_run(croft_session *session, const struct call_task *task, struct reply *reply);

/* A call of a session that has a gate; as session_call. */
croft_status session_call_gated(croft_session *session, struct running *running,
                                const struct session_task *task, uint64_t id, struct reply *reply,
                                struct asked **asked);

/* Evaluates Lua in the environment of tools, as a call; for a debugger. */
croft_status session_evaluate(croft_session *session, const char *text, size_t size, uint64_t id,
                              size_t most, struct reply *reply);

/* What there is to say of the tools, as JSON in reply->text. */
croft_status session_report(croft_session *session, struct reply *reply);
void session_cancel(croft_session *session, uint64_t id);

/* What the session holds, as JSON. */
void session_handles(croft_session *session, struct bytes *out);

/* The new content of the medium that is the argument "media_id", if there is one that is in memory. False when
 * memory ran out. */
bool session_staged_content(croft_session *session, struct json_slice args, struct bytes *content,
                            bool *found);

/* Tells the log which staged content goes with the session. */
void session_tell_unsaved(croft_session *session);

void session_usage(croft_session *session, croft_usage *usage);

#endif
