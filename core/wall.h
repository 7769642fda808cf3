/* SPDX-License-Identifier: MIT */
/* The second wall: Landlock, which holds a thread to one directory whatever its code does. */
#ifndef CROFT_WALL_H
#define CROFT_WALL_H

#include "mounts.h"

/* As croft_confine has it. `mounts` are the other trees of the view; NULL: there are none. What lies below the
 * `count` roots `readable` can be read, too. */
croft_status wall_raise(const struct root *root, struct mounts *mounts,
                        struct root *const *readable, size_t count, croft_wall *wall,
                        croft_error *err);

#endif
