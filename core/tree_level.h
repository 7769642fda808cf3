/* SPDX-License-Identifier: MIT */
/* One directory of a walk: its entries, sorted as the walk shows them. Private to core/tree*.c. */
#ifndef CROFT_TREE_LEVEL_H
#define CROFT_TREE_LEVEL_H

#include "budget.h"
#include "bytes.h"
#include "dir.h"
#include "mounts.h"

struct tree_item {
    uint64_t key;       /* the first eight bytes, so that most comparisons look no further */
    uint32_t at;        /* in names */
    uint16_t size;      /* without the "/" of a directory */
    unsigned char type; /* DT_*; DT_UNKNOWN: it could not be told */
};

struct tree_level {
    int fd; /* owned but for the first level of a walk; -1: only mounts lie there */
    const struct root *root;     /* in whose tree it is */
    const struct hidden *hidden; /* what of it is hidden, or NULL */
    struct mount *mount;         /* in which it is, held for this level; NULL: that of the start */
    struct bytes names;          /* each ended by "/" when a directory, and by NUL */
    struct tree_item *items;
    size_t count, capacity, next;
    size_t most;       /* entries that are kept, the first ones; 0: all */
    uint64_t left_out; /* entries behind these */
    bool is_heap; /* while it is read: each name has NAME_SLOT bytes, the last in order is first */
    size_t path_size; /* of the walk's path, with the "/" behind this directory */
};

enum level_end { LEVEL_READ, LEVEL_BROKEN, LEVEL_NO_MEMORY, LEVEL_BREACH };

/* Reads and sorts the entries of `level->fd` that are not hidden, and the mounts there, with `dir` as
 * working memory. LEVEL_BROKEN: dir->sys_errno says why, and what was read before stands. One step of the
 * budget an entry. `with_reserved`: names of croft's own too. Of more than `level->most` entries the first are kept, in
 * memory for no more than these, and the others counted. */
enum level_end level_read(struct tree_level *level, struct dir *dir, bool with_reserved,
                          struct budget *budget);

/* Frees the memory; the descriptor is the walk's affair. */
void level_free(struct tree_level *level);

#endif
