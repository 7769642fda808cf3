/* SPDX-License-Identifier: MIT */
/* A croft_record as a line of JSON. */
#ifndef CROFT_HOST_RECORD_H
#define CROFT_HOST_RECORD_H

#include "bytes.h"
#include "croft.h"

/* Appends {"time","call","tool","op","path","resolved","verdict","rule","bytes","us"} and a newline;
 * what is unknown or absent is null. Bytes that are no UTF-8 become \xNN in "resolved" and U+FFFD
 * elsewhere; of a tool's name 200 bytes are kept. */
void host_record_add(struct bytes *line, const croft_record *record);

#endif
