/* SPDX-License-Identifier: MIT */
/*
 * What of a tree cannot be seen: names below a root that are masked, or covered by another tree of the
 * view, as a tree of names. It is immutable once the view is open, and small: what is not on the way to
 * such a name is not in it. A root without any has NULL, and pays nothing.
 */
#ifndef CROFT_HIDDEN_H
#define CROFT_HIDDEN_H

#include "path.h"
#include "sys.h"

struct mount;

struct hidden {
    char *name, *folded;
    struct hidden **children; /* sorted by their folded names */
    size_t count, capacity;
    bool is_masked;      /* nobody sees it, nor what is below it */
    bool leads_to_mount; /* one of those below it is a mount */
    struct mount
        *mount; /* another tree lies here, and covers what the one around it has; or NULL */
};

/* The node at the `size` bytes of `path`, a cleaned path below `top`, made with all above it; NULL when
 * memory is out. */
struct hidden *hidden_add(struct hidden *top, const char *path);
struct hidden *hidden_new(void);
void hidden_free(struct hidden *hidden); /* with all below it; NULL is fine */

/* The child of exactly that name, or NULL. */
const struct hidden *hidden_exact(const struct hidden *at, const char *name, size_t size);

/*
 * The child that the name stands for in the directory `dir`, or NULL: that of this name, and where the
 * file system takes another one for it, that one. With -1, where there is no directory yet, all that a
 * file system may take for it.
 */
const struct hidden *hidden_child(const struct hidden *at, const struct sys *sys, int dir,
                                  const char *name);

/* Whether the tree has no such name: it is as if it did not exist. */
static inline bool hidden_covers(const struct hidden *hidden)
{
    return hidden != NULL && (hidden->is_masked || hidden->mount != NULL);
}

/* Whether the path leaves the tree of names before its end, by a name that cannot be taken for one of
 * them: nothing on its way or below it is hidden then, as long as no link is followed. */
bool hidden_is_clear(const struct hidden *at, const struct path *path);

#endif
