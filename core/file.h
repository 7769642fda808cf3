/* SPDX-License-Identifier: MIT */
/* Whole files in memory. */
#ifndef CROFT_FILE_H
#define CROFT_FILE_H

#include "bytes.h"
#include "resolve.h"

/* Resolves and opens a regular file for reading. The caller closes *fd with root->sys->close. */
croft_status file_open(const struct root *root, const struct path *path, int *fd, struct node *node,
                       croft_error *err);

/* Reads all of it, at most `limit` bytes. CROFT_TOO_LARGE beyond. */
croft_status file_read(const struct sys *sys, int fd, uint64_t limit, struct bytes *out,
                       croft_error *err);

/* What a file was when it was read, to know later whether it still is that. The digest is there for
 * clocks too coarse to tell two writes apart, on which even the number of the inode may come again. */
struct stamp {
    struct node node;
    uint64_t digest;
    bool has_no_digest; /* the node alone has to do: the file is too large to be read */
};

/* Of the bytes; tells apart what differs by accident, not what somebody made to collide. */
uint64_t file_digest(const void *data, size_t size);

/* pread until `size` bytes are there or the file ends; -1 with errno. */
ssize_t read_fully(const struct sys *sys, int fd, void *buffer, size_t size, off_t offset);

#endif
