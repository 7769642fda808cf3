/* SPDX-License-Identifier: MIT */
#include "serve_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>

#include "front_json.h"
#include "json_scan.h"
#include "note.h"
#include "utf8.h"

enum { LONG_BYTES = 64 * 1024 }; /* arguments that are worth more than a copy */

void job_free(struct job *job)
{
    if (job == NULL)
        return;
    bytes_free(&job->held);
    free(job->state);
    bytes_free(&job->asking);
    free(job);
}

/* ---- making ------------------------------------------------------------------------------------ */

static size_t size_of_texts(const struct job_parts *parts)
{
    size_t size = JOB_TEXTS; /* each is ended by NUL */

    for (size_t text = 0; text < JOB_TEXTS; text++)
        for (size_t i = 0; i < JOB_PIECES; i++)
            size += parts->texts[text][i].size;
    return size;
}

static char *add(char *room, struct json_slice piece)
{
    if (piece.size > 0)
        memcpy(room, piece.data, piece.size);
    return room + piece.size;
}

/* Joins a text at *room, which is behind it then. */
static const char *join(const struct json_slice pieces[JOB_PIECES], char **room)
{
    const char *text = *room;

    if (pieces[0].data == NULL)
        return NULL;
    for (size_t i = 0; i < JOB_PIECES; i++)
        *room = add(*room, pieces[i]);
    *(*room)++ = '\0';
    return text;
}

/* False when memory ran out for it. */
static bool hold_long(struct job *job, struct json_slice args, struct line_reader *reader)
{
    job->args = args;
    if (line_reader_take(reader, &job->held))
        return true;
    bytes_add(&job->held, args.data, args.size);
    job->args.data = job->held.data;
    return !job->held.failed;
}

struct job *job_make(const struct job_parts *parts, struct line_reader *reader)
{
    struct json_slice args = parts->args;
    bool is_short = args.size < LONG_BYTES;
    struct job *job = calloc(1, sizeof *job + size_of_texts(parts) + (is_short ? args.size : 0));
    char *room = job == NULL ? NULL : job->room;

    if (job == NULL)
        return NULL;
    job->is_long = parts->is_long;
    job->form = parts->form;
    job->key = join(parts->texts[JOB_KEY], &room);
    job->name = join(parts->texts[JOB_NAME], &room);
    job->order = join(parts->texts[JOB_ORDER], &room);
    job->start = join(parts->texts[JOB_START], &room);
    job->done = join(parts->texts[JOB_DONE], &room);
    job->progress = join(parts->texts[JOB_PROGRESS], &room);
    job->args = (struct json_slice){room, args.size};
    (void)add(room, is_short ? args : (struct json_slice){NULL, 0});
    atomic_init(&job->cancelled, false);
    atomic_init(&job->hold, false);
    if (is_short || hold_long(job, args, reader))
        return job;
    job_free(job);
    return NULL;
}

/* ---- from Lua ---------------------------------------------------------------------------------- */

/* The word in a field; "" where there is none. */
static const char *word_in(lua_State *L, int index, const char *name)
{
    const char *word = "";

    if (lua_getfield(L, index, name) == LUA_TSTRING)
        word = lua_tostring(L, -1); /* stays in the table */
    lua_pop(L, 1);
    return word;
}

void job_take_verdict(lua_State *L, int index, croft_verdict *verdict)
{
    const char *decision = word_in(L, index, "decision"), *note = word_in(L, index, "note");
    size_t size = strlen(note);

    memset(verdict, 0, sizeof *verdict);
    if (strcmp(decision, "allow") == 0)
        verdict->decision = CROFT_ALLOW;
    if (strcmp(decision, "deny") == 0)
        verdict->decision = CROFT_DENY;
    if (strcmp(word_in(L, index, "scope"), "session") == 0)
        verdict->scope = CROFT_SESSION;
    if (strcmp(word_in(L, index, "cause"), "cancelled") == 0)
        verdict->cause = CROFT_UNDECIDED_CANCELLED;
    memcpy(verdict->note, note, utf8_cut(note, size, sizeof verdict->note - 1));
}

