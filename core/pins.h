/* SPDX-License-Identifier: MIT */
/* The read-only names of a root. */
#ifndef CROFT_PINS_H
#define CROFT_PINS_H

#include "place.h"

/* How a path came to be protected, as err->at tells it of CROFT_READ_ONLY. */
enum protected_by {
    PROTECTED_BY_SPELLING, /* it begins with the read-only name */
    PROTECTED_BY_LINK,     /* a link in it leads there */
    PROTECTED_NOW,         /* the name, a link, leads to where it is */
    PROTECTED_AT_START,    /* it did when the root was opened, or was moved there since */
    PROTECTED_WAY          /* the name is reached through it */
};

/*
 * Notes the read-only names of `options` in `root` and holds the directories they lead to now, so that
 * these are known again however they are reached later.
 */
croft_status pins_hold(struct root *root, const croft_view_options *options, croft_error *err);

/*
 * The read-only name that protects `place`, which came by the walk; *name is NULL where none does. `by` is why,
 * spelling apart. Fails when it cannot be told.
 */
croft_status pins_protect(const struct place *place, const char **name, enum protected_by *by,
                          croft_error *err);

/* Refuses what the read-only name protects. */
croft_status pins_refuse(const char *name, enum protected_by by, croft_error *err);

/* Whether a read-only name was reached through links. */
bool pins_have_links(const struct root *root);

/*
 * The read-only name whose tree lies in the directory `node`, at any depth, or NULL. With `through_links`
 * only those that were reached through links count, and the directory itself too.
 */
const char *pins_carried(const struct root *root, const struct node *node, bool through_links);

#endif
