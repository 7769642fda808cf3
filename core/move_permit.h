/* SPDX-License-Identifier: MIT */
/* Whether a call may move a directory with all that lies in it. */
#ifndef CROFT_MOVE_PERMIT_H
#define CROFT_MOVE_PERMIT_H

#include "move.h"

/*
 * Judges the directory `from` and each entry below it at its new path, and each entry at its old one: moving what
 * lies above a path must not be a way around the rules for that path. CROFT_DENIED with the detail "contents" where
 * one of them may not be moved, or cannot be looked at. For a root with a permit.
 */
croft_status move_permit(const struct place *from, const struct place *to, const struct path *path,
                         const struct move_options *options, croft_error *err);

#endif
