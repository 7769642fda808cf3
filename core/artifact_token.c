/* SPDX-License-Identifier: MIT */
#include "artifact_token.h"

#include <errno.h>
#include <string.h>

#include "file.h"

enum { BYTES_A_STEP = 64 };

/* ---- bytes ------------------------------------------------------------------------------------- */

uint64_t token_offset(const struct token_reader *reader)
{
    return reader->base + reader->at;
}

void token_seek(struct token_reader *reader, uint64_t offset)
{
    bool is_held = offset >= reader->base && offset - reader->base < reader->filled;

    reader->at = is_held ? (size_t)(offset - reader->base) : 0;
    if (is_held)
        return;
    reader->base = offset;
    reader->filled = 0;
}

static bool is_over(const struct token_reader *reader)
{
    return reader->fault != NULL || reader->failed != CROFT_OK;
}

/* Reads the next window. False at the end of the file. */
static bool refill(struct token_reader *reader)
{
    ssize_t count;

    reader->base += reader->filled;
    reader->at = reader->filled = 0;
    if (!budget_spend(reader->budget, 1 + TOKEN_WINDOW / BYTES_A_STEP)) {
        reader->failed = CROFT_STOPPED;
        return false;
    }
    count = read_fully(reader->sys, reader->fd, reader->window, TOKEN_WINDOW, (off_t)reader->base);
    if (count < 0) {
        reader->failed = CROFT_IO;
        reader->sys_errno = errno;
        return false;
    }
    reader->filled = (size_t)count;
    return count > 0;
}

/* The byte at hand, which stays; -1 at the end. */
static inline int here(struct token_reader *reader)
{
    if (reader->at < reader->filled)
        return (unsigned char)reader->window[reader->at];
    if (is_over(reader) || !refill(reader))
        return -1;
    return (unsigned char)reader->window[0];
}

static bool fault(struct token_reader *reader, const char *reason)
{
    if (!is_over(reader)) {
        reader->fault = reason;
        reader->fault_at = token_offset(reader);
    }
    return false;
}

int token_peek(struct token_reader *reader)
{
    int c = is_over(reader) ? -1 : here(reader);

    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        reader->at++;
        c = here(reader);
    }
    return c;
}

/* Takes the byte `wanted`, white space before it. */
static bool expect(struct token_reader *reader, int wanted, const char *reason)
{
    if (token_peek(reader) != wanted)
        return fault(reader, reason);
    reader->at++;
    return true;
}

/* ---- scalars ----------------------------------------------------------------------------------- */

static void keep(struct bytes *raw, char c)
{
    if (raw != NULL && raw->size < TOKEN_KEY)
        bytes_add_char(raw, c);
}

