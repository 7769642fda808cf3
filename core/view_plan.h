/* SPDX-License-Identifier: MIT */
/*
 * What one view consists of on this host: a configuration for one tenant, with all links of its paths
 * followed and all contradictions refused. Immutable; the tools and wrap_argv both work from it.
 */
#ifndef CROFT_VIEW_PLAN_H
#define CROFT_VIEW_PLAN_H

#include "sys.h"
#include "view_config.h"

enum plan_kind { PLAN_ROOT, PLAN_GLOBAL, PLAN_MAP, PLAN_BIND };

/* A tree of the host's that can be seen. */
struct plan_mount {
    enum plan_kind kind;
    char *where; /* its key in the configuration, as in "maps 2", for messages */
    char *name;  /* in the tools' tree, cleaned; "" for the root, NULL for a bind: not there */
    char
        *inside; /* where a subprocess sees it: "/workspace", "/global", "/NAME", or (of a bind) the
                     * path as configured, cleaned */
    char *path;  /* of the host: absolute, without links */
    char *spelled; /* the same as configured */
    bool writable;
    bool is_directory; /* only a bind may be something else */
};

enum plan_mask_kind { PLAN_SECRET, PLAN_HIDE, PLAN_NEIGHBOURS };

/* A path of the host's that nobody sees, with all that is or comes below it. */
struct plan_mask {
    enum plan_mask_kind kind;
    char *where; /* its key, likewise */
    char *path;  /* absolute; without links but, where the last name is one, that name */
};

struct view_plan {
    struct plan_mount *mounts; /* the root first, then `global` if any, maps, binds as configured */
    size_t mount_count;
    struct plan_mask *masks;
    size_t mask_count;
    char *tenants;             /* the directory of tenants without links, or NULL */
    struct texts system_binds; /* those that exist, as configured */
    bool has_usual_system; /* plan_usual_system, which nobody has looked at, in place of these */
    struct texts env;
    bool host_net;
};

/* What a subprocess sees of the system where the configuration does not say; ended by NULL. */
extern const char *const plan_usual_system[];

/*
 * Makes the plan of `config` for `tenant` (NULL: for none; what holds `{tenant}` is then looked at no
 * further, and *out is not made where that occurs). Adds a sentence for each thing that is wrong to
 * `problems`; *out is made only when nothing is, and is freed by the caller. False only when memory is
 * out. Safe in any number of threads: nothing is remembered.
 */
bool view_plan_make(const struct view_config *config, const char *tenant, const struct sys *sys,
                    struct view_plan **out, struct problems *problems);
/* That of a directory alone. `real` is "" where its path without links cannot be told. NULL: out of memory. */
struct view_plan *view_plan_of_root(const char *real, const char *spelled, bool writable);
void view_plan_free(struct view_plan *plan); /* NULL is fine */

/* Whether `path` is `above`, or lies below it: by whole components. */
bool path_is_within(const char *path, const char *above);

#endif
