/* SPDX-License-Identifier: MIT */
/* What may be seen and changed: a root, and what is mounted in it. Immutable after it is opened, shared by
 * sessions. */
#ifndef CROFT_VIEW_H
#define CROFT_VIEW_H

#include <stdatomic.h>

#include "glob.h"
#include "layout.h"
#include "root.h"

struct croft_view {
    struct root *root;
    struct layout *layout; /* the other trees, and what is hidden */
    struct glob **exclude; /* what the operator leaves out of listings and searches */
    char **exclude_texts;
    size_t exclude_count;
    bool is_disabled;       /* there is no root: all is allowed, and nothing can be opened by it */
    atomic_uint references; /* the view is closed when the last is given back */
};

croft_status view_open(const char *root, const croft_view_options *options, const struct sys *sys,
                       croft_view **out, croft_error *err);

/* The view of a plan, which is taken over, also on failure. */
croft_status view_open_plan(struct view_plan *plan, const croft_view_options *options,
                            const struct sys *sys, croft_view **out, croft_error *err);

/* Compiles the globs of `options`; the view has none before. */
croft_status view_add_excludes(croft_view *view, const croft_view_options *options,
                               croft_error *err);
/* As croft_read_only_names. */
size_t view_read_only_names(const croft_view *view, const char **names, size_t count);
croft_view *view_share(croft_view *view);
void view_release(croft_view *view); /* NULL is fine */

/* A view without a root: all is allowed, and nothing can be opened by it (S1-27). */
croft_status view_open_disabled(croft_view **out, croft_error *err);

/* Tells `options` what is wrong with a plan, and fails with it. */
croft_status view_plan_refuse(const struct problems *problems, const croft_view_options *options,
                              croft_error *err);

/* In which tree a path of the view lies. */
struct route {
    const struct root *root;
    const struct path *spelled;  /* the whole */
    const struct path *path;     /* of it what is below that root */
    struct mount *mount;         /* held, or NULL: the view's own root */
    const struct hidden *hidden; /* the names of the view at the path, when mounts lie below it */
    size_t depth;                /* components that name the mount */
    struct path rest;            /* room for `path`, and for `root` */
    struct root own;
};

/* Finds the tree by the longest name that the path begins with. On success the caller gives it back with
 * route_end(); `path` must stay as it is until then. CROFT_MISSING when the tree is gone. */
croft_status view_route(const croft_view *view, const struct path *path, struct route *route,
                        croft_error *err);
void route_end(struct route *route); /* again does nothing */

/* Holds the route to the permit of `root`, a copy of the view's own root or that itself. */
void route_permit(struct route *route, const struct root *root);

/* What an operation by the route failed with, in terms of the whole path. */
void route_locate(const struct route *route, croft_error *err);

#endif
