/* SPDX-License-Identifier: MIT */
#include "policy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

enum { DEPTH = 4096 };

/* Opens the directory in which `path` lies; *name is what it is called there. */
static int open_directory_of(const struct sys *sys, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char directory[PATH_MAX];

    *name = path + size;
    if (size >= sizeof directory) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(directory, path, size);
    directory[size] = '\0';
    return sys->open_root(size == 0 ? "." : directory);
}

/* Whether the directory `dir` is the root or lies below it; also where that cannot be told. */
static bool lies_below(const struct sys *sys, int dir, const struct root *root)
{
    struct node now = {0}, last = {0};
    int fd = sys->dup(dir);
    bool is_below = fd < 0;

    for (int depth = 0; !is_below && depth <= DEPTH; depth++) {
        int parent;

        if (sys->node(fd, &now) != 0 || depth == DEPTH) {
            is_below = true;
            break;
        }
        is_below = node_same(&now, &root->node);
        if (depth > 0 && node_same(&now, &last))
            break; /* "/" */
        last = now;
        parent = sys->openat(fd, "..", O_PATH | O_DIRECTORY, 0);
        sys->close(fd);
        fd = parent;
        if (fd < 0)
            return true;
    }
    if (fd >= 0)
        sys->close(fd);
    return is_below;
}

static const char *objection(const struct node *node)
{
    if (!S_ISREG(node->mode))
        return "it is not a regular file";
    if (node->uid != 0 && node->uid != (uint32_t)geteuid())
        return "it belongs to somebody else";
    if ((node->mode & (S_IWGRP | S_IWOTH)) != 0)
        return "its group or others can write it: chmod go-w";
    return node->size > POLICY_BYTES ? "it is larger than 1 MiB" : NULL;
}

static const char *reason_of(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR: return "it does not exist";
    case ELOOP: return "it is a link";
    case EACCES:
    case EPERM: return "there is no permission";
    default: return "it cannot be opened";
    }
}

static croft_status read_open(const struct sys *sys, int fd, struct bytes *out, croft_error *err)
{
    struct node node;
    const char *against;

    if (sys->node(fd, &node) != 0)
        return fail(err, CROFT_DENIED, errno, "it cannot be looked at");
    against = objection(&node);
    if (against != NULL)
        return fail(err, CROFT_DENIED, 0, against);
    return file_read(sys, fd, POLICY_BYTES, out, err);
}

bool policy_file_is_below(const struct sys *sys, const char *path, const struct root *root)
{
    const char *name;
    int dir = open_directory_of(sys, path, &name);
    bool is_below = dir < 0 || lies_below(sys, dir, root);

    if (dir >= 0)
        sys->close(dir);
    return is_below;
}

croft_status policy_file_read(const struct sys *sys, const char *path, struct bytes *out,
                              croft_error *err)
{
    const char *name;
    int dir = open_directory_of(sys, path, &name), fd;
    croft_status status;

    if (dir < 0)
        return fail(err, CROFT_DENIED, errno, reason_of(errno));
    fd = sys->openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, 0);
    status =
        fd < 0 ? fail(err, CROFT_DENIED, errno, reason_of(errno)) : read_open(sys, fd, out, err);
    if (fd >= 0)
        sys->close(fd);
    sys->close(dir);
    return status;
}
