/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dir.h"

static const int64_t second = 1000000000;

/* The prefix and 32 digits, as replace.c makes them: another name with the prefix is not ours to judge. */
static bool is_temporary(const char *name, size_t size)
{
    size_t prefix = sizeof RESERVED_PREFIX - 1;

    return name_is_reserved(name, size) && size == prefix + 32 &&
           strspn(name + prefix, "0123456789abcdef") == 32;
}

/* Root replaces files of others: what it was to put there, and what it took out, are theirs. */
static bool may_be_ours(const struct node *node)
{
    uid_t user = geteuid();

    return node->uid == user || user == 0;
}

/* Both times: an old file that was swapped out a moment ago was modified long before. */
static bool is_leftover(const struct node *node, int64_t now)
{
    int64_t limit = now - SWEEP_AGE * second;

    return S_ISREG(node->mode) && may_be_ours(node) && node->mtime_ns < limit &&
           node->ctime_ns < limit;
}

static void sweep_open(const struct sys *sys, int fd, int64_t now)
{
    struct dir *dir = malloc(sizeof *dir); /* 32 KiB */
    struct dir_entry entry;
    struct node node;

    if (dir == NULL)
        return;
    dir_init(dir, sys, fd);
    dir->with_reserved = true;
    for (int left = SWEEP_ENTRIES; left > 0 && dir_next(dir, &entry); left--) {
        if (is_temporary(entry.name, entry.size) && sys->node_at(fd, entry.name, &node) == 0 &&
            is_leftover(&node, now))
            sys->unlink(fd, entry.name, 0);
    }
    free(dir);
}

void sweep(const struct sys *sys, int dir, const struct node *before, const struct node *written)
{
    int64_t now = written->ctime_ns;
    int fd;

    if (now - before->mtime_ns < SWEEP_PAUSE * second)
        return;
    fd = sys->openat(dir, ".", O_RDONLY | O_DIRECTORY, 0);
    if (fd < 0)
        return;
    sweep_open(sys, fd, now);
    sys->close(fd);
}
