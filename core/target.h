/* SPDX-License-Identifier: MIT */
/* Where a write goes: resolved, allowed, with the directories that it needs. */
#ifndef CROFT_TARGET_H
#define CROFT_TARGET_H

#include "resolve.h"

/*
 * Resolves `path` for a write. Refuses what is protected (the path as spelled first, so that the
 * refusal names what was asked for), reserved, or no regular file. On success place_parent() is the
 * innermost directory that exists; place->fd is the old file, or -1.
 */
croft_status target_resolve(const struct root *root, const struct path *path, struct place *place,
                            croft_error *err);

/* What the path as it was sent already tells: whether it names something protected or reserved. */
croft_status target_check_spelled(const struct root *root, const struct path *path,
                                  croft_error *err);

/* The same of where it leads. err->at is 1 for what is protected by another way than its spelling. */
croft_status target_check_place(const struct place *place, croft_error *err);

/*
 * Makes the missing directories of the place, each entered by its own descriptor. `*made` counts them.
 * Those made stay when a later step fails.
 */
croft_status target_make_directories(struct place *place, size_t *made, croft_error *err);

/* Writes the path in the view of the first of the `made` directories; "" where there are none. `out` has
 * PATH_BYTES + 1 bytes. */
void target_first_made(const struct place *place, size_t made, char *out);

/* Fsyncs the innermost held directory and the `made` ones above it. False when one could not be. */
bool target_sync(const struct place *place, size_t made);

#endif
