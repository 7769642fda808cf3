/* SPDX-License-Identifier: MIT */
/* The read-only names of a root. */
#ifndef CROFT_PINS_H
#define CROFT_PINS_H

#include "root.h"

/*
 * Notes the read-only names of `options` in `root` and holds the directories they lead to now, so that
 * these are known again however they are reached later.
 */
croft_status pins_hold(struct root *root, const croft_view_options *options, croft_error *err);

/* Whether a read-only name was reached through links. */
bool pins_have_links(const struct root *root);

/*
 * The read-only name whose tree lies in the directory `node`, at any depth, or NULL. With `through_links`
 * only those that were reached through links count, and the directory itself too.
 */
const char *pins_carried(const struct root *root, const struct node *node, bool through_links);

#endif
