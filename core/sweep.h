/* SPDX-License-Identifier: MIT */
/* Leftovers: temporary files of a croft that was killed before it could rename or remove them. */
#ifndef CROFT_SWEEP_H
#define CROFT_SWEEP_H

#include "sys.h"

/*
 * Removes the leftovers in the directory `dir` (O_PATH will do), as far as it can: regular files of this
 * user's, or for root of anybody's, with the name of a temporary file, that nothing has happened to for an
 * hour. Called after a write. `before` is the directory as it was before the write began, `written` the new
 * file: its change time is what the file system takes for now.
 *
 * Bounded without any memory of earlier sweeps: only a directory in which no name came or went for a
 * minute before this write is looked at, so that of a row of writes the first alone pays; and no more
 * than SWEEP_ENTRIES of its entries are.
 */
void sweep(const struct sys *sys, int dir, const struct node *before, const struct node *written);

enum {
    SWEEP_AGE = 3600,     /* seconds since the last change of a leftover */
    SWEEP_PAUSE = 60,     /* seconds without a new name in the directory */
    SWEEP_ENTRIES = 32768 /* a listing of so many takes some milliseconds */
};

#endif
