/* SPDX-License-Identifier: MIT */
/* What the two doors, croft.h and croft_debug.h, share. */
#ifndef CROFT_DOOR_H
#define CROFT_DOOR_H

#include "session.h"

/* What a result points to. */
struct owned {
    struct reply reply;
    struct asked *asked; /* NULL: no question */
};

/* Makes a result of what is then its own. */
void door_fill_result(croft_result *result, croft_status status, struct owned *owned);

#endif
