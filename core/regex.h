/* SPDX-License-Identifier: MIT */
/* PCRE2 with bounds: never unbounded time or memory, whatever the pattern (interpreter.md 2.7). */
#ifndef CROFT_REGEX_H
#define CROFT_REGEX_H

#include <pthread.h>

#include "budget.h"
#include "error.h"

struct regex;

struct regex_fault {
    char reason[128]; /* of PCRE2, lower case, or "too long", "too large", "newline", "verb" */
    size_t at;        /* character in the pattern, counted from 1; 0: none */
};

enum regex_flags {
    REGEX_IGNORE_CASE = 1,
    REGEX_LITERAL = 2,
    /* for tests: as on a system that forbids machine code made at run time, as on a machine without the
     * instructions that one may have, and without looking for bytes before the pattern is tried */
    REGEX_NO_JIT = 4,
    REGEX_NO_SIMD = 8,
    REGEX_NO_NEEDLE = 16
};

/*
 * CROFT_BAD_PATTERN fills *fault. detail of err: "syntax", "long" (over PATTERN_BYTES), "large" (when
 * compiled), "newline" (it holds one, or needs one: lines are matched one at a time; `[^\n]`, `\s` and
 * `\n?` are fine), "verb" (it begins with "(*"). A literal is never refused for "verb" or "syntax".
 */
croft_status regex_new(const char *pattern, size_t size, unsigned flags, struct regex **out,
                       struct regex_fault *fault, croft_error *err);
void regex_free(struct regex *regex); /* NULL is fine */

/* Steps that regex_new is worth: most for ranges of characters, where their case is ignored. */
uint64_t regex_cost(const char *pattern, size_t size, unsigned flags);

enum regex_answer { REGEX_NO_MATCH, REGEX_MATCH, REGEX_TOO_EXPENSIVE, REGEX_STOPPED };

/* Bytes of memory that it takes, machine code included. */
size_t regex_size(const struct regex *regex);

/*
 * What one thread needs to match one expression. Made once for many lines. Where a text ends within
 * a character, PCRE2 looks at what stands behind it: a line end or zeros, REGEX_BEHIND bytes at most.
 */
enum { REGEX_BEHIND = 4 };
struct matcher;
struct matcher *matcher_new(const struct regex *regex); /* NULL: out of memory */

/* What a matcher needs while it matches, up to some MiB: JIT stack, match data. Those that one thread has
 * may share it; it outlives them. A matcher that was made without one has its own. */
struct match_room;
struct match_room *match_room_new(void);       /* NULL: out of memory */
void match_room_free(struct match_room *room); /* NULL is fine */
struct matcher *matcher_new_in(const struct regex *regex, struct match_room *room);

/* Bytes that it takes now, without the room. */
size_t matcher_size(const struct matcher *matcher);

/* `slow` is held (borrowed) while the matcher takes much memory, so that of those that share it one
 * does at a time; NULL: it shares with nobody. */
void matcher_share(struct matcher *matcher, pthread_mutex_t *slow);
void matcher_free(struct matcher *matcher);

/*
 * Looks for the first match in one line (no LF inside, no CR at its end) at or after byte `from`.
 * Charges `budget`: steps in proportion to the work. REGEX_TOO_EXPENSIVE: this line needs too much
 * backtracking; REGEX_STOPPED: the budget is breached. The start is that of the first match; where
 * backtracking was given up for another way, the end is that of the longest match from there.
 */
enum regex_answer matcher_find(struct matcher *matcher, const char *line, size_t size, size_t from,
                               struct budget *budget, size_t *start, size_t *end);

/*
 * The same in a whole buffer of lines: the first matching line at or after byte `from`, which must be
 * the start of a line. A match never crosses a line end; `$` stands before LF and before CR LF. The
 * answer is the line [*start, *end) without its line end, and the match in it, both as bytes of
 * `text`. With REGEX_TOO_EXPENSIVE the line is told too. REGEX_STOPPED: the budget is breached, or
 * (look at budget->breach) short: no line before *start matches.
 */
enum regex_answer matcher_find_line(struct matcher *matcher, const char *text, size_t size,
                                    size_t from, struct budget *budget, size_t *start, size_t *end,
                                    size_t *match_start, size_t *match_end);

#endif
