/* SPDX-License-Identifier: MIT */
/*
 * From a cleaned path to a descriptor, below a root and nowhere else. Two ways with one meaning: one
 * openat2 call, and a walk by held directories. A refusal always comes from the walk, so both give the
 * same reason.
 */
#ifndef CROFT_RESOLVE_H
#define CROFT_RESOLVE_H

#include "place.h"

croft_status resolve(const struct root *root, const struct path *path, enum resolve_how how,
                     struct place *place, croft_error *err);

/* The same whatever the permit of the root: to tell where a link leads, never to open it. */
croft_status resolve_unjudged(const struct root *root, const struct path *path,
                              enum resolve_how how, struct place *place, croft_error *err);

/*
 * Opens an entry below a held directory for reading, without following it and without waiting, and
 * checks by fstat that it is what the caller wants (a race shows as CROFT_CHANGED). `want` is S_IFREG
 * or S_IFDIR. For entries whose type a listing just told; anything else goes through step() first.
 */
croft_status open_entry(const struct root *root, int dir, const char *name, mode_t want, int *out,
                        struct node *node, croft_error *err);

/*
 * Opens an entry that a listing just told to be a regular file, without following it and without waiting.
 * A race may have put something else there: check_entry says so, and nothing that is read may be shown
 * before it was asked.
 */
croft_status open_listed(const struct root *root, int dir, const char *name, int *out,
                         croft_error *err);
croft_status check_entry(const struct root *root, int fd, mode_t want, struct node *node,
                         croft_error *err);

/* Opens what `place` leads to for reading: a regular file or (want S_IFDIR) a directory. The type was
 * checked on place->fd first, so a FIFO or a device is never opened; the identity is compared after. */
croft_status open_place(const struct place *place, const struct path *path, mode_t want, int *out,
                        struct node *node, croft_error *err);

#endif
