/* SPDX-License-Identifier: MIT */
/* Files of the operator's to which lines are appended while tools run: the audit log, recordings. */
#ifndef CROFT_HOST_APPEND_H
#define CROFT_HOST_APPEND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/*
 * Opens `path` for appending, and makes it (for its owner alone) where it is missing. Refused are a link, what
 * is neither a regular file nor a character device, and what lies below the directory `root`, where tools
 * could change it. The descriptor is *fd, the caller's; -1 on failure. NULL, or why not, as in "it is a link".
 */
const char *host_append_open(const char *path, const struct stat *root, int *fd);

/* Writes `size` bytes at once. False when not all of them were written, but *written of them; errno says why
 * where that is 0. */
bool host_append(int fd, const char *line, size_t size, size_t *written);

/* The reason in words: "its disk is full". */
const char *host_append_reason(int number);

#endif
