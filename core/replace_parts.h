/* SPDX-License-Identifier: MIT */
/* One replacement under way: everything owned, closed in one place. Private to core/replace*.c. */
#ifndef CROFT_REPLACE_PARTS_H
#define CROFT_REPLACE_PARTS_H

#include "replace.h"

struct replacing {
    const struct root *root;
    const struct sys *sys;
    const struct path *path;
    const struct replace_options *options;
    struct replace_info *info;
    struct place place;
    struct bytes old; /* the old bytes, where they are wanted */
    int old_fd, fd;
    char temp[sizeof RESERVED_PREFIX + 32]; /* "" while there is no temporary file */
    const void *data;
    size_t size;
};

/*
 * Gives the new file, which is whole, the name that it is for. Whatever the temporary name stands for
 * afterwards is to be removed. CROFT_CHANGED when that name no longer leads to what was found or read.
 */
croft_status put_in_place(struct replacing *r, croft_error *err);

#endif
