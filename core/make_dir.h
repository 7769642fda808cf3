/* SPDX-License-Identifier: MIT */
/* Making a directory, with those that lead to it. */
#ifndef CROFT_MAKE_DIR_H
#define CROFT_MAKE_DIR_H

#include "target.h"

struct make_dir_info {
    size_t made;                     /* directories made; 0: it was there */
    char first_made[PATH_BYTES + 1]; /* root-relative */
    bool not_confirmed; /* made, but whether they are there to stay could not be made sure */
};

/* CROFT_ALREADY_EXISTS when something else is there; detail is its type. Those made stay when a later
 * step fails. */
croft_status make_dir(const struct root *root, const struct path *path, struct make_dir_info *info,
                      croft_error *err);

#endif
