/* SPDX-License-Identifier: MIT */
/* The door: croft.h in terms of the floors below it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bind/overrun.h"
#include "door.h"

#ifndef CROFT_VERSION
#error "CROFT_VERSION comes from the build"
#endif

CROFT_API const char *croft_version(void)
{
    return CROFT_VERSION;
}

void door_take_options(void *ours, size_t our_size, const void *theirs)
{
    size_t size;

    if (theirs == NULL)
        return;
    memcpy(&size, theirs, sizeof size); /* each structure of options starts with its size */
    if (size > our_size)
        size = our_size;
    memcpy(ours, theirs, size);
}

/* ---- session ----------------------------------------------------------------------------------- */

CROFT_API void croft_session_options_init(croft_session_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->prefix = "";
    options->toolset = "workspace";
    options->write_root = ".";
    options->trust_tier = "untrusted";
}

CROFT_API croft_status croft_session_open(croft_view *view, const croft_session_options *options,
                                          croft_session **session, croft_error *err)
{
    croft_session_options taken;

    croft_session_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    if (view->is_disabled)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "the view is disabled: it has no root");
    return session_open(view, &taken, NULL, session, err);
}

CROFT_API void croft_reply_json(croft_reply *reply, const char *json, size_t size)
{
    functions_reply_json(reply, json, size);
}

CROFT_API void croft_reply_error(croft_reply *reply, croft_status code, const char *message)
{
    functions_reply_error(reply, code, message);
}

CROFT_API bool croft_reply_is_cancelled(const croft_reply *reply)
{
    return reply->cancelled != NULL && atomic_load(reply->cancelled);
}

CROFT_API void croft_reply_takes_time(croft_reply *reply)
{
    reply->takes_time = true;
}

CROFT_API void croft_session_close(croft_session *session)
{
    session_close(session);
}

CROFT_API size_t croft_session_read_only_names(const croft_session *session, const char **names,
                                               size_t count)
{
    return croft_read_only_names(session->view, names, count);
}

CROFT_API const char *croft_session_tools(croft_session *session)
{
    return session_tools(session);
}

CROFT_API croft_status croft_lend_signal(int number, croft_error *err)
{
    return overrun_take_signal(number, err);
}

CROFT_API void croft_session_keep(croft_session *session, size_t interpreters)
{
    session_keep(session, interpreters);
}

CROFT_API void croft_session_usage(croft_session *session, croft_usage *usage)
{
    session_usage(session, usage);
}

CROFT_API const croft_limit *croft_limit_defaults(void)
{
    static const croft_limit defaults[] = {
#define X(name, value, low, high) {#name, value},
        CROFT_LIMITS(X)
#undef X
            {NULL, 0},
    };

    return defaults;
}

/* ---- call -------------------------------------------------------------------------------------- */

CROFT_API void croft_call_options_init(croft_call_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

static croft_outcome outcome_of(croft_status status, const struct owned *owned)
{
    if (owned->asked != NULL)
        return CROFT_NEEDS_INPUT;
    if (status == CROFT_STOPPED)
        return CROFT_ENDED;
    if (status == CROFT_CANCELLED)
        return CROFT_CALLED_OFF;
    return status == CROFT_OK && !owned->reply.is_error ? CROFT_DONE : CROFT_FAILED;
}

void door_fill_result(croft_result *result, croft_status status, struct owned *owned)
{
    struct reply *reply = &owned->reply;
    bool known = status == CROFT_OK && reply->code[0] != '\0';

    result->outcome = outcome_of(status, owned);
    result->question = owned->asked == NULL ? NULL : &owned->asked->request;
    result->is_error = result->outcome != CROFT_DONE;
    result->code = known ? reply->code : croft_status_word(status);
    result->text = bytes_end(&reply->text);
    result->text_size = reply->text.size;
    result->structured = reply->structured.data;
    result->structured_size = reply->structured.size;
    result->steps = reply->steps;
    result->heap_bytes = reply->heap_bytes;
    result->owned = owned;
}

/* The two codes that say that nothing ran are a status at this door. */
static croft_status status_of_reply(const struct reply *reply)
{
    if (strcmp(reply->code, croft_status_word(CROFT_UNKNOWN_TOOL)) == 0)
        return CROFT_UNKNOWN_TOOL;
    if (strcmp(reply->code, croft_status_word(CROFT_BAD_JSON)) == 0)
        return CROFT_BAD_JSON;
    return CROFT_OK;
}

CROFT_API croft_status croft_call(croft_session *session, const char *name, const char *args,
                                  size_t size, const croft_call_options *options,
                                  croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);
    uint64_t started = clock_ns();
    croft_call_options taken;
    struct listener listener = {0};
    struct session_task task = {.tool = name, .args = args, .size = size, .listener = &listener};
    croft_status status;

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    croft_call_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    if (size == 0) {
        task.args = "{}";
        task.size = 2;
    }
    task.id = taken.call_id;
    task.answer = taken.answer;
    listener.progress = taken.progress;
    listener.user = taken.progress_user;
    status = session_call(session, &task, &owned->reply, &owned->asked);
    door_fill_result(result, status, owned);
    result->microseconds = (clock_ns() - started - owned->reply.paused_ns) / 1000;
    return status_of_reply(&owned->reply);
}

CROFT_API croft_status croft_session_report(croft_session *session, croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    door_fill_result(result, session_report(session, &owned->reply), owned);
    return CROFT_OK;
}

CROFT_API croft_status croft_session_handles(croft_session *session, croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);
    croft_status status;

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    session_handles(session, &owned->reply.text);
    status = owned->reply.text.failed ? CROFT_INTERNAL : CROFT_OK;
    door_fill_result(result, status, owned);
    return status;
}

CROFT_API void croft_result_free(croft_result *result)
{
    struct owned *owned;

    if (result->owned == NULL)
        return;
    owned = result->owned;
    reply_free(&owned->reply);
    gate_forget(owned->asked);
    free(owned);
    memset(result, 0, sizeof *result);
}

CROFT_API void croft_cancel(croft_session *session, uint64_t call_id)
{
    session_cancel(session, call_id);
}
