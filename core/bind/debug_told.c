/* SPDX-License-Identifier: MIT */
/* The debugger itself, and how it is told of records: with the way of what was refused. */
#include <stdlib.h>
#include <string.h>

#include "bind/debug.h"
#include "trail.h"

/* How the primitive resolves its path. */
static enum resolve_how how_of(const char *operation)
{
    static const char *const writes[] = {"write", "replace", "mkdir"};
    static const char *const names[] = {"remove", "rename"};

    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        if (strcmp(operation, writes[i]) == 0)
            return RESOLVE_TARGET;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(operation, names[i]) == 0)
            return RESOLVE_NEW_NAME;
    return RESOLVE_STACK;
}

/* Whether its path is one of the view's that was resolved and refused. */
static bool has_trail(const croft_record *record)
{
    static const char *const others[] = {"call", "end", "host", "file"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(record->operation, others[i]) == 0)
            return false;
    return strcmp(record->verdict, "ok") != 0 && record->path != NULL;
}

static bool has_place(const croft_record *record)
{
    return strcmp(record->operation, "call") != 0 && strcmp(record->operation, "end") != 0 &&
           strcmp(record->operation, "file") != 0;
}

static void told(void *user, const struct recorder *recorder, const croft_record *record)
{
    const struct croft_debug *debug = user;
    bool with_trail = has_trail(record);
    struct trail trail = {.count = 0};
    croft_debug_record all = {.record = record,
                              .file = has_place(record) ? recorder->file : "",
                              .line = has_place(record) ? recorder->line : 0};

    if (with_trail && debug->host != NULL) {
        all.blamed = recorder->blamed == NULL ? record->path : recorder->blamed;
        all.blamed_size = recorder->blamed == NULL ? record->path_size : recorder->blamed_size;
        trail_follow(&trail, debug->host->view, all.blamed, all.blamed_size,
                     how_of(record->operation));
        all.steps = trail.steps;
        all.step_count = trail.count;
        all.read_only = trail.read_only;
    }
    debug->callbacks.recorded(debug->callbacks.user, &all);
    trail_free(&trail);
}

croft_debug *croft_debug_new(const croft_debug_callbacks *callbacks)
{
    croft_debug *debug = calloc(1, sizeof *debug);

    if (debug == NULL)
        return NULL;
    debug->callbacks = *callbacks;
    debug->watch = (struct record_watch){told, debug};
    return debug;
}

void croft_debug_free(croft_debug *debug)
{
    if (debug == NULL)
        return;
    while (debug->point_count > 0)
        croft_debug_delete(debug, debug->points[0].number);
    croft_debug_profile(debug, false);
    bytes_free(&debug->fault);
    bytes_free(&debug->error);
    free(debug);
}
