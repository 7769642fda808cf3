/* SPDX-License-Identifier: MIT */
/* Writing a file: a new one beside it, then a rename. A reader sees the old bytes or the new. */
#ifndef CROFT_REPLACE_H
#define CROFT_REPLACE_H

#include "bytes.h"
#include "file.h"
#include "resolve.h"

enum replace_mode { REPLACE_OVERWRITE, REPLACE_CREATE, REPLACE_APPEND };

struct replace_options {
    enum replace_mode mode;
    uint64_t
        limit; /* bytes of the file afterwards; CROFT_TOO_LARGE beyond, unless `expect` is given and the file does not grow */
    uint64_t
        compare_limit; /* the old bytes are read (same, old_lines) when there are at most so many */
    const struct stamp
        *expect; /* what was read before: the file must be unchanged since (CROFT_CHANGED) */
    bool
        no_links; /* CROFT_BAD_ARGUMENT (detail "link") when the path leads through a link, or is one */
};

struct replace_info {
    bool created, same; /* same: it already held exactly this; nothing was written */
    uint64_t size, old_size;
    uint64_t lines, old_lines; /* S0-69; old_lines is 0 when the old bytes were not read */
    bool old_known;            /* they were */
    bool old_crlf, new_crlf;   /* every line end is CR LF, and there is one */
    bool old_ends_in_newline;
    uint64_t links; /* names that the old file had: over 1 means that a hard link was broken */
    size_t made;    /* directories made */
    char first_made[PATH_BYTES + 1]; /* root-relative */
    struct node written;             /* what stands there now */
    bool not_confirmed; /* written, but whether it is there to stay could not be made sure */
};

croft_status replace_file(const struct root *root, const struct path *path, const void *data,
                          size_t size, const struct replace_options *options,
                          struct replace_info *info, croft_error *err);

#endif
