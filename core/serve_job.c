/* SPDX-License-Identifier: MIT */
#include "serve_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "front_json.h"
#include "note.h"

void job_free(struct job *job)
{
    if (job == NULL)
        return;
    free(job->key);
    free(job->name);
    free(job->order);
    bytes_free(&job->args);
    free(job->before);
    free(job->after_done);
    free(job->after_failed);
    free(job->before_refused);
    free(job->broken);
    free(job->progress);
    free(job);
}

/* ---- from Lua ---------------------------------------------------------------------------------- */

/* A copy of a text field; NULL where it is absent, which only `optional` ones may be. */
static bool take(lua_State *L, int index, const char *name, char **out, bool optional)
{
    const char *text;

    lua_getfield(L, index, name);
    text = lua_tostring(L, -1);
    *out = text == NULL ? NULL : strdup(text);
    lua_pop(L, 1);
    return *out != NULL || optional;
}

static bool take_arguments(lua_State *L, int index, struct bytes *out)
{
    struct json_slice slice;

    lua_getfield(L, index, "arguments");
    slice = front_json_optional(L, -1);
    if (slice.data != NULL)
        bytes_add(out, slice.data, slice.size);
    lua_pop(L, 1);
    return !out->failed;
}

static bool fill(lua_State *L, int index, struct job *job)
{
    lua_getfield(L, index, "long");
    job->is_long = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return take(L, index, "key", &job->key, false) && take(L, index, "name", &job->name, false) &&
           take(L, index, "order", &job->order, true) &&
           take(L, index, "before", &job->before, false) &&
           take(L, index, "after_done", &job->after_done, false) &&
           take(L, index, "after_failed", &job->after_failed, false) &&
           take(L, index, "before_refused", &job->before_refused, false) &&
           take(L, index, "broken", &job->broken, false) &&
           take(L, index, "progress", &job->progress, true) && take_arguments(L, index, &job->args);
}

struct job *job_new(lua_State *L, int index)
{
    struct job *job = calloc(1, sizeof *job);

    if (job != NULL &&
        fill(L, index, job)) { /* raises only for a slice that is none: a fault of ours */
        atomic_init(&job->cancelled, false);
        atomic_init(&job->hold, false);
        return job;
    }
    job_free(job);
    luaL_error(L, "not enough memory for a call");
    return NULL;
}

/* ---- running ----------------------------------------------------------------------------------- */

static struct output_piece piece_of(const char *text)
{
    return (struct output_piece){text, strlen(text), false};
}

static void tell_progress(void *user, uint64_t done)
{
    struct job *job = user;
    char number[32];
    struct output_piece pieces[3];

    if (atomic_load(&job->cancelled))
        return;
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)done);
    pieces[0] = piece_of(job->progress);
    pieces[1] = piece_of(number);
    pieces[2] = piece_of("}}");
    output_put(job->output, pieces, 3, false);
}

static void put_text(struct job *job, const char *before, const croft_result *result,
                     const char *after)
{
    struct output_piece broken = piece_of(job->broken);
    struct output_piece pieces[] = {
        piece_of(before),
        {result->text == NULL ? "" : result->text, result->text_size, true},
        piece_of(after)};
    bool hold = atomic_load(&job->hold);

    if (!output_try(job->output, pieces, 3, hold))
        output_put(job->output, &broken, 1, hold);
}

static void answer(struct job *job, croft_status status, const croft_result *result)
{
    struct output_piece broken = piece_of(job->broken);

    if (atomic_load(&job->cancelled) || result->outcome == CROFT_CALLED_OFF)
        return; /* whoever cancelled a call is not answered */
    if (status == CROFT_UNKNOWN_TOOL || status == CROFT_BAD_JSON)
        put_text(job, job->before_refused, result, "}}");
    else if (status != CROFT_OK || result->text == NULL)
        output_put(job->output, &broken, 1, atomic_load(&job->hold));
    else
        put_text(job, job->before, result, result->is_error ? job->after_failed : job->after_done);
}

static void log_call(const struct job *job, const croft_result *result)
{
    static const char *const words[] = {"done", "failed", "stopped", "cancelled"};
    char line[256];
    int size =
        snprintf(line, sizeof line, "croft: %.100s: %s%s%s, %llu us, %llu steps", job->name,
                 words[result->outcome], result->code[0] == '\0' ? "" : ", ", result->code,
                 (unsigned long long)result->microseconds, (unsigned long long)result->steps);

    note(line, (size_t)size);
}

static void record(const struct job *job, croft_status status, const croft_result *result)
{
    struct recorded call = recorder_result(status, result);

    call.id = job->id;
    call.tool = job->name;
    call.args = job->args.data;
    call.args_size = job->args.size;
    recorder_add(job->recorder, &call);
}

void job_run(struct job *job, croft_session *session)
{
    croft_call_options options;
    croft_result result;
    croft_status status;

    croft_call_options_init(&options);
    options.call_id = job->id;
    if (job->progress != NULL) {
        options.progress = tell_progress;
        options.progress_user = job;
    }
    status = croft_call(session, job->name, job->args.size == 0 ? "" : job->args.data,
                        job->args.size, &options, &result);
    recorder_hold(job->recorder);
    record(job, status, &result);
    answer(job, status, &result);
    recorder_release(job->recorder);
    if (job->verbose && result.code != NULL)
        log_call(job, &result);
    croft_result_free(&result);
}
