/* SPDX-License-Identifier: MIT */
/*
 * The bugs that others had, as a struct sys that gives the kernel what they gave it. spec/negative builds the
 * tests with -DCROFT_BUG=bug_NAME and requires that one of them fails: a test that cannot fail proves nothing.
 */
#ifndef CROFT_BUGS_H
#define CROFT_BUGS_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys.h"

static bool bug_root_is_open; /* fixture_root has returned */

static inline bool bug_is_step(int flags)
{
    return (flags & (O_PATH | O_NOFOLLOW)) == (O_PATH | O_NOFOLLOW);
}

/* A slash survives to the kernel, which then follows a final link whatever the flags say. */
static inline int bug_openat_slash(int dir, const char *name, int flags, mode_t mode)
{
    char text[NAME_MAX + 2];
    int fd = -1;

    snprintf(text, sizeof text, "%s/", name);
    if (bug_is_step(flags))
        fd = sys_kernel.openat(dir, text, flags, mode);
    return fd >= 0 ? fd : sys_kernel.openat(dir, name, flags, mode);
}

/* O_DIRECTORY | O_NOFOLLOW taken for a test of links, on a kernel that follows there. */
static inline int bug_openat_directory(int dir, const char *name, int flags, mode_t mode)
{
    int fd = -1;

    if (bug_is_step(flags))
        fd = sys_kernel.openat(dir, name, (flags & ~O_NOFOLLOW) | O_DIRECTORY, mode);
    return fd >= 0 ? fd : sys_kernel.openat(dir, name, flags, mode);
}

/* O_NOFOLLOW, which is for the last component alone, taken for containment. */
static inline int bug_openat2_leaf(int dir, const char *path, int flags, uint64_t how)
{
    (void)how;
    return sys_kernel.openat(dir, path, flags | O_NOFOLLOW, 0);
}

/* openat2 refuses, and one opens without it. */
static inline int bug_openat2_fallback(int dir, const char *path, int flags, uint64_t how)
{
    int fd = sys_kernel.openat2(dir, path, flags, how);

    return fd >= 0 ? fd : sys_kernel.openat(dir, path, flags, 0);
}

/* The real path begins with that of the root: so does that of the directory beside it. */
static inline int bug_openat2_prefix(int dir, const char *path, int flags, uint64_t how)
{
    char link[64], root[PATH_MAX], text[2 * PATH_MAX], real[PATH_MAX];
    ssize_t size;

    (void)how;
    snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
    size = readlink(link, root, sizeof root - 1);
    if (size < 0)
        return -1;
    root[size] = '\0';
    snprintf(text, sizeof text, "%s/%s", root, path);
    if (realpath(text, real) == NULL)
        return -1;
    if (strncmp(real, root, (size_t)size) == 0)
        return open(real, flags | O_CLOEXEC);
    errno = EXDEV;
    return -1;
}

/* The new content is put into the old file. */
static inline int bug_rename_in_place(int dir, const char *from, const char *to, unsigned flags)
{
    char buffer[4096];
    int in, out = openat(dir, to, O_WRONLY | O_TRUNC | O_CLOEXEC);
    ssize_t size;

    if (out < 0)
        return sys_kernel.rename(dir, from, to, flags);
    in = openat(dir, from, O_RDONLY | O_CLOEXEC);
    while ((size = read(in, buffer, sizeof buffer)) > 0)
        (void)!write(out, buffer, (size_t)size);
    close(in);
    close(out);
    return unlinkat(dir, from, 0);
}

/* Read-only trees are known by their names alone: what was held at the start is never met again. */
static inline int bug_node_unknown(int fd, struct node *node)
{
    int result = sys_kernel.node(fd, node);

    if (!bug_root_is_open)
        node->ino ^= UINT64_C(1) << 62;
    return result;
}

/* A race leaves no trace in what is written: the old content is seen as new, and removed with it. */
static inline int bug_rename_always(int dir, const char *from, const char *to, unsigned flags)
{
    (void)flags;
    return sys_kernel.rename(dir, from, to, 0);
}

/* The kernel's calls, with the one that is wrong. */
static inline void bug_trailing_slash(struct sys *sys)
{
    sys->openat = bug_openat_slash;
}

static inline void bug_directory_flag(struct sys *sys)
{
    sys->openat = bug_openat_directory;
}

static inline void bug_leaf_only(struct sys *sys)
{
    sys->openat2 = bug_openat2_leaf;
}

static inline void bug_open_fallback(struct sys *sys)
{
    sys->openat2 = bug_openat2_fallback;
}

static inline void bug_prefix_compare(struct sys *sys)
{
    sys->openat2 = bug_openat2_prefix;
}

static inline void bug_in_place(struct sys *sys)
{
    sys->rename = bug_rename_in_place;
}

static inline void bug_names_only(struct sys *sys)
{
    sys->node = bug_node_unknown;
}

static inline void bug_plain_rename(struct sys *sys)
{
    sys->rename = bug_rename_always;
}

#endif
