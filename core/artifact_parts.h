/* SPDX-License-Identifier: MIT */
/* What the files of the store share. Private to core/artifact*.c. */
#ifndef CROFT_ARTIFACT_PARTS_H
#define CROFT_ARTIFACT_PARTS_H

#include "artifact.h"

/* An artifact with a new id that is in no store. Takes over `fd`, also on failure. */
croft_status artifact_new(enum artifact_kind kind, const struct sys *sys, int fd, const char *path,
                          struct artifact **out, croft_error *err);
void artifact_free(struct artifact *artifact); /* NULL is fine */

/* Puts it into the store, in use, making room. On failure it is freed. */
croft_status artifact_put(struct artifacts *artifacts, struct artifact *artifact,
                          struct artifact_room *room, croft_error *err);

#endif
