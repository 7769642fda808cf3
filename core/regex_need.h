/* SPDX-License-Identifier: MIT */
/* How a pattern is read for what a line must hold. Private to core/regex_need*.c. */
#ifndef CROFT_REGEX_NEED_H
#define CROFT_REGEX_NEED_H

#include "regex_parts.h"

/* What an item, a sequence of them, or a choice between sequences matches and needs. */
struct needs {
    struct fragments
        strings;           /* one of these is what it matches (finite), or begins with (begins) */
    struct fragments need; /* one of these is in it; count 0: nothing is known */
    uint64_t chance;       /* of need */
    bool finite, begins;
};

struct reading {
    const char *text;
    size_t size, at;
    bool with_case, without_case; /* which of the two a letter may have to be read */
    bool literal;                 /* all of it stands for itself */
    bool quoting;                 /* behind \Q */
    bool failed;                  /* nothing can be said */
    bool looks;                   /* it says something about a place, not only about bytes */
    unsigned depth, classes;
    struct needle *needle;
};

/* What matches nothing but the empty string. */
void needs_start(struct needs *needs);

/* Puts `item` behind `sequence`, `least` to `most` times. */
void needs_add(struct reading *reading, struct needs *sequence, const struct needs *item,
               unsigned least, unsigned most);

/* Nothing comes any more. */
void needs_end(struct reading *reading, struct needs *sequence);

/* Makes `choice` to that or `other`. Both have ended. */
void needs_choose(struct needs *choice, const struct needs *other);

/* Reads the item at hand: a character, a class or an escape, but no group. At least one byte is left. */
void need_read_item(struct reading *reading, struct needs *item);

static inline char need_peek(const struct reading *reading, size_t ahead)
{
    return reading->at + ahead < reading->size ? reading->text[reading->at + ahead] : '\0';
}

static inline bool need_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool need_is_one_of(char c, const char *set); /* NUL is none */

#endif
