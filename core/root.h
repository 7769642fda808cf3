/* SPDX-License-Identifier: MIT */
/*
 * A root: a directory that is held open, and what may be done below it. Immutable after root_open.
 */
#ifndef CROFT_ROOT_H
#define CROFT_ROOT_H

#include "error.h"
#include "hidden.h"
#include "path.h"
#include "permit.h"
#include "sys.h"

enum { READ_ONLY_NAMES = 64 };

/* A top-level name that nothing may be written below (three keys: spelled, resolved, identity). */
struct read_only_name {
    char *name;
    int fd; /* O_PATH of the directory it led to at the start, held so that its inode stays its own; -1: none */
    struct node node;
    bool by_link; /* it was reached through a link */
};

struct root {
    const struct sys *sys;
    int fd;
    struct node node;
    bool use_openat2;     /* probed at the start, for this root */
    bool one_file_system; /* nothing on another mount is entered or opened */
    bool read_only;       /* nothing at all may be changed */
    bool no_fsync;
    const char *name; /* in the tree of the view: "" for that which has no name; borrowed */
    const struct hidden *hidden;  /* names below it that cannot be seen; NULL: none; borrowed */
    struct read_only_name *names; /* room for READ_ONLY_NAMES, or NULL */
    size_t name_count;
    /* What the call that uses this copy of the root may touch; NULL: whatever lies below. A view's own
     * root has none. */
    const struct permit *permit;
};

/* Opens the directory, without its read-only names (pins_hold does those). `options` is never NULL
 * here. On success *out is closed with root_close. */
croft_status root_open(const char *path, const croft_view_options *options, const struct sys *sys,
                       struct root **out, croft_error *err);
void root_close(struct root *root); /* NULL is fine */

/* The protected name that `name` (one component, as spelled or resolved) stands for, or NULL. */
const char *root_protects(const struct root *root, const char *name, size_t size);

/* The protected name whose directory `node` is, or NULL. */
const char *root_pins(const struct root *root, const struct node *node);

/* Whether the directory was removed: nothing below it can be reached any more. */
bool root_is_gone(const struct root *root);

/* False when `node` lies on another mount and the root keeps to its own. */
bool root_allows_mount(const struct root *root, const struct node *node);

#endif
