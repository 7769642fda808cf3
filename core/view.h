/* SPDX-License-Identifier: MIT */
/* What may be seen and changed: one root so far. Immutable after it is opened, shared by sessions. */
#ifndef CROFT_VIEW_H
#define CROFT_VIEW_H

#include <stdatomic.h>

#include "glob.h"
#include "root.h"

struct croft_view {
    struct root *root;
    struct glob **exclude; /* what the operator leaves out of listings and searches */
    char **exclude_texts;
    size_t exclude_count;
    atomic_uint references; /* the view is closed when the last is given back */
};

croft_status view_open(const char *root, const croft_view_options *options, const struct sys *sys,
                       croft_view **out, croft_error *err);
/* Compiles the globs of `options`; the view has none before. */
croft_status view_add_excludes(croft_view *view, const croft_view_options *options,
                               croft_error *err);
croft_view *view_share(croft_view *view);
void view_release(croft_view *view); /* NULL is fine */

#endif
