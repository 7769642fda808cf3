/* SPDX-License-Identifier: MIT */
/* How a path is resolved, step by step: for a debugger that explains a refusal. */
#ifndef CROFT_TRAIL_H
#define CROFT_TRAIL_H

#include "croft_debug.h"
#include "resolve.h"
#include "view.h"

enum { TRAIL_STEPS = 128 };

struct trail {
    croft_debug_step steps[TRAIL_STEPS];
    size_t count;
    const char *read_only;    /* the name whose tree it leads into; or NULL */
    size_t from[TRAIL_STEPS]; /* where names and targets begin in `text` */
    size_t target_from[TRAIL_STEPS];
    struct bytes text;
};

/* Resolves `path` (any bytes) once more and notes what it meets. What is not noted for want of room or
 * memory is left out at the end. */
void trail_follow(struct trail *trail, const croft_view *view, const char *path, size_t size,
                  enum resolve_how how);
void trail_free(struct trail *trail);

#endif
