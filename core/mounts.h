/* SPDX-License-Identifier: MIT */
/*
 * The trees of a view besides its root. A view may have more of them than a process may hold descriptors,
 * so each is opened when it is needed, checked to be the directory that it was when the view was opened,
 * and given up when others need the room.
 */
#ifndef CROFT_MOUNTS_H
#define CROFT_MOUNTS_H

#include <pthread.h>

#include "hidden.h"
#include "root.h"

enum { HELD_MOUNTS = 64 }; /* so many stay open though nobody uses them */

struct mount {
    struct mounts *table;
    char *path;            /* of the host, without links */
    const char *name;      /* in the tools' tree; NULL: it is not there */
    struct root *root;     /* fd is -1 while it is closed */
    struct hidden *hidden; /* its own top in the tree of names */
    bool owns_hidden;      /* it is no part of the view's */
    unsigned users;
    bool is_recent;
};

/* Guarded by `lock` but for what is said above to be the mounts' own. */
struct mounts {
    pthread_mutex_t lock;
    struct mount **items;
    size_t count, capacity;
    size_t open, hand; /* how many are; where to look for one to close */
};

struct mounts *mounts_new(void);         /* NULL: out of memory */
void mounts_free(struct mounts *mounts); /* nobody may hold one; NULL is fine */

/* Adds the directory `path`, opened once here as root_open does. */
croft_status mounts_add(struct mounts *mounts, const char *path, const char *name,
                        const croft_view_options *options, const struct sys *sys,
                        struct mount **out, croft_error *err);

/* Its root, open until mount_release. CROFT_MISSING when the directory is not there any more, or another
 * one is. Any thread. */
croft_status mount_hold(struct mount *mount, const struct root **out, croft_error *err);
struct mount *mount_share(struct mount *mount); /* one that is held; NULL is fine */
void mount_release(struct mount *mount);        /* NULL is fine */

#endif
