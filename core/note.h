/* SPDX-License-Identifier: MIT */
/* Lines for the person who started the program, on stderr. */
#ifndef CROFT_NOTE_H
#define CROFT_NOTE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes `text` and a newline to stderr if that needs no waiting, and drops it otherwise: a client
 * that never reads stderr must not stall the server. At most 4096 bytes of a text are written. */
void note(const char *text, size_t size);

/* From now on the lines are appended to the file at `path`, which stays open; stderr is that file for
 * everybody. False with errno. */
bool note_to_file(const char *path);

#endif
