/* SPDX-License-Identifier: MIT */
/* What a glob is made of: glob_read.c cuts a pattern into tokens, glob_parse.c makes a glob of
 * them, glob.c matches. */
#ifndef CROFT_GLOB_PARTS_H
#define CROFT_GLOB_PARTS_H

#include <stdint.h>

#include "glob.h"

enum { GLOB_ALTERNATIVES = 64, GLOB_WRITTEN_OUT = 16384 };

enum token_kind {
    TOKEN_CHAR,
    TOKEN_ANY,
    TOKEN_STAR,
    TOKEN_CLASS,
    TOKEN_SLASH,
    TOKEN_OPEN,
    TOKEN_COMMA,
    TOKEN_CLOSE
};

struct token {
    enum token_kind kind;
    uint32_t
        value;   /* TOKEN_CHAR: what next_character gives; TOKEN_CLASS: where it begins in ranges */
    uint32_t at; /* character in the pattern, counted from 1 */
};

/* A class is one range {how many follow, whether it is negated} and those that follow. */
struct range {
    uint32_t from, to;
};

/* Between two "/". */
struct component {
    size_t first, count; /* of tokens */
    size_t least;        /* characters that it takes at least */
    bool deep;           /* it is "**" */
};

/* One pattern with its braces written out. */
struct alternative {
    struct token *tokens;
    size_t count;
    struct component *components;
    size_t component_count;
    bool base_only; /* it is matched against the base name */
    bool directories_only;
};

struct glob {
    struct range *ranges;
    size_t range_count;
    struct alternative alternatives[GLOB_ALTERNATIVES];
    size_t count;
    bool crosses;
};

/* A pattern that is being read. */
struct parser {
    const char *pattern;
    size_t size, at;
    uint32_t character; /* that was read last, counted from 1 */
    struct glob *glob;  /* with room for as many ranges as the pattern has bytes */
    struct token *tokens;
    size_t count;
    size_t written; /* what all alternatives weigh: tokens, and ranges of classes */
    struct glob_fault *fault;
};

/* Fills the fault and returns false. A `reason` of NULL says that memory is out. */
bool glob_refuse(struct parser *parser, const char *reason, uint32_t at);

/* Cuts the pattern into tokens and sees that braces pair. */
bool glob_read(struct parser *parser);

/* The character at text[*at], which is stepped over: its code point, or 0x110000 and more for a
 * byte that is not UTF-8. */
uint32_t next_character(const char *text, size_t size, size_t *at);

#endif
