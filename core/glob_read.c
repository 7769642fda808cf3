/* SPDX-License-Identifier: MIT */
#include "ceilings.h"
#include "glob_parts.h"
#include "utf8.h"

uint32_t next_character(const char *text, size_t size, size_t *at)
{
    size_t from = *at, length;

    if ((unsigned char)text[from] < 0x80) {
        ++*at;
        return (unsigned char)text[from];
    }
    length = utf8_length(text + from, size - from);
    *at += length == 0 ? 1 : length;
    return length == 0 ? 0x110000u + (unsigned char)text[from] : utf8_decode(text + from, length);
}

bool glob_refuse(struct parser *parser, const char *reason, uint32_t at)
{
    *parser->fault = (struct glob_fault){reason, at};
    return false;
}

static bool ended(const struct parser *parser)
{
    return parser->at >= parser->size;
}

static bool next_is(const struct parser *parser, char c)
{
    return !ended(parser) && parser->pattern[parser->at] == c;
}

static uint32_t read_one(struct parser *parser)
{
    parser->character++;
    return next_character(parser->pattern, parser->size, &parser->at);
}

/* Behind a "\" that was just read. */
static bool read_escaped(struct parser *parser, uint32_t *c)
{
    if (ended(parser))
        return glob_refuse(parser, "nothing follows the last \"\\\"", parser->character);
    *c = read_one(parser);
    return true;
}

/* One end of a range in the class that opened at character `open`. */
static bool read_member(struct parser *parser, uint32_t open, uint32_t *c)
{
    if (ended(parser) || next_is(parser, '/'))
        return glob_refuse(parser, "a \"[\" is not closed", open);
    *c = read_one(parser);
    if (*c == '[' && next_is(parser, ':'))
        return glob_refuse(parser, "names such as [:alpha:] are not known, write a-z",
                           parser->character);
    return *c != '\\' || read_escaped(parser, c);
}

static bool is_range(const struct parser *parser)
{
    return next_is(parser, '-') && parser->at + 1 < parser->size &&
           parser->pattern[parser->at + 1] != ']';
}

static bool read_range(struct parser *parser, uint32_t open)
{
    struct range *range = parser->glob->ranges + parser->glob->range_count++;
    uint32_t start = parser->character + 1;

    if (!read_member(parser, open, &range->from))
        return false;
    range->to = range->from;
    if (!is_range(parser))
        return true;
    read_one(parser);
    if (!read_member(parser, open, &range->to))
        return false;
    return range->from <= range->to ||
           glob_refuse(parser, "a range in \"[ ]\" runs backwards", start);
}

/* Behind a "[" that was just read. */
static bool read_class(struct parser *parser, uint32_t *value)
{
    uint32_t open = parser->character;
    size_t index = parser->glob->range_count++;
    struct range *class = parser->glob->ranges + index;

    *class = (struct range){0, 0};
    if (next_is(parser, '!') || next_is(parser, '^')) {
        read_one(parser);
        class->to = 1;
    }
    do {
        if (!read_range(parser, open))
            return false;
        class->from++;
    } while (!next_is(parser, ']'));
    read_one(parser);
    *value = (uint32_t)index;
    return true;
}

static enum token_kind kind_of(uint32_t c, size_t open)
{
    switch (c) {
    case '*': return TOKEN_STAR;
    case '?': return TOKEN_ANY;
    case '[': return TOKEN_CLASS;
    case '/': return TOKEN_SLASH;
    case '{': return TOKEN_OPEN;
    case '}': return TOKEN_CLOSE;
    case ',': return open > 0 ? TOKEN_COMMA : TOKEN_CHAR;
    default: return TOKEN_CHAR;
    }
}

static bool read_token(struct parser *parser, size_t open)
{
    struct token *token = parser->tokens + parser->count++;

    token->value = read_one(parser);
    token->at = parser->character;
    token->kind = kind_of(token->value, open);
    if (token->kind == TOKEN_CLASS)
        return read_class(parser, &token->value);
    if (token->kind != TOKEN_CHAR || token->value != '\\')
        return true;
    if (!read_escaped(parser, &token->value))
        return false;
    if (token->value == '/') /* it parts components however it is spelled */
        token->kind = TOKEN_SLASH;
    return true;
}

static bool read_tokens(struct parser *parser)
{
    uint32_t opened[GLOB_ALTERNATIVES];
    size_t open = 0, groups = 0;

    while (!ended(parser)) {
        const struct token *token = parser->tokens + parser->count;

        if (!read_token(parser, open))
            return false;
        if (token->kind == TOKEN_OPEN) {
            if (groups++ == GLOB_ALTERNATIVES)
                return glob_refuse(parser, "it has over 64 alternatives", token->at);
            opened[open++] = token->at;
        } else if (token->kind == TOKEN_CLOSE && open-- == 0) {
            return glob_refuse(parser, "a \"}\" has no \"{\" before it", token->at);
        }
    }
    return open == 0 || glob_refuse(parser, "a \"{\" is not closed", opened[open - 1]);
}

bool glob_read(struct parser *parser)
{
    if (parser->size <= PATTERN_BYTES)
        return read_tokens(parser);
    while (parser->at < PATTERN_BYTES)
        read_one(parser);
    return glob_refuse(parser, "it is longer than 4096 bytes", parser->character + 1);
}
