/* SPDX-License-Identifier: MIT */
/*
 * The walk: one component at a time, each directory held open. ".." in the text of a link goes back to
 * the directory that is held, never to the kernel's idea of a parent, so no rename redirects it.
 */
#ifndef CROFT_RESOLVE_WALK_H
#define CROFT_RESOLVE_WALK_H

#include "place.h"

croft_status resolve_walk(const struct root *root, const struct path *path, enum resolve_how how,
                          struct place *place, croft_error *err);

/* What the walk has just looked at. Valid while it is told. */
struct walk_step {
    const char *name;
    bool from_link; /* it stems from the text of a link */
    const char *
        what; /* type_word() of what is there, "up", "missing", "outside", "in_the_way" or "refused" */
    const char *target; /* of a link */
    size_t target_size;
};

struct walk_teller {
    void (*tell)(void *user, const struct walk_step *step);
    void *user;
};

/* The same, told step by step. */
croft_status resolve_walk_told(const struct root *root, const struct path *path,
                               enum resolve_how how, struct place *place,
                               const struct walk_teller *teller, croft_error *err);

#endif
