/* SPDX-License-Identifier: MIT */
/* Removing one name: a file, a link itself, or a directory that is empty. Never more than one. */
#ifndef CROFT_REMOVE_H
#define CROFT_REMOVE_H

#include "entry.h"

struct remove_info {
    uint32_t mode;      /* what it was, with the type bits */
    uint64_t size;      /* of a file */
    uint64_t links;     /* names that the file had: over 1 means that it lives on under others */
    bool not_confirmed; /* gone, but whether it stays so could not be made sure */
};

/*
 * Removes the name that `path` leads to from the directory that is held. Refuses as entry_resolve does;
 * CROFT_UNREADABLE for a file that may not be written, CROFT_BAD_ARGUMENT with "not_empty" for a
 * directory that is not.
 */
croft_status remove_name(const struct root *root, const struct path *path, struct remove_info *info,
                         croft_error *err);

#endif
