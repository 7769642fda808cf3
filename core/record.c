/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct recorder *recorder_new(croft_audit_function *audit, void *user)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);

    if (recorder == NULL)
        return NULL;
    recorder->audit = audit;
    recorder->user = user;
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    free(recorder);
}

/* Microseconds since 1970. */
static uint64_t wall_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static uint64_t since(uint64_t started_ns)
{
    return (clock_ns() - started_ns) / 1000;
}

static bool tell(struct recorder *recorder, croft_record *record)
{
    record->call_id = recorder->call_id;
    record->tool = recorder->tool == NULL ? "" : recorder->tool;
    if (recorder->watch != NULL)
        recorder->watch->told(recorder->watch->user, recorder, record);
    if (recorder->audit != NULL && !recorder->audit(recorder->user, record))
        recorder->failed = true;
    return !recorder->failed;
}

/* ---- primitives -------------------------------------------------------------------------------- */

static bool tell_primitive(struct recorder *recorder, const char *verdict, const char *rule)
{
    croft_record record = {.time = recorder->time,
                           .operation = recorder->operation,
                           .path = recorder->has_path ? recorder->path : NULL,
                           .path_size = recorder->path_size,
                           .resolved = recorder->has_resolved ? recorder->resolved : NULL,
                           .resolved_size = recorder->resolved_size,
                           .verdict = verdict,
                           .rule = rule,
                           .bytes = recorder->bytes,
                           .microseconds = since(recorder->started_ns)};

    recorder->operation = NULL; /* first: a trap must not tell it again */
    return tell(recorder, &record);
}

bool record_end(struct recorder *recorder, const char *verdict, const char *rule)
{
    if (recorder->operation == NULL || recorder->is_muted)
        return !recorder->failed;
    return tell_primitive(recorder, verdict, rule);
}

bool record_begin(struct recorder *recorder, const char *operation, const char *path, size_t size)
{
    if (recorder->is_muted)
        return true;
    record_end(recorder, croft_status_word(CROFT_INTERNAL), "");
    if (recorder->failed)
        return false;
    recorder->operation = operation;
    recorder->time = wall_clock();
    recorder->started_ns = clock_ns();
    recorder->bytes = 0;
    recorder->has_resolved = false;
    recorder->has_path = path != NULL;
    recorder->path_size = size < PATH_BYTES ? size : PATH_BYTES;
    if (path != NULL)
        memcpy(recorder->path, path, recorder->path_size);
    return true;
}

void record_resolved(struct recorder *recorder, const char *text, size_t size)
{
    if (recorder->operation == NULL || recorder->is_muted || size > sizeof recorder->resolved)
        return;
    memcpy(recorder->resolved, text, size);
    recorder->resolved_size = size;
    recorder->has_resolved = true;
}

void record_place(struct recorder *recorder, const struct place *place)
{
    char text[PATH_BYTES + 1];

    if (place->root->name[0] == '\0') {
        record_resolved(recorder, place->text, place->text_size);
        return;
    }
    place_show(place, place->text_size, text);
    if (text[0] != '\0')
        record_resolved(recorder, text, strlen(text));
}

void record_opened(struct recorder *recorder, const struct root *root, const struct path *path,
                   const struct node *node)
{
    uint64_t asked_ns = clock_ns();
    struct place place;

    if (recorder->operation == NULL || recorder->is_muted || recorder->has_resolved)
        return;
    place_init(&place);
    if (resolve(root, path, RESOLVE_STACK, &place, NULL) == CROFT_OK &&
        node_same(&place.node, node))
        record_place(recorder, &place);
    place_close(&place);
    recorder->started_ns += clock_ns() - asked_ns; /* the primitive's time is not ours */
}

void record_shift(struct recorder *recorder, uint64_t nanoseconds)
{
    recorder->started_ns += nanoseconds;
    recorder->start.ns += nanoseconds;
    for (struct reading *reading = recorder->readings; reading != NULL; reading = reading->next)
        reading->started_ns += nanoseconds;
}

/* ---- handles ----------------------------------------------------------------------------------- */

static void start_again(struct reading *reading)
{
    reading->time = wall_clock();
    reading->started_ns = clock_ns();
    reading->bytes = 0;
}

void reading_begin(struct reading *reading, struct recorder *recorder)
{
    if (recorder->is_muted)
        return;
    reading->recorder = recorder;
    reading->path_size = recorder->path_size;
    memcpy(reading->path, recorder->path, recorder->path_size);
    start_again(reading);
    reading->next = recorder->readings;
    reading->link = &recorder->readings;
    if (reading->next != NULL)
        reading->next->link = &reading->next;
    recorder->readings = reading;
}

/* In the call that is running, whichever opened the file. */
static void tell_reading(struct reading *reading)
{
    croft_record record = {
        .time = reading->time,
        .operation = "file",
        .path = reading->path,
        .path_size = reading->path_size,
        .verdict = reading->failed == CROFT_OK ? "ok" : croft_status_word(reading->failed),
        .rule = "",
        .bytes = reading->bytes,
        .microseconds = since(reading->started_ns)};

    if (reading->is_told && reading->bytes == 0)
        return;
    reading->is_told = true;
    tell(reading->recorder, &record);
    start_again(reading);
}

void reading_end(struct reading *reading)
{
    if (reading->recorder == NULL)
        return;
    tell_reading(reading);
    *reading->link = reading->next;
    if (reading->next != NULL)
        reading->next->link = reading->link;
    reading->recorder = NULL;
}

/* ---- calls ------------------------------------------------------------------------------------- */

struct call_start call_start_now(void)
{
    return (struct call_start){wall_clock(), clock_ns()};
}

bool record_call(struct recorder *recorder, uint64_t call_id, const char *tool, uint64_t size,
                 const struct call_start *start)
{
    croft_record record = {.operation = "call", .verdict = "ok", .rule = "", .bytes = size};

    recorder->failed = false;
    recorder->call_id = call_id;
    recorder->tool = tool;
    recorder->start = start == NULL ? call_start_now() : *start;
    record.time = recorder->start.time;
    return start != NULL || tell(recorder, &record);
}

bool record_call_end(struct recorder *recorder, const char *verdict, const char *rule,
                     uint64_t size)
{
    croft_record record = {.time = recorder->start.time,
                           .operation = "end",
                           .verdict = verdict,
                           .rule = rule,
                           .bytes = size};

    record_end(recorder, croft_status_word(CROFT_INTERNAL), "");
    for (struct reading *reading = recorder->readings; reading != NULL; reading = reading->next)
        tell_reading(reading);
    record.microseconds = since(recorder->start.ns);
    tell(recorder, &record);
    recorder->tool = NULL;
    return !recorder->failed;
}
