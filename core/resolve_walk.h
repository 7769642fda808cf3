/* SPDX-License-Identifier: MIT */
/*
 * The walk: one component at a time, each directory held open. ".." in the text of a link goes back to
 * the directory that is held, never to the kernel's idea of a parent, so no rename redirects it.
 */
#ifndef CROFT_RESOLVE_WALK_H
#define CROFT_RESOLVE_WALK_H

#include "place.h"

croft_status resolve_walk(const struct root *root, const struct path *path, enum resolve_how how,
                          struct place *place, croft_error *err);

#endif
