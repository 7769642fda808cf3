/* SPDX-License-Identifier: MIT */
/* Where a path leads, as both resolvers fill it in. */
#ifndef CROFT_PLACE_H
#define CROFT_PLACE_H

#include "bytes.h"
#include "path.h"
#include "root.h"

/* A directory that the walk holds. */
struct held {
    int fd; /* the root's own at index 0 is borrowed, all others are owned */
    struct node node;
    const struct hidden *hidden; /* of its names those that cannot be seen, or NULL */
    const char *pinned;          /* the read-only name whose tree this is in, or NULL */
    uint16_t name_from;          /* where its name begins in place.text */
};

/* Where a path leads. Owned by the caller: place_close. */
struct place {
    const struct root *root;
    int fd; /* O_PATH of what the path leads to; -1 when it (or its parent) does not exist */
    struct node node; /* of fd */
    bool has_stack;   /* the fields below are there: it came by the walk */
    struct held *held;
    size_t held_count;
    char text[PATH_BYTES + NAME_BYTES +
              2]; /* root-relative, links resolved; "" is the root. With has_stack only */
    size_t text_size;
    char leaf[NAME_BYTES + 1]; /* last name, "" when the path is the root */
    /* directories between the innermost held one and the leaf that do not exist, in order */
    struct bytes missing; /* each name ended by NUL */
    size_t missing_count;
    /* the components of the path that the leaf and these stem from */
    uint16_t leaf_at, missing_at[WALK_HELD];
    bool must_be_directory;
    bool by_link; /* at least one link was followed */
    bool
        is_masked; /* what is missing is masked, or covered; also of a place that could not be had */
    const struct hidden *hidden; /* as in struct held, of the leaf, which need not exist */
};

enum resolve_how {
    RESOLVE_EXISTING, /* something must be there; the quick way may be used */
    RESOLVE_STACK,    /* something must be there; by the walk, with parent, names and protection */
    RESOLVE_TARGET,   /* by the walk; leaf and directories may be missing (for writes) */
    RESOLVE_NAME,     /* as RESOLVE_STACK, but the last component is the name itself: no link of
                       * that name is followed */
    RESOLVE_NEW_NAME  /* the same, and it may be missing as for RESOLVE_TARGET */
};

void place_init(struct place *place);
void place_close(struct place *place);

/* One step without following: opens `name` (one component) below `dir` as O_PATH. The node may be a link. */
croft_status step(const struct root *root, int dir, const char *name, int *out, struct node *node,
                  croft_error *err);

/* Whether `place`, which came by the walk, is protected: the read-only name, or NULL. */
const char *place_read_only(const struct place *place);

/* The directory in which the leaf lies; the root when the path is the root itself. */
const struct held *place_parent(const struct place *place);

/* Holds the directory `name` below the innermost held one; owns `fd` from now on, also on failure. */
croft_status place_push(struct place *place, const char *name, int fd, const struct node *node,
                        croft_error *err);

/* Enters the directory `name`, which has just been made, below the innermost held one. */
croft_status place_enter(struct place *place, const char *name, croft_error *err);

/* Writes the path in the view of a place that came by the walk, with the names that do not exist yet;
 * returns its size, as snprintf does. */
size_t place_path(const struct place *place, char *out, size_t size);
/* Writes the first `size` bytes of place.text as a path of the view: with the name of the tree before it.
 * "" where there is no room in `out`, which has PATH_BYTES + 1 bytes. */
void place_show(const struct place *place, size_t size, char *out);

/* Whether what does not exist there is a directory all the same: a mount lies below it. */
bool place_leads_to_mount(const struct place *place);

/* "directory", "fifo", "socket", "device", "link" or "file". */
const char *type_word(uint32_t mode);

#endif
