/* SPDX-License-Identifier: MIT */
/*
 * One interpreter: its memory, its budgets, its trap, its frozen environment, the tools in it.
 * After a trap it is dead: sandbox_free it and make another.
 */
#ifndef CROFT_SANDBOX_H
#define CROFT_SANDBOX_H

#include "artifact.h"
#include "budget.h"
#include "bytes.h"
#include "ceilings.h"
#include "functions.h"
#include "permit.h"
#include "problems.h"
#include "record.h"
#include "sources.h"
#include "staging.h"
#include "turns.h"
#include "view.h"

struct sandbox;

struct sandbox_options {
    const croft_view *view; /* all of these outlive the sandbox */
    const struct limits *limits;
    const struct sources *sources;
    struct turns *turns;
    struct artifacts *artifacts;
    const struct staging *staging;
    struct page_store *pages;
    const struct functions *functions;
    const char *prefix;
    struct bytes *known; /* a line for each tool: the session's first sandbox fills it in, and the
                          * others load a tool when it is called */
    struct problems *problems; /* of the tools, as the first sandbox finds them */
    bool is_gated;             /* no call of a tool touches anything but what it has a permit for */
    bool is_lenient;           /* tools that have some are left out, and it is made all the same */
    croft_log_function *log;
    void *log_user;
    croft_audit_function *audit;
    void *audit_user;
    struct croft_debug *debug; /* NULL: nobody debugs */
};

/* What a call gave. The caller's memory: reply_free. */
struct reply {
    bool is_error;
    char code[32];
    struct bytes text, structured; /* structured.data NULL: none */
    enum breach breach;            /* not BREACH_NONE: it was trapped, and the rest is empty */
    bool wrote;                    /* something was changed before that */
    uint64_t steps, heap_bytes;
    uint64_t heap_most; /* that the interpreter has held so far */
    uint64_t paused_ns; /* that a debugger held it up */
};

void reply_free(struct reply *reply);

/* Makes an interpreter. The first one of a session loads all tools, and *tools gets their JSON array;
 * for the others `tools` is NULL. */
croft_status sandbox_new(const struct sandbox_options *options, struct sandbox **out,
                         struct bytes *tools, croft_error *err);
void sandbox_free(struct sandbox *sandbox); /* NULL is fine; also after a trap */

/* A call of a tool. */
struct call_task {
    uint64_t id; /* for the records */
    const char *tool, *args;
    size_t size;
    const atomic_bool *cancelled;    /* may be NULL */
    const struct listener *listener; /* may be NULL */
    const struct permit *permit;     /* what it may touch, where the session is gated */
    const struct call_start *start;  /* NULL: it was not recorded yet that it begins */
};

void sandbox_call(struct sandbox *sandbox, const struct call_task *task, struct reply *reply);

/* What stands against the call as far as its arguments tell: *reply is an error then. Nothing is opened. */
void sandbox_check(struct sandbox *sandbox, const struct call_task *task, struct reply *reply);

/* Why a gate refused a call. */
struct refusal {
    const char *kind; /* as call.refused of lua/croft has it */
    const char *path; /* that it is about; NULL: none */
    const char *note; /* what the one who decided, or the rule, says; "" for nothing */
};
void sandbox_refuse(struct sandbox *sandbox, const char *tool, const struct refusal *refusal,
                    struct reply *reply);

/* What a gate has to know of the tools, as gate_take_tools takes it. */
void sandbox_gates(struct sandbox *sandbox, struct reply *reply);

#define EVALUATION "=" /* in the place of a tool's name */

/* Evaluates the Lua that `args` is in the environment of tools, for a debugger: what it gives, each value cut at
 * `most` bytes, is the reply's text. */
void sandbox_evaluate(struct sandbox *sandbox, const struct call_task *task, size_t most,
                      struct reply *reply);

/* Whether what tools keep between calls leaves the next call too little of the heap. */
bool sandbox_is_full(struct sandbox *sandbox);

/* What there is to say of the tools, as JSON. */
void sandbox_report(struct sandbox *sandbox, struct reply *reply);

/* The sentence for a call that was trapped, asked of another interpreter than the one that died. */
void sandbox_explain(struct sandbox *sandbox, const char *tool, enum breach breach, bool wrote,
                     struct reply *reply);

#endif