/* An answer that came with the call; what it is worth is seen when the call is made. False when memory ran out
 * for it. */
static bool take_answer(lua_State *L, int index, struct job *job)
{
    const char *asks = word_in(L, index, "asks");
    bool has_state = lua_getfield(L, index, "state") == LUA_TSTRING;

    job->asks = strcmp(asks, "request") == 0  ? ASKS_REQUEST
                : strcmp(asks, "result") == 0 ? ASKS_RESULT
                                              : ASKS_NOBODY;
    job->state = has_state ? strdup(lua_tostring(L, -1)) : NULL;
    lua_pop(L, 1);
    job->has_answer = job->state != NULL;
    if (job->has_answer)
        job_take_verdict(L, index, &job->answer.verdict);
    return job->has_answer || !has_state;
}

/* Raises only for what is none of the fields: a fault of ours. What the parts point to stays in the table. */
static void take_parts(lua_State *L, int index, struct job_parts *parts)
{
    static const char *const names[JOB_TEXTS] = {
        [JOB_KEY] = "key",     [JOB_NAME] = "name", [JOB_ORDER] = "order",
        [JOB_START] = "start", [JOB_DONE] = "done", [JOB_PROGRESS] = "progress",
    };

    memset(parts, 0, sizeof *parts);
    for (size_t i = 0; i < JOB_TEXTS; i++) {
        struct json_slice *text = &parts->texts[i][0];

        (void)lua_getfield(L, index, names[i]);
        text->data = lua_tolstring(L, -1, &text->size);
        lua_pop(L, 1);
    }
    (void)lua_getfield(L, index, "arguments");
    parts->args = front_json_optional(L, -1);
    (void)lua_getfield(L, index, "form");
    parts->form = form_check(L, -1);
    (void)lua_getfield(L, index, "long");
    parts->is_long = lua_toboolean(L, -1);
    lua_pop(L, 3);
}

struct job *job_new(lua_State *L, int index, struct line_reader *reader)
{
    struct job_parts parts;
    struct job *job;

    take_parts(L, index, &parts);
    job = job_make(&parts, reader);
    if (job != NULL && take_answer(L, index, job))
        return job;
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

static void put_broken(struct job *job)
{
    struct output_piece pieces[] = {piece_of(job->start), piece_of(job->form->broken)};

    output_put(job->output, pieces, 2, atomic_load(&job->hold));
}

static void put_text(struct job *job, const char *before, const croft_result *result,
                     const char *after)
{
    struct output_piece pieces[] = {
        piece_of(job->start),
        piece_of(before),
        {result->text == NULL ? "" : result->text, result->text_size, true},
        piece_of(after)};

    if (!output_try(job->output, pieces, 4, atomic_load(&job->hold)))
        put_broken(job);
}

/* The resource that the tool gives along with its text, as an object without its brackets; or nothing. */
static struct json_slice link_of(const struct job *job, const croft_result *result)
{
    struct json_slice structured = {result->structured, result->structured_size};
    struct json_slice link = {NULL, 0};

