/* SPDX-License-Identifier: MIT */
/* Breakpoints. */
#include <stdlib.h>
#include <string.h>

#include "bind/debug.h"

static char *copy(const char *text, bool *failed)
{
    char *copied = text == NULL ? NULL : strdup(text);

    *failed |= text != NULL && copied == NULL;
    return copied;
}

static void forget(struct debug_point *point)
{
    free(point->name);
    free(point->condition);
}

int croft_debug_add(croft_debug *debug, const croft_debug_point *point)
{
    struct debug_point *added = &debug->points[debug->point_count];
    bool failed = false;

    if (debug->point_count == DEBUG_POINTS)
        return 0;
    *added = (struct debug_point){.kind = point->kind,
                                  .name = copy(point->name, &failed),
                                  .condition = copy(point->condition, &failed),
                                  .line = point->line};
    if (failed) {
        forget(added);
        return 0;
    }
    debug->point_count++;
    return added->number = ++debug->last_number;
}

bool croft_debug_delete(croft_debug *debug, int number)
{
    for (size_t i = 0; i < debug->point_count; i++) {
        struct debug_point *point = &debug->points[i];

        if (point->number != number)
            continue;
        forget(point);
        memmove(point, point + 1, (--debug->point_count - i) * sizeof *point);
        return true;
    }
    return false;
}

bool debug_may_stop(const struct croft_debug *debug, croft_debug_kind kind, int line)
{
    for (size_t i = 0; i < debug->point_count; i++)
        if (debug->points[i].kind == kind && (line == 0 || debug->points[i].line == line))
            return true;
    return false;
}

static bool fits(const struct debug_point *point, croft_debug_kind kind, const char *name, int line)
{
    if (point->kind != kind || point->line != line)
        return false;
    if (kind == CROFT_DEBUG_PRIMITIVE && point->name[0] == '\0')
        return true;
    return strcmp(point->name, name) == 0;
}

/* Whether the condition holds in the frame at hand, or fails. */
static bool holds(struct croft_debug *debug, lua_State *L, const struct debug_point *point,
                  struct bytes *fault)
{
    static const char before[] = "not not (";
    struct bytes text = {0}, value = {0};
    bool cut, good, is_true;

    bytes_add_text(&text, before);
    bytes_add_text(&text, point->condition);
    bytes_add_text(&text, "\n)");
    debug->stopped = L;
    good =
        debug_run(debug, debug_first_frame(debug), bytes_end(&text), text.size, KIB, &cut, &value);
    debug->stopped = NULL;
    is_true = strcmp(bytes_end(&value), "true") == 0;
    if (!good) {
        bytes_add_text(fault, "its condition cannot be evaluated: ");
        bytes_add(fault, value.data, value.size);
    }
    bytes_free(&text);
    bytes_free(&value);
    return !good || is_true;
}

/* The same with the trap disarmed and the clock stopped. */
static bool holds_aside(struct croft_debug *debug, lua_State *L, const struct debug_point *point,
                        struct bytes *fault)
{
    bool armed = debug->host->armed, is_true;
    uint64_t started = clock_ns();

    debug->host->armed = false;
    is_true = holds(debug, L, point, fault);
    debug->host->armed = armed;
    debug_pass_time(debug, started);
    return is_true;
}

const struct debug_point *debug_find_point(struct croft_debug *debug, lua_State *L,
                                           croft_debug_kind kind, const char *name, int line,
                                           struct bytes *fault)
{
    for (size_t i = 0; i < debug->point_count; i++) {
        const struct debug_point *point = &debug->points[i];

        if (fits(point, kind, name, line) &&
            (point->condition == NULL || holds_aside(debug, L, point, fault)))
            return point;
    }
    return NULL;
}
