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

#endif
