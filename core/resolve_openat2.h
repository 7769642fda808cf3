/* SPDX-License-Identifier: MIT */
/* The quick way: the kernel resolves the whole path in one call and cannot leave the root. */
#ifndef CROFT_RESOLVE_OPENAT2_H
#define CROFT_RESOLVE_OPENAT2_H

#include "place.h"

/* Fills place->fd and node. False for any reason: the walk then decides, and names the reason. */
bool resolve_openat2(const struct root *root, const struct path *path, struct place *place);

/* Opens the path anew with `flags`; -1 with errno. */
int open_openat2(const struct root *root, const struct path *path, int flags);

#endif
