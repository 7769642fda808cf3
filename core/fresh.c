/* SPDX-License-Identifier: MIT */
#include "fresh.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dir.h"
#include "file.h"

enum { DEPTH = 128, LEVELS_UP = 4096 };

/* ---- where it goes ----------------------------------------------------------------------------- */

/* Splits `to` into the path of its parent, in *parent, and the last name. */
static croft_status split(const char *to, char **parent, struct fresh *fresh, croft_error *err)
{
    size_t size = strlen(to), from;

    while (size > 1 && to[size - 1] == '/')
        size--;
    for (from = size; from > 0 && to[from - 1] != '/';)
        from--;
    if (from == size || size - from > NAME_BYTES || strncmp(to + from, ".", size - from) == 0 ||
        strncmp(to + from, "..", size - from) == 0)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "it does not end in the name of a directory");
    memcpy(fresh->leaf, to + from, size - from);
    fresh->leaf[size - from] = '\0';
    *parent = from == 0 ? strdup(".") : strndup(to, from);
    return *parent == NULL ? fail(err, CROFT_INTERNAL, ENOMEM, "out of memory") : CROFT_OK;
}

static croft_status open_parent(const char *to, struct fresh *fresh, croft_error *err)
{
    char *path = NULL;
    croft_status status = split(to, &path, fresh, err);
    int fd;

    if (status != CROFT_OK)
        return status;
    fd = fresh->sys->open_root(path);
    if (fd >= 0) {
        fresh->parent = fresh->sys->openat(fd, ".", O_RDONLY | O_DIRECTORY, 0);
        fresh->sys->close(fd);
    }
    if (fresh->parent < 0)
        status = fail_errno(err, errno,
                            errno == ENOENT ? "the directory that it lies in does not exist"
                                            : "the directory that it lies in cannot be opened");
    free(path);
    return status;
}

static bool is_empty(const struct sys *sys, int fd)
{
    struct dir *dir = malloc(sizeof *dir);
    struct dir_entry entry;
    bool empty = false;

    if (dir != NULL) {
        dir_init(dir, sys, fd);
        dir->with_reserved = true;
        empty = !dir_next(dir, &entry) && dir->sys_errno == 0;
    }
    free(dir);
    return empty;
}

/* Nothing, or an empty directory: a rename takes that one's place. */
static croft_status check_place(struct fresh *fresh, croft_error *err)
{
    const struct sys *sys = fresh->sys;
    bool empty;
    int fd;

    if (sys->node_at(fresh->parent, fresh->leaf, &fresh->place) != 0) {
        memset(&fresh->place, 0, sizeof fresh->place);
        return errno == ENOENT ? CROFT_OK : fail_errno(err, errno, "it cannot be looked at");
    }
    if (!S_ISDIR(fresh->place.mode))
        return fail(err, CROFT_ALREADY_EXISTS, 0, "something that is no directory is there");
    fd = sys->openat(fresh->parent, fresh->leaf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0)
        return fail_errno(err, errno, "the directory there cannot be opened");
    empty = is_empty(sys, fd);
    sys->close(fd);
    return empty ? CROFT_OK
                 : fail(err, CROFT_ALREADY_EXISTS, 0, "it exists already, and is not empty");
}

/* Opens the parent of `fd`, whose node is *node; -1 at the top of the system. */
static int open_above(const struct sys *sys, int fd, struct node *node, bool *failed)
{
    struct node above;
    int up = sys->openat(fd, "..", O_PATH | O_DIRECTORY, 0);

    if (up < 0 || sys->node(up, &above) != 0) {
        *failed = true;
    } else if (!node_same(&above, node) || above.mount != node->mount) {
        *node = above;
        return up;
    }
    if (up >= 0)
        sys->close(up);
    return -1;
}

/* Looks at all directories from the parent up: none may be the source. */
static croft_status check_apart(const struct fresh *fresh, const struct node *source,
                                croft_error *err)
{
    const struct sys *sys = fresh->sys;
    struct node at;
    bool failed = sys->node(fresh->parent, &at) != 0, inside = false;
    int fd = fresh->parent, left = LEVELS_UP;

    while (!failed && !inside && fd >= 0 && left-- > 0) {
        int up;

        inside = node_same(&at, source);
        up = inside ? -1 : open_above(sys, fd, &at, &failed);
        if (fd != fresh->parent)
            sys->close(fd);
        fd = up;
    }
    if (fd >= 0 && fd != fresh->parent)
        sys->close(fd);
    if (inside)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "it lies inside of what is copied");
    return failed || left <= 0 ? fail(err, CROFT_IO, 0, "what it lies in cannot be told")
                               : CROFT_OK;
}

/* ---- where it is built ------------------------------------------------------------------------- */

/* The same for each run, and never too long. */
static void name_it(struct fresh *fresh)
{
    (void)snprintf(fresh->working, sizeof fresh->working, RESERVED_PREFIX "copy-%016" PRIx64,
                   file_digest(fresh->leaf, strlen(fresh->leaf)));
}

