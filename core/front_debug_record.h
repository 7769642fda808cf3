/* SPDX-License-Identifier: MIT */
/* A record as a debugger is told of it, as a line of JSON. */
#ifndef CROFT_FRONT_DEBUG_RECORD_H
#define CROFT_FRONT_DEBUG_RECORD_H

#include "bytes.h"
#include "croft_debug.h"

/* Whether the record is of something that a tool did, and not of the call around it. */
bool front_debug_is_primitive(const croft_debug_record *record);

/* Adds what host_record_add does, and what front_debug.h says; `number` of a primitive, or 0. The text of a link
 * that may tell of the host is shown with `shows_host` alone, and else what kind of a text it is. */
void front_debug_record(struct bytes *lines, const croft_debug_record *record, uint64_t number,
                        bool shows_host);

#endif
