/* SPDX-License-Identifier: MIT */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening and closing ----------------------------------------------------------------------- */

static croft_status set_limit(struct limits *limits, const croft_limit *limit, croft_error *err)
{
    uint64_t *field = limit->name == NULL ? NULL : limits_field(limits, limit->name);

    if (field == NULL)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0, "there is no limit \"%.40s\"",
                           limit->name == NULL ? "" : limit->name);
    for (const struct limit_row *row = limit_rows; row->name != NULL; row++) {
        if (strcmp(row->name, limit->name) != 0)
            continue;
        if (limit->value < row->low || limit->value > row->high)
            return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                               "limit \"%s\" must be between %llu and %llu", row->name,
                               (unsigned long long)row->low, (unsigned long long)row->high);
    }
    *field = limit->value;
    return CROFT_OK;
}

static croft_status set_limits(struct limits *limits, const croft_session_options *options,
                               croft_error *err)
{
    croft_status status = CROFT_OK;

    limits_init(limits);
    for (size_t i = 0; i < options->limit_count && status == CROFT_OK; i++)
        status = set_limit(limits, &options->limits[i], err);
    return status;
}

static croft_status open_pool(croft_session *session, const croft_session_options *options,
                              croft_error *err)
{
    struct sandbox_options shared = {.view = session->view,
                                     .limits = &session->limits,
                                     .sources = &session->sources,
                                     .turns = &session->turns,
                                     .functions = &session->functions,
                                     .prefix = session->prefix,
                                     .log = options->log,
                                     .log_user = options->log_user,
                                     .audit = options->audit,
                                     .audit_user = options->audit_user};
    croft_status status =
        pool_open(&session->pool, &shared, session->limits.calls, &session->tools, err);

    session->has_pool = true;
    bytes_end(&session->tools);
    return status;
}

croft_status session_open(croft_view *view, const croft_session_options *options,
                          croft_session **out, croft_error *err)
{
    croft_session *session = calloc(1, sizeof *session);
    croft_status status;

    if (session == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    pthread_mutex_init(&session->list, NULL);
    turns_init(&session->turns);
    atomic_init(&session->unnamed, 0);
    session->view = view_share(view);
    session->prefix = strdup(options->prefix == NULL ? "" : options->prefix);
    status = session->prefix == NULL ? fail(err, CROFT_INTERNAL, ENOMEM, "out of memory")
                                     : set_limits(&session->limits, options, err);
    if (status == CROFT_OK)
        status = functions_copy(&session->functions, options->functions, options->function_count,
                                err);
    if (status == CROFT_OK)
        status = sources_gather(&session->sources, options, err);
    if (status == CROFT_OK)
        status = open_pool(session, options, err);
    if (status != CROFT_OK) {
        session_close(session);
        return status;
    }
    *out = session;
    return CROFT_OK;
}

void session_close(croft_session *session)
{
    if (session == NULL)
        return;
    if (session->has_pool)
        pool_close(&session->pool);
    sources_free(&session->sources);
    functions_free(&session->functions);
    bytes_free(&session->tools);
    free(session->prefix);
    view_release(session->view);
    turns_destroy(&session->turns);
    pthread_mutex_destroy(&session->list);
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
    pool_wake(&session->pool);
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* The interpreter died, or the call may not be answered: another one finds the words. */
static croft_status explain(croft_session *session, const char *tool, struct reply *reply)
{
    const struct reply died = *reply;
    const atomic_bool no = false;
    struct sandbox *sandbox;
    croft_error err;

    reply_free(reply);
    if (died.breach == BREACH_CANCELLED)
        return CROFT_CANCELLED;
    sandbox = pool_take(&session->pool, &no, &err);
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
    struct sandbox *sandbox = pool_take(&session->pool, cancelled, &err);

    if (sandbox == NULL)
        return err.kind == CROFT_CANCELLED ? CROFT_CANCELLED : CROFT_INTERNAL;
    if (id == 0)
        id = atomic_fetch_add(&session->unnamed, 1) + 1;
    sandbox_call(sandbox, id, tool, args, size, cancelled, listener, reply);
    pool_give(&session->pool, sandbox,
              reply->breach != BREACH_NONE || sandbox_is_full(sandbox));
    return reply->breach == BREACH_NONE ? CROFT_OK : explain(session, tool, reply);
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
    pool_count(&session->pool, &usage->interpreters_made, &usage->interpreters_trapped);
}
