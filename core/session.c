/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- closing ----------------------------------------------------------------------------------- */

void session_close(croft_session *session)
{
    if (session == NULL)
        return;
    if (atomic_load(&session->has_pool))
        pool_close(&session->pool);
    session_tell_unsaved(session);
    sources_free(&session->sources);
    problems_free(&session->problems);
    functions_free(&session->functions);
    bytes_free(&session->tools);
    free(session->prefix);
    gate_free(&session->gate);
    view_release(session->view);
    turns_destroy(&session->turns);
    artifacts_close(&session->artifacts);
    page_store_destroy(&session->pages);
    pthread_mutex_destroy(&session->list);
    pthread_mutex_destroy(&session->beginning);
    pthread_mutex_destroy(&session->gate.lock);
    free(session);
}

/* ---- calls in flight --------------------------------------------------------------------------- */

static void raise_to(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static void enlist(croft_session *session, struct running *running, uint64_t id)
{
    running->id = id;
    running->question = 0;
    atomic_init(&running->cancelled, false);
    pthread_mutex_lock(&session->list);
    running->next = session->running;
    session->running = running;
    session->spent.running++;
    raise_to(&session->spent.running_most, session->spent.running);
    pthread_mutex_unlock(&session->list);
}

static void add_up(struct spent *spent, const struct reply *reply)
{
    spent->ended++;
    spent->running--;
    spent->steps = reply->steps;
    raise_to(&spent->steps_most, reply->steps);
    spent->heap = reply->heap_bytes;
    raise_to(&spent->heap_most, reply->heap_most);
}

static void delist(croft_session *session, struct running *running, const struct reply *reply)
{
    struct running **link;

    pthread_mutex_lock(&session->list);
    add_up(&session->spent, reply);
    for (link = &session->running; *link != running; link = &(*link)->next)
        ;
    *link = running->next;
    pthread_mutex_unlock(&session->list);
}

/* Nobody waits for the answer to its question any more. */
static void cancel(const croft_session *session, struct running *running)
{
    bool is_first = !atomic_exchange(&running->cancelled, true);

    if (is_first && running->question != 0 && session->gate.withdraw != NULL)
        session->gate.withdraw(session->gate.user, running->question);
}

void session_cancel(croft_session *session, uint64_t id)
{
    pthread_mutex_lock(&session->list);
    for (struct running *running = session->running; running != NULL; running = running->next)
        if (running->id == id && id != 0)
            cancel(session, running);
    pthread_mutex_unlock(&session->list);
    if (atomic_load(&session->has_pool))
        pool_wake(&session->pool);
}

/* ---- interpreters ------------------------------------------------------------------------------ */

/* Lends an interpreter, as pool_take does. */
struct sandbox *session_take(croft_session *session, const atomic_bool *cancelled, croft_error *err)
{
    if (session_begin(session, err) != CROFT_OK)
        return NULL;
    return pool_take(&session->pool, cancelled, err);
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* The interpreter died, or the call may not be answered: a new one in its place finds the words. */
static croft_status explain(croft_session *session, struct sandbox *dead, const char *tool,
                            struct reply *reply)
{
    const struct reply died = *reply;
    struct sandbox *sandbox;
    croft_error err;

    reply_free(reply);
    sandbox = pool_replace(&session->pool, dead, &err);
    if (sandbox == NULL)
        return CROFT_INTERNAL;
    reply->breach = BREACH_NONE;
    sandbox_explain(sandbox, tool, died.breach, died.wrote, reply);
    pool_give(&session->pool, sandbox, reply->breach != BREACH_NONE);
    reply->steps = died.steps;
    raise_to(&reply->heap_most, died.heap_most);
    reply->breach = died.breach;
    return died.breach == BREACH_RECORD ? CROFT_OK : CROFT_STOPPED;
}

/* The interpreter has done what it was asked for, and is given back. */
static croft_status finish(croft_session *session, struct sandbox *sandbox, const char *tool,
                           struct reply *reply)
{
    if (reply->breach != BREACH_NONE && reply->breach != BREACH_CANCELLED)
        return explain(session, sandbox, tool, reply);
    pool_give(&session->pool, sandbox, reply->breach != BREACH_NONE || sandbox_is_full(sandbox));
    if (reply->breach == BREACH_NONE)
        return CROFT_OK;
    reply_free(reply);
    return CROFT_CANCELLED;
}

croft_status session_run(croft_session *session, const struct call_task *task, struct reply *reply)
{
    croft_error err;
    struct sandbox *sandbox = session_take(session, task->cancelled, &err);

    if (sandbox == NULL)
        return err.kind == CROFT_CANCELLED ? CROFT_CANCELLED : CROFT_INTERNAL;
    sandbox_call(sandbox, task, reply);
    return finish(session, sandbox, task->tool, reply);
}

croft_status session_evaluate(croft_session *session, const char *text, size_t size, uint64_t id,
                              size_t most, struct reply *reply)
{
    struct running running;
    const struct call_task task = {
        .id = id, .tool = EVALUATION, .args = text, .size = size, .cancelled = &running.cancelled};
    struct sandbox *sandbox;
    croft_status status = CROFT_INTERNAL;
    croft_error err;

    memset(reply, 0, sizeof *reply);
    enlist(session, &running, id);
    sandbox = session_take(session, &running.cancelled, &err);
    if (sandbox != NULL) {
        sandbox_evaluate(sandbox, &task, most, reply);
        status = finish(session, sandbox, EVALUATION, reply);
    }
    delist(session, &running, reply);
    return status;
}

static croft_status call(croft_session *session, struct running *running,
                         const struct session_task *task, struct reply *reply, struct asked **asked)
{
    uint64_t id = task->id != 0 ? task->id : atomic_fetch_add(&session->unnamed, 1) + 1;

    if (session->gate.kind != CROFT_GATE_NONE)
        return session_call_gated(session, running, task, id, reply, asked);
    return session_run(session,
                       &(struct call_task){.id = id,
                                           .tool = task->tool,
                                           .args = task->args,
                                           .size = task->size,
                                           .cancelled = &running->cancelled,
                                           .listener = task->listener},
                       reply);
}

croft_status session_call(croft_session *session, const struct session_task *task,
                          struct reply *reply, struct asked **asked)
{
    struct running running;
    croft_status status;

    memset(reply, 0, sizeof *reply);
    *asked = NULL;
    enlist(session, &running, task->id);
    status = call(session, &running, task, reply, asked);
    delist(session, &running, reply);
    return status;
}

croft_status session_report(croft_session *session, struct reply *reply)
{
    const atomic_bool no = false;
    croft_error err;
    struct sandbox *sandbox = session_take(session, &no, &err);

    memset(reply, 0, sizeof *reply);
    if (sandbox == NULL)
        return CROFT_INTERNAL;
    sandbox_report(sandbox, reply);
    pool_give(&session->pool, sandbox, reply->breach != BREACH_NONE);
    return reply->breach == BREACH_NONE ? CROFT_OK : CROFT_STOPPED;
}

/* ---- usage ------------------------------------------------------------------------------------- */

void session_usage(croft_session *session, croft_usage *usage)
{
    const struct limits *limits = &session->limits;
    struct spent spent;

    pthread_mutex_lock(&session->list);
    spent = session->spent;
    pthread_mutex_unlock(&session->list);
    *usage = (croft_usage){
        .steps = {spent.steps, spent.steps_most, limits->steps},
        .heap = {spent.heap, spent.heap_most, limits->heap},
        .calls = {spent.running, spent.running_most, limits->calls},
        .calls_ended = spent.ended,
    };
    if (atomic_load(&session->has_pool))
        pool_count(&session->pool, &usage->interpreters_made, &usage->interpreters_trapped);
}
