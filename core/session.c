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

static croft_status make_sandbox(croft_session *session, croft_error *err)
{
    struct sandbox_options options = {.view = session->view,
                                      .limits = &session->limits,
                                      .sources = &session->sources,
                                      .prefix = session->prefix,
                                      .log = session->log,
                                      .log_user = session->log_user};
    struct bytes tools = {0};
    croft_status status = sandbox_new(&options, &session->sandbox, &tools, err);

    if (status == CROFT_OK && session->tools.size == 0)
        session->tools = tools; /* the first time: they stay as they are */
    else
        bytes_free(&tools);
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
    pthread_mutex_init(&session->turn, NULL);
    pthread_mutex_init(&session->list, NULL);
    session->view = view_share(view);
    session->log = options->log;
    session->log_user = options->log_user;
    session->prefix = strdup(options->prefix == NULL ? "" : options->prefix);
    status = session->prefix == NULL ? fail(err, CROFT_INTERNAL, ENOMEM, "out of memory")
                                     : set_limits(&session->limits, options, err);
    if (status == CROFT_OK)
        status = sources_gather(&session->sources, options, err);
    if (status == CROFT_OK)
        status = make_sandbox(session, err);
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
    sandbox_free(session->sandbox);
    sources_free(&session->sources);
    bytes_free(&session->tools);
    free(session->prefix);
    view_release(session->view);
    pthread_mutex_destroy(&session->turn);
    pthread_mutex_destroy(&session->list);
    free(session);
}

/* ---- calls in flight --------------------------------------------------------------------------- */

static void enlist(croft_session *session, struct running *running, uint64_t id)
{
    running->id = id;
    atomic_init(&running->cancelled, false);
    pthread_mutex_lock(&session->list);
    running->next = session->running;
    session->running = running;
    pthread_mutex_unlock(&session->list);
}

static void delist(croft_session *session, struct running *running)
{
    struct running **link;

    pthread_mutex_lock(&session->list);
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
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* The interpreter died: another one takes its place, and finds the words. */
static croft_status recover(croft_session *session, const char *tool, struct reply *reply)
{
    enum breach breach = reply->breach;
    uint64_t steps = reply->steps;
    croft_error err;

    sandbox_free(session->sandbox);
    session->sandbox = NULL;
    reply_free(reply);
    if (breach == BREACH_CANCELLED)
        return CROFT_CANCELLED;
    if (make_sandbox(session, &err) != CROFT_OK)
        return CROFT_INTERNAL;
    sandbox_explain(session->sandbox, tool, breach, reply->wrote, reply);
    reply->steps = steps;
    reply->breach = breach;
    return CROFT_STOPPED;
}

static croft_status call_in_turn(croft_session *session, const char *tool, const char *args,
                                 size_t size, const atomic_bool *cancelled, struct reply *reply)
{
    croft_error err;

    if (session->sandbox == NULL && make_sandbox(session, &err) != CROFT_OK)
        return CROFT_INTERNAL;
    if (atomic_load(cancelled))
        return CROFT_CANCELLED;
    sandbox_call(session->sandbox, tool, args, size, cancelled, reply);
    if (reply->breach != BREACH_NONE)
        return recover(session, tool, reply);
    return CROFT_OK;
}

croft_status session_call(croft_session *session, const char *tool, const char *args, size_t size,
                          uint64_t id, struct reply *reply)
{
    struct running running;
    croft_status status;

    memset(reply, 0, sizeof *reply);
    enlist(session, &running, id);
    pthread_mutex_lock(&session->turn);
    status = call_in_turn(session, tool, args, size, &running.cancelled, reply);
    pthread_mutex_unlock(&session->turn);
    delist(session, &running);
    return status;
}
