/* SPDX-License-Identifier: MIT */
/* The file of a recording, open for appending. All return NULL, or why not. */
#ifndef CROFT_FRONT_RECORDER_FILE_H
#define CROFT_FRONT_RECORDER_FILE_H

#include <stddef.h>

/* Keeps other recorders from it. */
const char *recorder_file_lock(int fd);

/* Writes all of it or nothing: what stands there of a line that has no room is cut off again. Nobody else
 * appends, as the file is locked. */
const char *recorder_file_append(int fd, const char *line, size_t size);

/* Appends a head: after a blank line, where something stands in the file already, so that it begins a line
 * whatever happened to the last one. */
const char *recorder_file_begin(int fd, const char *line, size_t size);

#endif
