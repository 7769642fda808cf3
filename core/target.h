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

/* The same of where it leads. err->at is an enum protected_by for what is protected. */
croft_status target_check_place(const struct place *place, croft_error *err);

/*
 * Makes the missing directories of the place, each entered by its own descriptor. `*made` counts them, and `first`,
 * which has PATH_BYTES + 1 bytes, has the path in the view of the first; "" where there are none. Those made
 * stay when this or a later step fails: somebody else may use them already.
 */
croft_status target_make_directories(struct place *place, size_t *made, char *first,
                                     croft_error *err);

/* Whether a mount lies at the leaf; false where the kernel tells none apart. */
bool target_is_mount(const struct place *place);

/* Fails with errno `number` of a call that was to change what the leaf's name leads to. CROFT_BUSY has the detail
 * "mount" where a mount lies there, which no such call takes away. */
croft_status target_fail(const struct place *place, int number, const char *what, croft_error *err);

/*
 * What a change that failed with `status` failed with, once its place had been found: what does not exist any more
 * was removed meanwhile, CROFT_CHANGED with the detail "removed"; all of it, CROFT_GONE, where the root was.
 */
croft_status target_settle(const struct root *root, croft_status status, croft_error *err);

/* Fsyncs the innermost held directory and the `made` ones above it. False when one could not be. */
bool target_sync(const struct place *place, size_t made);

#endif
