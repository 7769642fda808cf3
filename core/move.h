/* SPDX-License-Identifier: MIT */
/* Moving one name to another, below the same root: both ends are in directories that are held. */
#ifndef CROFT_MOVE_H
#define CROFT_MOVE_H

#include "budget.h"
#include "entry.h"

struct move_options {
    bool replace;
    /* of the look at what lies in a directory, where the root has a permit */
    struct budget *budget;
    uint64_t depth;
};

struct move_info {
    bool at_target;                  /* of a failure: it is the target's */
    uint32_t mode;                   /* what was moved, with the type bits */
    uint64_t size;                   /* of a file */
    bool replaced;                   /* a file or link was there, and is gone */
    uint64_t old_size;               /* its size; also when it is the reason for a refusal */
    char moved_to[PATH_BYTES + 1];   /* root-relative; "" when it was not moved */
    size_t made;                     /* directories made */
    char first_made[PATH_BYTES + 1]; /* root-relative */
    bool not_confirmed;              /* moved, but whether it stays so could not be made sure */
};

/*
 * Gives what `from` names the name `to`; a link is moved itself. Directories that `to` needs are made, and
 * stay when a later step fails. What is at `to` is left alone unless options->replace is set; then a file or link
 * gives way to a file or link. Refuses as entry_resolve does, for both, and with
 *
 *   CROFT_ALREADY_EXISTS  something is at `to`; detail is its type
 *   CROFT_BAD_ARGUMENT    "into_itself": a directory below itself; "same_file": both names are one file;
 *                         "slash": `to` ends in a slash, and what is moved is no directory
 *   CROFT_CROSSES_MOUNT   they lie on different file systems
 *   CROFT_UNREADABLE      with "wall": the kernel's Landlock forbids moves between directories
 *   CROFT_DENIED          with "contents": the permit does not cover all that lies in the directory
 *   CROFT_CHANGED         somebody else changed one of the names meanwhile
 */
croft_status move_name(const struct root *root, const struct path *from, const struct path *to,
                       const struct move_options *options, struct move_info *info,
                       croft_error *err);

#endif
