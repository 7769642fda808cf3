/* SPDX-License-Identifier: MIT */
/* A walk below a directory, in the order of the bytes of the paths that it shows (a directory counts as
 * `name/`). Links are shown, never entered; what the root's permit does not cover is as if it were not
 * there. */
#ifndef CROFT_TREE_H
#define CROFT_TREE_H

#include "budget.h"
#include "glob.h"
#include "resolve.h"

struct tree_entry {
    const char *path; /* relative to the start, not to the root; ended by NUL */
    size_t path_size;
    const char *name;        /* its last component */
    mode_t type;             /* S_IFREG, S_IFDIR, S_IFLNK, ...; 0 when it cannot be told */
    const struct root *root; /* of the tree in which it lies, for open_entry */
    struct mount *mount;     /* that tree, held until the walk leaves it; NULL: the first one */
    int dir;      /* descriptor of the directory that holds it, for open_entry and sys->node_at */
    size_t level; /* 0 for what lies directly in the start */
};

/* What the walk met and did not show. First names are relative to the start, raw bytes, ended by NUL. */
struct tree_notes {
    uint64_t unreadable; /* directories that could not be opened */
    char first_unreadable[PATH_BYTES + 1];
    uint64_t deep; /* directories below `depth_ceiling`, not entered */
    char first_deep[PATH_BYTES + 1];
    uint64_t at_depth;        /* directories that are shown and not entered, for `depth` */
    uint64_t other_mounts;    /* not entered: one_file_system */
    uint64_t excluded;        /* entries that an exclude glob hit (directories are not entered) */
    char excluded_names[512]; /* paths of up to 8 of them as utf8_add_name shows them, one a line */
    uint64_t left_out;        /* entries behind the first `most` */
    bool stopped;             /* the budget ran short; what came before is complete */
};

/*
 * Called for each directory whose entries are not all shown though `depth`, `exclude` and `only_below`
 * want them: CROFT_TOO_MANY is one below `depth_ceiling`, CROFT_MISSING and its like one that changed
 * meanwhile. `path` is relative to the start, ended by NUL.
 */
typedef void tree_skip(void *user, const char *path, size_t size, croft_status why);

struct tree_options {
    uint64_t depth; /* levels to show: 1 is the directory alone; 0 means all */
    /* So many directories lie one in another at most; those in the last are counted in notes.deep and
     * not entered. */
    uint64_t depth_ceiling;
    const struct glob *const *exclude; /* matched against the path relative to the start */
    size_t exclude_count;
    /* What of the start is hidden: place.hidden (may be NULL). With it `fd` may be -1: the start is no
     * directory of any tree, and mounts lie below. */
    const struct hidden *hidden;
    const struct glob *only_below; /* where it cannot fit is not entered (may be NULL) */
    /* Only so many entries are given, and the others counted in notes.left_out (0: all are given). For a `depth`
     * of 1, without excludes and a permit. */
    size_t most;
    struct budget *budget; /* one step an entry; the walk ends itself when it is short */
    bool with_reserved;    /* show names of croft's own (RESERVED_PREFIX) too */
    const char *base;      /* the start, root-relative; only where the root has a permit */
    tree_skip *skip;       /* may be NULL */
    void *skip_user;
};

/* Called for each entry; returning false ends the walk. */
typedef bool tree_visit(void *user, const struct tree_entry *entry);

/* A walk that is asked for one entry after another. */
struct tree;

/*
 * Begins a walk below `fd`, a directory opened for reading; both, `options` and `notes` are borrowed until
 * tree_free. Fails as tree_walk does.
 */
croft_status tree_new(const struct root *root, int fd, const struct tree_options *options,
                      struct tree_notes *notes, struct tree **out, croft_error *err);
void tree_free(struct tree *tree); /* NULL is fine */

/* The next entry, which is valid until the next call. *more is false at the end, or when the budget runs
 * short. */
croft_status tree_next(struct tree *tree, struct tree_entry *entry, bool *more, croft_error *err);

/* The directory that was given last is not entered. */
void tree_prune(struct tree *tree);

/*
 * Walks below `fd`, a directory opened for reading, which is borrowed. Memory is bounded by the largest
 * directories on one path down. Fails only when `fd` itself cannot be read, memory is out, or the
 * budget is breached (CROFT_STOPPED or CROFT_CANCELLED).
 */
croft_status tree_walk(const struct root *root, int fd, const struct tree_options *options,
                       tree_visit *visit, void *user, struct tree_notes *notes, croft_error *err);

#endif