    if (job->form->has_links && structured.data != NULL)
        link = json_member(structured, "resource");
    if (json_type(link) != JSON_OBJECT)
        return (struct json_slice){NULL, 0};
    return (struct json_slice){link.data + 1, link.size - 2};
}

static void put_done(struct job *job, const croft_result *result)
{
    static const char head[] = "},{\"type\":\"resource_link\",";
    const struct answer_form *form = job->form;
    struct json_slice link = link_of(job, result);
    struct bytes after = {0};

    if (link.data != NULL) {
        bytes_add(&after, head, sizeof head - 1);
        bytes_add(&after, link.data, link.size);
    }
    bytes_add_text(&after, form->after_done);
    put_text(job, job->done != NULL ? job->done : form->done, result,
             after.failed ? form->after_done : bytes_end(&after));
    bytes_free(&after);
}

static void answer(struct job *job, croft_status status, const croft_result *result)
{
    if (atomic_load(&job->cancelled) || result->outcome == CROFT_CALLED_OFF)
        return; /* whoever cancelled a call is not answered */
    if (status == CROFT_UNKNOWN_TOOL || status == CROFT_BAD_JSON)
        put_text(job, job->form->refused, result, "}}");
    else if (status != CROFT_OK || result->text == NULL)
        put_broken(job);
    else if (!result->is_error)
        put_done(job, result);
    else
        put_text(job, job->form->failed, result, job->form->after_failed);
}

static void log_call(const struct job *job, const croft_result *result)
{
    static const char *const words[] = {"done", "failed", "stopped", "cancelled", "asked"};
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

/* In the same order for all calls. */
static void record_and_answer(struct job *job, croft_status status, const croft_result *result)
{
    recorder_hold(job->recorder);
    record(job, status, result);
    answer(job, status, result);
    recorder_release(job->recorder);
}

/* What was approved of a call that is cancelled meanwhile does not run. */
static const croft_answer *answer_of(struct job *job)
{
    if (job->state != NULL)
        job->answer.request_id = ask_read_state(job->key_of_states, job->state, job->name);
    if (atomic_load(&job->cancelled))
        job->answer.verdict =
            (croft_verdict){.decision = CROFT_UNDECIDED, .cause = CROFT_UNDECIDED_CANCELLED};
    return job->has_answer ? &job->answer : NULL;
}

static croft_status make_call(struct job *job, croft_session *session, croft_result *result)
{
    croft_call_options options;

    croft_call_options_init(&options);
    options.call_id = job->id;
    if (job->progress != NULL) {
        options.progress = tell_progress;
        options.progress_user = job;
    }
    options.answer = answer_of(job);
    return croft_call(session, job->name, job->args.size == 0 ? "" : job->args.data, job->args.size,
                      &options, result);
}

/* Nobody can be asked: the session is told, for its records and the words. */
static croft_status ask_nobody(struct job *job, croft_session *session, croft_result *result)
{
    job->answer = (croft_answer){
        .request_id = result->question->id,
        .verdict = {.decision = CROFT_UNDECIDED, .cause = CROFT_UNDECIDED_NO_DECIDER}};
    job->has_answer = true;
    free(job->state);
    job->state = NULL;
    croft_result_free(result);
    return make_call(job, session, result);
}

static void put_question(struct job *job, const croft_result *result)
{
    struct bytes question = {0};

    ask_add_result(&question, job->key_of_states, result->question);
    if (question.failed || job->form->question == NULL) {
        put_broken(job);
    } else {
        struct output_piece pieces[] = {piece_of(job->start),
                                        piece_of(job->form->question),
                                        {.data = question.data, .size = question.size}};

        output_put(job->output, pieces, 3, atomic_load(&job->hold));
    }
    bytes_free(&question);
}

/* False when memory ran out for it. */
static bool prepare_question(struct job *job, const croft_gate_request *request)
{
    struct timespec now;

    bytes_free(&job->asking);
    ask_add_request(&job->asking, request);
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    job->question = request->id;
    job->deadline_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec +
                       request->milliseconds * 1000000u;
    return !job->asking.failed;
}

bool job_run(struct job *job, croft_session *session)
{
    croft_result result;
    croft_status status = make_call(job, session, &result);
    bool waits = false;

    if (result.outcome == CROFT_NEEDS_INPUT && job->asks == ASKS_REQUEST)
        waits = prepare_question(job, result.question);
    if (result.outcome == CROFT_NEEDS_INPUT && job->asks != ASKS_RESULT && !waits)
        status = ask_nobody(job, session, &result);
    if (!waits && result.outcome == CROFT_NEEDS_INPUT && !atomic_load(&job->cancelled))
        put_question(job, &result);
    else if (!waits)
        record_and_answer(job, status, &result);
    if (job->verbose && result.code != NULL)
        log_call(job, &result);
    croft_result_free(&result);
    return waits;
}
