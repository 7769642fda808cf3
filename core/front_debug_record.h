/* SPDX-License-Identifier: MIT */
/* A record as a debugger is told of it, as a line of JSON. */
#ifndef CROFT_FRONT_DEBUG_RECORD_H
#define CROFT_FRONT_DEBUG_RECORD_H

#include "bytes.h"
#include "croft_debug.h"

/* Adds what host_record_add does, and what front_debug.h says. */
void front_debug_record(struct bytes *lines, const croft_debug_record *record);

#endif
