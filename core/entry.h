/* SPDX-License-Identifier: MIT */
/* A name in a directory that is held, for what removes and moves it: a link is the link itself. */
#ifndef CROFT_ENTRY_H
#define CROFT_ENTRY_H

#include "target.h"

/*
 * Resolves `path` up to its last component, which is looked at and not followed; `how` is RESOLVE_NAME or
 * RESOLVE_NEW_NAME. Refuses the root itself (CROFT_BAD_ARGUMENT, "root"), what is protected or reserved,
 * and what a read-only name needs to be reached. On success place_parent() holds the name, place->leaf
 * is the name, and place->fd what stands there, or -1.
 */
croft_status entry_resolve(const struct root *root, const struct path *path, enum resolve_how how,
                           struct place *place, croft_error *err);

/* Whether the name still stands for what was found: CROFT_CHANGED when it does not. */
croft_status entry_check(const struct place *place, croft_error *err);

#endif
