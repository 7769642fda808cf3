/* SPDX-License-Identifier: MIT */
/* The entries of one open directory, as the kernel gives them. */
#ifndef CROFT_DIR_H
#define CROFT_DIR_H

#include "root.h"

struct dir_entry {
    const char *name; /* ended by NUL; valid until the next call */
    size_t size;
    unsigned char type; /* DT_*; DT_UNKNOWN on some file systems: ask sys->node_at */
};

struct dir {
    const struct sys *sys;
    int fd; /* borrowed; opened for reading (O_PATH does not do) */
    size_t from, filled;
    int sys_errno;      /* of the getdents that failed */
    bool with_reserved; /* dir_next gives names of croft's own too; dir_init clears it */
    _Alignas(8) char buffer[32 * 1024];
};

void dir_init(struct dir *dir, const struct sys *sys, int fd);

/* The next entry without "." and "..", and (but with_reserved) without names that are croft's own
 * (RESERVED_PREFIX).
 * False at the end or on an error (sys_errno is then not 0). */
bool dir_next(struct dir *dir, struct dir_entry *entry);

#endif
