/* SPDX-License-Identifier: MIT */
/* What lies below one directory, made again below another: directories, files and links, as they are. */
#ifndef CROFT_COPY_TREE_H
#define CROFT_COPY_TREE_H

#include "root.h"

enum copy_verdict { COPY_WHOLE, COPY_AGAIN };

struct copy_tree {
    const struct root *from; /* top-level names that it protects are left out */
    size_t asked_from;       /* those from this index on are left out because somebody asked */
    int to;                  /* a directory that is ours alone */
    bool resumed;            /* an earlier run made some of it */
    bool strict; /* what cannot be read, or be made again, ends the whole; else it is left out */
    croft_copied *copied;
    uint64_t told;               /* so many of the first that are left out were told before */
    croft_link_function *report; /* told of what is left out; may be NULL */
    void *user;
};

/*
 * No link is followed, and what is no directory, file or link is left alone. Contents, names, links' texts
 * and, as far as the umask lets, modes are those of `from`; owners and times are new. Of a file that an
 * earlier run has made the bytes are compared, and only those that differ are copied again.
 *
 * *verdict is COPY_AGAIN when what an earlier run made is no beginning of this copy: it is to be removed.
 */
croft_status copy_tree(struct copy_tree *copy, enum copy_verdict *verdict, croft_error *err);

/* How many entries lie below the directory `to`. */
croft_status copy_count(const struct root *to, uint64_t *count, croft_error *err);

#endif
