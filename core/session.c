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
    sources_free(&session->sources);
    problems_free(&session->problems);
    functions_free(&session->functions);
    bytes_free(&session->tools);
    free(session->prefix);
    view_release(session->view);
    turns_destroy(&session->turns);
    pthread_mutex_destroy(&session->list);
    pthread_mutex_destroy(&session->beginning);
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

void session_cancel(croft_session *session, uint64_t id)
{
    pthread_mutex_lock(&session->list);
    for (struct running *running = session->running; running != NULL; running = running->next)
        if (running->id == id && id != 0)
            atomic_store(&running->cancelled, true);
    pthread_mutex_unlock(&session->list);
    if (atomic_load(&session->has_pool))
        pool_wake(&session->pool);
}

/* ---- interpreters ------------------------------------------------------------------------------ */

/* Lends an interpreter, as pool_take does. */
static struct sandbox *take(croft_session *session, const atomic_bool *cancelled, croft_error *err)
{
    if (session_begin(session, err) != CROFT_OK)
        return NULL;
    return pool_take(&session->pool, cancelled, err);
}

const char *session_tools(croft_session *session)
{
    croft_error err;

    return session_begin(session, &err) == CROFT_OK ? session->tools.data : "[]";
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

static croft_status call(croft_session *session, uint64_t id, const char *tool, const char *args,
                         size_t size, const atomic_bool *cancelled, const struct listener *listener,
                         struct reply *reply)
{
    croft_error err;
    struct sandbox *sandbox = take(session, cancelled, &err);

    if (sandbox == NULL)
        return err.kind == CROFT_CANCELLED ? CROFT_CANCELLED : CROFT_INTERNAL;
    if (id == 0)
        id = atomic_fetch_add(&session->unnamed, 1) + 1;
    sandbox_call(sandbox, id, tool, args, size, cancelled, listener, reply);
    if (reply->breach != BREACH_NONE && reply->breach != BREACH_CANCELLED)
        return explain(session, sandbox, tool, reply);
    pool_give(&session->pool, sandbox, reply->breach != BREACH_NONE || sandbox_is_full(sandbox));
    if (reply->breach == BREACH_NONE)
        return CROFT_OK;
    reply_free(reply);
    return CROFT_CANCELLED;
}

croft_status session_call(croft_session *session, const char *tool, const char *args, size_t size,
                          uint64_t id, const struct listener *listener, struct reply *reply)
{
    struct running running;
    croft_status status;

    memset(reply, 0, sizeof *reply);
    enlist(session, &running, id);
    status = call(session, id, tool, args, size, &running.cancelled, listener, reply);
    delist(session, &running, reply);
    return status;
}

croft_status session_report(croft_session *session, struct reply *reply)
{
    const atomic_bool no = false;
    croft_error err;
    struct sandbox *sandbox = take(session, &no, &err);

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
