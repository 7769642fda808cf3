/* SPDX-License-Identifier: MIT */
/*
 * Where the read-only names lead at this moment. What they led to when the root was opened is held (pins.h); but
 * a link of that name may have been changed since, or made. Each costs one look, and a link a walk: for what
 * changes something, never for what only reads.
 */
#ifndef CROFT_PINS_NOW_H
#define CROFT_PINS_NOW_H

#include "place.h"

/* Whether a link that was followed to this leads to where no call of this process gets either. */
bool pins_lead_nowhere(croft_status status);

/*
 * The read-only name that is a link and leads to `place`, which came by the walk, or to a directory above it; *name
 * is NULL where none does. What a name leads to need not exist yet. Fails when that cannot be told.
 */
croft_status pins_lead_to(const struct place *place, const char **name, croft_error *err);

/* The same of a name that leads to what `node` is, or to something below it, and that exists. */
croft_status pins_lead_below(const struct root *root, const struct node *node, const char **name,
                             croft_error *err);

/* The same of a `place` that does not exist yet: what is given that name may have in it what is below. */
croft_status pins_lead_below_new(const struct place *place, const char **name, croft_error *err);

#endif
