/* SPDX-License-Identifier: MIT */
/* How the trees of a view lie in one another, and what of them is hidden: a plan that was opened. Immutable,
 * and shared by all views that are made of it. */
#ifndef CROFT_LAYOUT_H
#define CROFT_LAYOUT_H

#include <stdatomic.h>

#include "mounts.h"
#include "view_plan.h"

struct layout {
    struct view_plan *plan;
    struct mounts *mounts;   /* one for each of the plan's but the root and binds that are files */
    struct mount **mount_of; /* by the plan's index; NULL where there is none */
    struct hidden *top;      /* the names of the whole view */
    bool has_names;          /* at least one mount has a name */
    atomic_uint references;
};

/* Opens what is in `plan` besides the root; takes the plan over, also on failure. */
croft_status layout_open(struct view_plan *plan, const croft_view_options *options,
                         const struct sys *sys, struct layout **out, croft_error *err);
struct layout *layout_share(struct layout *layout);
void layout_release(struct layout *layout); /* NULL is fine */

/* What a root of its own has hidden, for root.hidden: NULL when that is nothing. */
const struct hidden *layout_hidden(const struct hidden *top);

#endif
