/* SPDX-License-Identifier: MIT */
/* What the files of the regular expressions share. Private to core/regex*.c. */
#ifndef CROFT_REGEX_PARTS_H
#define CROFT_REGEX_PARTS_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <pthread.h>

#include "bytes.h"
#include "needle.h"
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
    /* It can tell where the search began or ends it: `\G`, verbs. A line is searched in one go. */
    bool undivided;
    bool misread; /* see pattern_is_misread; of `out` */
};

/*
 * Reads a pattern that compiles. `out` gets the same pattern in a form that keeps to one line where
 * that is easy: `[^"]` becomes `[^\n"]`, `\s` becomes `[^\S\n]`. In a line, which has no LF, both mean
 * the same.
 */
void pattern_scan(const char *pattern, size_t size, struct pattern_traits *traits,
                  struct bytes *out);

/* ---- where PCRE2's machine code finds less than there is: 10.42 (regex_misread.c) ---- */

bool pattern_holds(const char *pattern, size_t size, const char *text);

/* It may hold `+?` in an atomic group, or before a verb: start offsets are left out. */
bool pattern_is_lazy_and_atomic(const char *pattern, size_t size);

/* That, or `\S`, `\D` or `\W` outside of brackets, which with PCRE2_MATCH_INVALID_UTF are not known of
 * characters of more than one byte. */
bool pattern_is_misread(const char *pattern, size_t size);

/* ---- a compiled pattern (regex.c) ---- */

enum regex_use {
    USE_LINE,    /* one line, in windows of start offsets */
    USE_LF,      /* many lines, no CR among them */
    USE_CRLF,    /* many lines, each CR before an LF */
    USE_CAREFUL, /* one line, by the interpreter, which asks after each step whether to go on */
    USE_STATES   /* one line, all ways at once: no backtracking (pcre2_dfa_match) */
};

enum {
    REGEX_FAST_USES = USE_CRLF + 1,
    REGEX_FAST_HEAP_KIB = 2 * 1024, /* a matcher keeps what it took */
    REGEX_HEAP_KIB = 16 * 1024      /* of the slow way, which gives it back */
};

struct regex {
    struct bytes pattern; /* as pattern_scan wrote it */
    bool literal, ignore_case;
    bool plain, undivided;             /* see struct pattern_traits */
    bool jit;                          /* all of `fast` are machine code */
    pcre2_code *fast[REGEX_FAST_USES]; /* by enum regex_use; only USE_LINE when not plain */
    bool has_needle;                   /* a line that matches holds what `needle` looks for */
    bool exact;                        /* and that is all of the match */
    struct needle needle;
};

/* Compiles `pattern` for one use. NULL: *number and *at are PCRE2's error and offset. */
pcre2_code *regex_compile(const struct regex *regex, const char *pattern, size_t size,
                          enum regex_use use, int *number, size_t *at);

/* Bytes of a compiled pattern and its machine code; NULL: 0. */
size_t regex_code_size(const pcre2_code *code);

/* ---- what a line must hold (regex_need.c, regex_class.c) ---- */

/*
 * Reads regex->pattern and fills needle->any. False: nothing is known. *exact: the one string is the whole match.
 */
bool regex_need(const struct regex *regex, struct needle *needle, bool *exact);

/*
 * Which bytes a character of the class `text` (brackets or an escape) may begin with, read with case,
 * without, or both. *single: each such character is that one byte. False: it cannot be told.
 */
bool class_first_bytes(const char *text, size_t size, bool with_case, bool without_case,
                       struct byte_set *set, bool *single);

/* ---- what one thread needs (regex_line.c) ---- */

struct match_room {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_match_context *careful_context; /* this and the next two are made when first needed */
    pcre2_jit_stack *stack;
    int *workspace; /* of USE_STATES */
};

struct matcher {
    const struct regex *regex;
    struct match_room *room, *own_room; /* the other one is NULL when the room is shared */
    pcre2_code *careful, *states;       /* made when they are first needed */
    pthread_mutex_t *slow;              /* held on the slow way step by step; NULL: no others */
    uint64_t hunted,
        alarms; /* bytes that were searched for the needle, and finds that were no match */
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
