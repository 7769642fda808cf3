/* SPDX-License-Identifier: MIT */
/* Whole files in memory. */
#ifndef CROFT_FILE_H
#define CROFT_FILE_H

#include "bytes.h"
#include "resolve.h"

/* Resolves and opens a regular file for reading. The caller closes *fd with root->sys->close. */
croft_status file_open(const struct root *root, const struct path *path, int *fd,
                       struct node *node, croft_error *err);

/* Reads all of it, at most `limit` bytes. CROFT_TOO_LARGE beyond. */
croft_status file_read(const struct sys *sys, int fd, uint64_t limit, struct bytes *out,
                       croft_error *err);

/* pread until `size` bytes are there or the file ends; -1 with errno. */
ssize_t read_fully(const struct sys *sys, int fd, void *buffer, size_t size, off_t offset);

#endif