/* Nobody else may be at it: not another run, nor another user, who could put into it what he likes. */
static croft_status take(struct fresh *fresh, croft_error *err)
{
    const struct sys *sys = fresh->sys;
    struct node node, again;

    if (sys->node(fresh->fd, &node) != 0)
        return fail_io(err, errno, "the directory it is built in cannot be examined");
    if (node.uid != geteuid())
        return fail_format(err, CROFT_OWNER, 0, "\"%s\" beside it belongs to another user",
                           fresh->working);
    if (sys->lock(fresh->fd) != 0 && errno == EWOULDBLOCK)
        return fail(err, CROFT_BUSY, EWOULDBLOCK, "another run is at it");
    if (sys->node_at(fresh->parent, fresh->working, &again) != 0 || !node_same(&node, &again))
        return fail(err, CROFT_CHANGED, 0, "another run has just ended");
    return CROFT_OK;
}

static croft_status open_working(struct fresh *fresh, croft_error *err)
{
    const struct sys *sys = fresh->sys;

    name_it(fresh);
    fresh->resumed = sys->mkdir(fresh->parent, fresh->working, 0777) != 0;
    if (fresh->resumed && errno != EEXIST)
        return fail_errno(err, errno, "no directory can be made beside it");
    fresh->fd = sys->openat(fresh->parent, fresh->working, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fresh->fd < 0)
        return fail_format(err, CROFT_CHANGED, errno, "\"%s\" beside it cannot be used",
                           fresh->working);
    return take(fresh, err);
}

croft_status fresh_begin(const char *to, const struct node *source, const struct sys *sys,
                         struct fresh *fresh, croft_error *err)
{
    croft_status status;

    memset(fresh, 0, sizeof *fresh);
    fresh->sys = sys;
    fresh->parent = fresh->fd = -1;
    status = open_parent(to, fresh, err);
    if (status == CROFT_OK)
        status = check_apart(fresh, source, err);
    if (status == CROFT_OK)
        status = check_place(fresh, err);
    if (status == CROFT_OK)
        status = open_working(fresh, err);
    return status;
}

void fresh_end(struct fresh *fresh)
{
    if (fresh->fd >= 0)
        fresh->sys->close(fresh->fd);
    if (fresh->parent >= 0)
        fresh->sys->close(fresh->parent);
    fresh->fd = fresh->parent = -1;
}

/* ---- removing all of it ------------------------------------------------------------------------ */

static bool remove_below(const struct sys *sys, int fd, int depth);

static bool remove_entry(const struct sys *sys, int fd, const char *name, int depth)
{
    bool removed;
    int below;

    if (sys->unlink(fd, name, 0) == 0)
        return true;
    below = sys->openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    removed = below >= 0 && depth > 0 && remove_below(sys, below, depth - 1);
    if (below >= 0)
        sys->close(below);
    return removed && sys->unlink(fd, name, AT_REMOVEDIR) == 0;
}

/* Looks again until nothing is left: a listing may miss what moves while it is made. */
static bool remove_below(const struct sys *sys, int fd, int depth)
{
    struct dir *dir = malloc(sizeof *dir);
    struct dir_entry entry;
    bool good = dir != NULL, found = true;

    while (good && found) {
        found = false;
        dir_init(dir, sys, fd);
        dir->with_reserved = true;
        if (sys->seek(fd, 0, SEEK_SET) != 0)
            good = false;
        while (good && dir_next(dir, &entry)) {
            found = true;
            good = remove_entry(sys, fd, entry.name, depth);
        }
        good = good && dir->sys_errno == 0;
    }
    free(dir);
    return good;
}

croft_status fresh_empty(struct fresh *fresh, croft_error *err)
{
    if (!remove_below(fresh->sys, fresh->fd, DEPTH))
        return fail_format(err, CROFT_IO, errno,
                           "\"%s\" beside it, from an earlier run, cannot be removed",
                           fresh->working);
    fresh->resumed = false;
    return CROFT_OK;
}

/* ---- in its place ------------------------------------------------------------------------------ */

static croft_status take_place(const struct fresh *fresh, croft_error *err)
{
    const struct sys *sys = fresh->sys;
    struct node node;

    if (fresh->place.mode == 0)
        return CROFT_OK;
    if (sys->node(fresh->fd, &node) != 0)
        return fail_io(err, errno, "it cannot be examined");
    if ((node.uid != fresh->place.uid || node.gid != fresh->place.gid) &&
        sys->fchown(fresh->fd, fresh->place.uid, fresh->place.gid) != 0)
        return fail(err, CROFT_OWNER, errno, "the empty directory there belongs to somebody else");
    if (sys->fchmod(fresh->fd, fresh->place.mode & 07777) != 0)
        return fail_errno(err, errno, "it cannot get the mode that it is to have");
    return CROFT_OK;
}

croft_status fresh_finish(struct fresh *fresh, bool no_fsync, croft_error *err)
{
    const struct sys *sys = fresh->sys;
    croft_status status = take_place(fresh, err);

    if (status != CROFT_OK)
        return status;
    if (!no_fsync && sys->sync_all(fresh->fd) != 0)
        return fail_errno(err, errno, "it cannot be brought to the disk");
    if (sys->rename(fresh->parent, fresh->working, fresh->leaf, 0) != 0) {
        int number = errno;

        return fail(err, number == ENOTEMPTY ? CROFT_ALREADY_EXISTS : status_of_errno(number),
                    number,
                    number == ENOTEMPTY ? "somebody put something there meanwhile"
                                        : "it cannot be put in its place");
    }
    if (!no_fsync && sys->fsync(fresh->parent) != 0)
        return fail_errno(err, errno, "it is there, but whether it stays so cannot be made sure");
    return CROFT_OK;
}
