/* SPDX-License-Identifier: MIT */
/* A command under way. Private to core/bwrap*.c. */
#ifndef CROFT_BWRAP_PARTS_H
#define CROFT_BWRAP_PARTS_H

#include "blank.h"
#include "bwrap.h"
#include "problems.h"

/* A tree, or a file, that the subprocess sees. */
struct shown {
    const char *where;  /* its key, for messages */
    const char *inside; /* borrowed */
    const char *name;   /* in the tools' tree, borrowed; NULL: it has none */
    const char *path;   /* of the host, without links */
    char *owned;        /* path, where it is ours */
    char *link;         /* of a system bind that is a link: its text */
    bool writable, is_system;
};

struct wrapping {
    const struct view_plan *plan;
    const struct sys *sys;
    const croft_wrap_options *options;
    struct bwrap_command *command;
    struct bwrap_names read_only;
    struct blank blank;
    struct shown *shown; /* in the order in which they are mounted */
    size_t shown_count;
    struct texts made; /* directories that have been made for mounts to lie in */
    struct problems problems;
    bool out_of_memory;
};

/* ---- bwrap.c ---- */

void bwrap_add(struct wrapping *w, const char *argument);
void bwrap_add2(struct wrapping *w, const char *option, const char *a);
void bwrap_add3(struct wrapping *w, const char *option, const char *a, const char *b);

/* The node of a path of the host's itself, not followed. */
bool bwrap_look(const struct wrapping *w, const char *path, struct node *node);

/* Whether a mount may be aimed at what lies at the host's `path`: nobody who runs inside can have put a link
 * on the way. */
bool bwrap_is_safe_below(const struct wrapping *w, const char *path);

/* `above` and what of `path` is below `under`; NULL when memory is out. */
char *bwrap_moved(const char *path, const char *under, const char *above);

/* ---- bwrap_trees.c: what is seen ---- */

/* Finds w->shown; false when memory is out. */
bool bwrap_find_trees(struct wrapping *w);
void bwrap_free_trees(struct wrapping *w);

/* Writes those that are the system's, or those that are the view's. */
void bwrap_add_trees(struct wrapping *w, bool system);

/* Keeps the root's read-only names from being changed, or says that this cannot be. */
void bwrap_add_read_only(struct wrapping *w);

/* ---- bwrap_masks.c: what is not ---- */

void bwrap_add_masks(struct wrapping *w);

#endif
