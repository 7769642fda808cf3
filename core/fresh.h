/* SPDX-License-Identifier: MIT */
/*
 * A directory that is built beside its place, under a name of croft's own, and gets its own name when it is
 * whole. What a run that was ended leaves there is found and gone on with by the next.
 */
#ifndef CROFT_FRESH_H
#define CROFT_FRESH_H

#include "error.h"
#include "path.h"
#include "sys.h"

struct fresh {
    const struct sys *sys;
    int parent;                   /* the directory in which it gets its name */
    int fd;                       /* it, opened for reading, and locked */
    struct node place;            /* of the empty directory that has the name now; mode 0: none */
    char leaf[NAME_BYTES + 1];    /* the name that it gets */
    char working[NAME_BYTES + 1]; /* and has */
    bool resumed;                 /* it was there already, with what an earlier run made */
};

/*
 * Makes or finds the directory that is to become `to`, a path of the host's, where nothing may be but an
 * empty directory; it may not lie in the directory `source`, from which it is to be filled. The caller gives
 * *fresh back with fresh_end, whatever this returned.
 *
 *   CROFT_ALREADY_EXISTS  something is there
 *   CROFT_BUSY            somebody else is at it
 *   CROFT_OWNER           what is found there belongs to another user
 *   CROFT_BAD_ARGUMENT    `to` does not end in a name, or lies in the source
 */
croft_status fresh_begin(const char *to, const struct node *source, const struct sys *sys,
                         struct fresh *fresh, croft_error *err);

/* Removes all that is in it. */
croft_status fresh_empty(struct fresh *fresh, croft_error *err);

/* Gives it its name, with the mode and owner of the empty directory that had it. All or nothing. */
croft_status fresh_finish(struct fresh *fresh, bool no_fsync, croft_error *err);

void fresh_end(struct fresh *fresh);

#endif
