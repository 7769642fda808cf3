/* SPDX-License-Identifier: MIT */
/* One text for all spellings of a JSON value, to be hashed. */
#ifndef CROFT_JSON_CANONICAL_H
#define CROFT_JSON_CANONICAL_H

#include "json_scan.h"

/*
 * Appends `value`, which json_check has passed, without white space, the members of objects in the order of
 * the bytes of their names, of several with one name the last, and strings as json_quote writes them.
 * Numbers stay as they were spelled: 1 and 1.0 are two. False when memory ran out.
 */
bool json_canonical(struct json_slice value, struct bytes *out);

#endif
