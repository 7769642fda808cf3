/* SPDX-License-Identifier: MIT */
/* What the files of the doors, croft.h and croft_debug.h, share. */
#ifndef CROFT_DOOR_H
#define CROFT_DOOR_H

#include "session.h"

/* Names that cannot be changed where the caller names none. */
enum { DOOR_READ_ONLY = 4 };
extern const char *const door_read_only[DOOR_READ_ONLY];

/* What a result points to. */
struct owned {
    struct reply reply;
    struct asked *asked; /* NULL: no question */
};

/* Takes into `ours` what the caller's structure of options has, which may be NULL; an older caller's is shorter. */
void door_take_options(void *ours, size_t our_size, const void *theirs);

/* Makes a result of what is then its own. */
void door_fill_result(croft_result *result, croft_status status, struct owned *owned);

#endif
