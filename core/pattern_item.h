/* SPDX-License-Identifier: MIT */
/* The items of a pattern that stand for one character: "x", ".", "%a", "[set]". */
#ifndef CROFT_PATTERN_ITEM_H
#define CROFT_PATTERN_ITEM_H

#include <stdbool.h>

/* Where the item that begins at `item` (before `end`) ends. NULL with *fault set if it does not. */
const char *pattern_item_end(const char *item, const char *end, const char **fault);

/* Whether `c` fits the item between `item` and `item_end`. */
bool pattern_item_fits(const char *item, const char *item_end, unsigned char c);

/* The same for a set: `set` stands at its "[", `set_end` behind its "]". */
bool pattern_set_has(const char *set, const char *set_end, unsigned char c);

#endif