static bool is_hex(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Behind a backslash. */
static bool skip_escape(struct token_reader *reader, struct bytes *raw)
{
    int c = here(reader);

    if (c < 0 || strchr("\"\\/bfnrtu", c) == NULL || c == 0)
        return fault(reader, "an escape that there is not");
    keep(raw, (char)c);
    reader->at++;
    for (int i = 0; c == 'u' && i < 4; i++) {
        int digit = here(reader);

        if (!is_hex(digit))
            return fault(reader, "\\u without four hexadecimal digits");
        keep(raw, (char)digit);
        reader->at++;
    }
    return true;
}

/* How many bytes at `at` are neither `"`, `\` nor a control character. */
static size_t plain_run(const char *text, size_t size)
{
    size_t at = 0;

    while (at < size && (unsigned char)text[at] >= 0x20 && text[at] != '"' && text[at] != '\\')
        at++;
    return at;
}

/* A string from its opening quote on; `raw` (may be NULL) gets its beginning, quotes and all. */
static bool skip_string(struct token_reader *reader, struct bytes *raw)
{
    keep(raw, '"');
    reader->at++;
    for (;;) {
        int c = here(reader);
        size_t run = plain_run(reader->window + reader->at, reader->filled - reader->at);

        for (size_t i = 0; raw != NULL && i < run && raw->size < TOKEN_KEY; i++)
            bytes_add_char(raw, reader->window[reader->at + i]);
        if (run > 0) {
            reader->at += run;
            continue;
        }
        if (c < 0)
            return fault(reader, "it ends inside a string");
        if (c < 0x20)
            return fault(reader, "a control character in a string");
        keep(raw, (char)c);
        reader->at++;
        if (c == '"')
            return true;
        if (!skip_escape(reader, raw))
            return false;
    }
}

static bool skip_word(struct token_reader *reader, const char *word)
{
    for (; *word != '\0'; word++, reader->at++)
        if (here(reader) != *word)
            return fault(reader, "a word that is neither true, false nor null");
    return true;
}

static bool skip_digits(struct token_reader *reader)
{
    int c = here(reader);

    if (c < '0' || c > '9')
        return fault(reader, "a number without a digit");
    while (c >= '0' && c <= '9') {
        reader->at++;
        c = here(reader);
    }
    return true;
}

static bool skip_number(struct token_reader *reader)
{
    int c;

    if (here(reader) == '-')
        reader->at++;
    if (here(reader) == '0')
        reader->at++;
    else if (!skip_digits(reader))
        return false;
    c = here(reader);
    if (c == '.') {
        reader->at++;
        if (!skip_digits(reader))
            return false;
        c = here(reader);
    }
    if (c != 'e' && c != 'E')
        return true;
    reader->at++;
    c = here(reader);
    if (c == '+' || c == '-')
        reader->at++;
    return skip_digits(reader);
}

/* ---- values ------------------------------------------------------------------------------------ */

enum json_type token_type(struct token_reader *reader)
{
    int c = token_peek(reader);

    switch (c) {
    case '{': return JSON_OBJECT;
    case '[': return JSON_ARRAY;
    case '"': return JSON_STRING;
    case 't': return JSON_TRUE;
    case 'f': return JSON_FALSE;
    case 'n': return JSON_NULL;
    default: return c == '-' || (c >= '0' && c <= '9') ? JSON_NUMBER : JSON_NONE;
    }
}

static bool skip_scalar(struct token_reader *reader)
{
    switch (token_type(reader)) {
    case JSON_STRING: return skip_string(reader, NULL);
    case JSON_TRUE: return skip_word(reader, "true");
    case JSON_FALSE: return skip_word(reader, "false");
    case JSON_NULL: return skip_word(reader, "null");
    case JSON_NUMBER: return skip_number(reader);
    default: return fault(reader, here(reader) < 0 ? "it ends too early" : "no value begins so");
    }
}

static bool skip_key(struct token_reader *reader, struct bytes *raw)
{
    if (token_peek(reader) != '"')
        return fault(reader, "the name of a member is missing");
    return skip_string(reader, raw) && expect(reader, ':', "a : is missing");
}

/* What encloses the value at hand: a bit for each level, set for an object. */
struct nest {
    unsigned char bits[TOKEN_DEPTH / 8];
    size_t depth;
};

static bool is_object(const struct nest *nest)
{
    size_t level = nest->depth - 1;

    return (nest->bits[level / 8] >> level % 8 & 1) != 0;
}

/* Goes into the container at hand. *is_empty: and out of it again. */
static bool go_in(struct token_reader *reader, struct nest *nest, bool *is_empty)
{
    bool object = token_peek(reader) == '{';
    unsigned bit = 1u << nest->depth % 8;

    if (nest->depth == TOKEN_DEPTH)
        return fault(reader, "nested too deeply");
    nest->bits[nest->depth / 8] = (unsigned char)(object ? nest->bits[nest->depth / 8] | bit
                                                         : nest->bits[nest->depth / 8] & ~bit);
    nest->depth++;
    reader->at++;
    *is_empty = token_peek(reader) == (object ? '}' : ']');
    if (*is_empty) {
        reader->at++;
        nest->depth--;
        return true;
    }
    return !object || skip_key(reader, NULL);
}

/* Behind a value: goes to the next one, out of the containers that end there. */
static bool go_on(struct token_reader *reader, struct nest *nest)
{
    while (nest->depth > 0) {
        int c = token_peek(reader);
        bool object = is_object(nest);

        if (c == ',') {
            reader->at++;
            return !object || skip_key(reader, NULL);
        }
        if (c != (object ? '}' : ']'))
            return fault(reader, c < 0 ? "it ends too early" : "a comma or an end is missing");
        reader->at++;
        nest->depth--;
    }
    return true;
}

bool token_skip(struct token_reader *reader)
{
    struct nest nest = {.depth = 0};

    do {
        enum json_type type = token_type(reader);
        bool is_done = true;

        if (type == JSON_OBJECT || type == JSON_ARRAY) {
            if (!go_in(reader, &nest, &is_done))
                return false;
        } else if (!skip_scalar(reader)) {
            return false;
        }
        if (is_done && !go_on(reader, &nest))
            return false;
    } while (nest.depth > 0);
    return !is_over(reader);
}

/* ---- children ---------------------------------------------------------------------------------- */

static bool take_key(struct token_reader *reader, struct token_steps *steps)
{
    struct bytes raw = {0};
    bool good = skip_key(reader, &raw);

    bytes_clear(steps->key);
    steps->is_cut = raw.size >= TOKEN_KEY;
    if (good && steps->is_cut)
        bytes_add(steps->key, raw.data + 1, 64);
    else if (good)
        json_text((struct json_slice){raw.data, raw.size}, steps->key);
    if (raw.failed || steps->key->failed)
        reader->failed = CROFT_INTERNAL;
    bytes_free(&raw);
    return good && !is_over(reader);
}

bool token_child(struct token_reader *reader, struct token_steps *steps)
{
    int end, c;

    if (!steps->has_begun) {
        steps->is_object = token_peek(reader) == '{';
        reader->at++;
    }
    end = steps->is_object ? '}' : ']';
    c = token_peek(reader);
    if (c == end) {
        reader->at++;
        return false;
    }
    if (steps->has_begun) {
        if (c != ',')
            return fault(reader, c < 0 ? "it ends too early" : "a comma or an end is missing");
        reader->at++;
    }
    steps->has_begun = true;
    return steps->is_object ? take_key(reader, steps) : !is_over(reader);
}

bool token_ends(struct token_reader *reader)
{
    return token_peek(reader) < 0 ? !is_over(reader) : fault(reader, "something follows the value");
}
