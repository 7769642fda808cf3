/* SPDX-License-Identifier: MIT */
/* What the files of the regular expressions share. Private to core/regex*.c. */
#ifndef CROFT_REGEX_PARTS_H
#define CROFT_REGEX_PARTS_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "bytes.h"
#include "regex.h"

/* ---- reading a pattern (regex_scan.c) ---- */

struct pattern_traits {
    /* A line end is needed for every match, so that no line can match. */
    bool needs_newline;
    /*
     * What matches in a line on its own also matches, from the same byte, where more lines stand
     * around it: there is nothing in it that a neighbouring line could make fail (look-around, atomic
     * groups, `\z`, verbs). Only such a pattern is run over many lines at once.
     */
    bool plain;
};

/*
 * Reads a pattern that compiles. `out` gets the same pattern in a form that keeps to one line where
 * that is easy: `[^"]` becomes `[^\n"]`, `\s` becomes `[^\S\n]`. In a line, which has no LF, both mean
 * the same.
 */
void pattern_scan(const char *pattern, size_t size, struct pattern_traits *traits,
                  struct bytes *out);

/* ---- a compiled pattern (regex.c) ---- */

enum regex_use {
    USE_LINE,    /* one line, in windows of start offsets */
    USE_LF,      /* many lines, no CR among them */
    USE_CRLF,    /* many lines, each CR before an LF */
    USE_CAREFUL, /* one line, by the interpreter, which asks after each step whether to go on */
    USE_STATES   /* one line, all ways at once: no backtracking (pcre2_dfa_match) */
};

enum { REGEX_FAST_USES = USE_CRLF + 1, REGEX_HEAP_KIB = 16 * 1024 };

struct regex {
    struct bytes pattern; /* as pattern_scan wrote it */
    bool literal, ignore_case;
    bool plain;                        /* see struct pattern_traits */
    bool jit;                          /* all of `fast` are machine code */
    pcre2_code *fast[REGEX_FAST_USES]; /* by enum regex_use; only USE_LINE when not plain */
};

/* Compiles `pattern` for one use. NULL: *number and *at are PCRE2's error and offset. */
pcre2_code *regex_compile(const struct regex *regex, const char *pattern, size_t size,
                          enum regex_use use, int *number, size_t *at);

/* ---- what one thread needs (regex_line.c) ---- */

struct matcher {
    const struct regex *regex;
    pcre2_match_data *data;
    pcre2_match_context *context, *careful_context;
    pcre2_jit_stack *stack;
    pcre2_code *careful, *states; /* made when they are first needed */
    int *workspace;               /* of USE_STATES */
};

/* Runs one of the fast codes from byte `from`; PCRE2's answer. */
int matcher_run(struct matcher *matcher, enum regex_use use, const char *text, size_t size,
                size_t from, uint32_t match_limit);

/* The match that the last run found. */
void matcher_hit(const struct matcher *matcher, size_t *start, size_t *end);

/* The slow and sure ways, for a line on which the fast one gave up (regex_slow.c). */
enum regex_answer matcher_find_slowly(struct matcher *matcher, const char *line, size_t size,
                                      size_t from, struct budget *budget, size_t *start,
                                      size_t *end);

/* The first start of a character at or after `at`. */
size_t regex_boundary(const char *text, size_t size, size_t at);

#endif
