/* SPDX-License-Identifier: MIT */
/* An empty file and an empty directory of the host's, which masks put in the place of others. */
#ifndef CROFT_BLANK_H
#define CROFT_BLANK_H

#include "ceilings.h"
#include "error.h"
#include "sys.h"

struct blank {
    char base[PATH_BYTES / 2];  /* the directory that holds them, without links */
    char file[PATH_BYTES];      /* mode 0444 */
    char directory[PATH_BYTES]; /* mode 0555 */
};

/*
 * Finds them, or makes them: below /run for root, below $XDG_RUNTIME_DIR where there is one, below /tmp
 * otherwise. They stay, and serve every view. CROFT_OWNER when what is there is somebody else's, or could
 * be changed by others.
 */
croft_status blank_find(const struct sys *sys, struct blank *blank, croft_error *err);

#endif
