/* SPDX-License-Identifier: MIT */
#include "dir.h"

#include <errno.h>
#include <string.h>

/* What getdents64 fills in; glibc's struct dirent64 has the same shape, but ends in a fixed array. */
struct raw_entry {
    uint64_t ino;
    int64_t offset;
    uint16_t size;
    unsigned char type;
    char name[];
};

void dir_init(struct dir *dir, const struct sys *sys, int fd)
{
    dir->sys = sys;
    dir->fd = fd;
    dir->from = dir->filled = 0;
    dir->sys_errno = 0;
    dir->with_reserved = false;
}

static bool fill(struct dir *dir)
{
    ssize_t count = dir->sys->getdents(dir->fd, dir->buffer, sizeof dir->buffer);

    if (count < 0)
        dir->sys_errno = errno;
    dir->from = 0;
    dir->filled = count > 0 ? (size_t)count : 0;
    return count > 0;
}

static bool is_hidden(const struct dir *dir, const char *name, size_t size)
{
    bool dots = name[0] == '.' && (size == 1 || (size == 2 && name[1] == '.'));

    return dots || (!dir->with_reserved && name_is_reserved(name, size));
}

bool dir_next(struct dir *dir, struct dir_entry *entry)
{
    while (dir->from < dir->filled || fill(dir)) {
        const struct raw_entry *raw = (const void *)(dir->buffer + dir->from);
        size_t size = strlen(raw->name);

        dir->from += raw->size;
        if (is_hidden(dir, raw->name, size))
            continue;
        entry->name = raw->name;
        entry->size = size;
        entry->type = raw->type;
        return true;
    }
    return false;
}
