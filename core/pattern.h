/* SPDX-License-Identifier: MIT */
/*
 * Lua's patterns, as section 6.4.1 of the reference manual of Lua 5.4 defines them, with a stack of
 * fixed size and at a price: every step is charged to a budget.
 *
 * A fault in a pattern is met when a match gets to it: "a[" fits nothing in "b" and is a fault in "a".
 */
#ifndef CROFT_PATTERN_H
#define CROFT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "budget.h"

enum {
    PATTERN_CAPTURES = 32,
    PATTERN_CHOICES = 200 /* places in a pattern to which one match may have to come back */
};

#define PATTERN_POSITION SIZE_MAX /* the size of a capture that is a place, as "()" makes it */

struct pattern_capture {
    const char *start;
    size_t size;
};

enum pattern_answer { PATTERN_NONE, PATTERN_MATCH, PATTERN_FAULT, PATTERN_STOPPED };

struct pattern {
    const char *text, *text_end; /* without the "^" that anchors it */
    const char *subject, *subject_end;
    struct budget *budget;
    /* Of the last match: */
    struct pattern_capture captures[PATTERN_CAPTURES];
    unsigned count;
    uint32_t open;  /* a bit for each capture that has no end */
    char fault[48]; /* after PATTERN_FAULT */
};

/* Both texts stay the caller's. */
void pattern_init(struct pattern *pattern, const char *text, size_t text_size, const char *subject,
                  size_t subject_size, struct budget *budget);

/* Whether the pattern fits at exactly `at`; *end is where the match ends. */
enum pattern_answer pattern_match(struct pattern *pattern, const char *at, const char **end);

/* The first place at or after `from` where it fits. */
enum pattern_answer pattern_find(struct pattern *pattern, const char *from, const char **start,
                                 const char **end);

/* Whether the text has no character with a meaning, so that it can be found as it is. */
bool pattern_is_plain(const char *text, size_t size);

#endif
