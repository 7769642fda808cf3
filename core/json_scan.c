/* SPDX-License-Identifier: MIT */
/* These functions may trust that the text is JSON, but none reads outside its slice even if it
 * is not. */
#include "json_scan.h"

#include <string.h>

#include "json_plain.h"
#include "utf8.h"

#define REPLACEMENT_CODE 0xFFFDu

static const struct json_slice nothing = {NULL, 0};

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static size_t skip_space(struct json_slice text, size_t at)
{
    while (at < text.size && is_space(text.data[at]))
        at++;
    return at;
}

static char byte_at(struct json_slice text, size_t at)
{
    return at < text.size ? text.data[at] : '\0';
}

/* From a string's opening quote to behind its closing one. */
static size_t skip_string(struct json_slice text, size_t at)
{
    at++;
    while (at < text.size) {
        at += json_unmarked_run(text.data + at, text.size - at);
        if (at < text.size && text.data[at] == '"')
            return at + 1;
        at += 2; /* an escape: what it stands for is no matter */
    }
    return text.size;
}

/*
 * From the start of a value to behind it, or to where it is open more than `deepest` levels:
 * *deeper says which. Counting brackets is enough: json_check has seen that they pair.
 */
static size_t skip_nested(struct json_slice text, size_t at, size_t deepest, bool *deeper)
{
    size_t depth = 0;

    *deeper = false;
    while (at < text.size && !*deeper) {
        switch (text.data[at]) {
        case '"': at = skip_string(text, at); break;
        case '{':
        case '[':
            at++;
            *deeper = ++depth > deepest;
            break;
        case '}':
        case ']':
            at++;
            depth -= depth > 0;
            break;
        default: at++; break;
        }
        if (depth == 0)
            break;
    }
    return at;
}

/* Whether it stands behind a number, `true`, `false` or `null`. */
static bool ends_scalar(char c)
{
    return is_space(c) || c == ',' || c == ']' || c == '}' || c == '\0';
}

static size_t skip_value(struct json_slice text, size_t at)
{
    bool deeper;
    char c = byte_at(text, at);

    if (c == '"')
        return skip_string(text, at);
    if (c == '{' || c == '[')
        return skip_nested(text, at, SIZE_MAX, &deeper);
    while (at < text.size && !ends_scalar(text.data[at]))
        at++;
    return at;
}

enum json_type json_type(struct json_slice value)
{
    switch (byte_at(value, skip_space(value, 0))) {
    case '\0': return JSON_NONE;
    case 'n': return JSON_NULL;
    case 'f': return JSON_FALSE;
    case 't': return JSON_TRUE;
    case '"': return JSON_STRING;
    case '[': return JSON_ARRAY;
    case '{': return JSON_OBJECT;
    default: return JSON_NUMBER;
    }
}

static struct json_slice slice_of(struct json_slice text, size_t from, size_t to)
{
    return (struct json_slice){text.data + from, to - from};
}

/* Steps over one value from `at`, white space before it too; returns where it ends. */
static size_t take_value(struct json_slice text, size_t at, struct json_slice *value)
{
    size_t end;

    at = skip_space(text, at);
    end = skip_value(text, at);
    *value = slice_of(text, at, end);
    return end;
}

bool json_next(struct json_slice container, struct json_steps *state, struct json_slice *key,
               struct json_slice *value)
{
    bool object = byte_at(container, skip_space(container, 0)) == '{';
    size_t at = skip_space(container, state->at);
    char c = byte_at(container, at);

    *key = *value = nothing;
    if (state->at == 0 ? c != '{' && c != '[' : c != ',')
        return false;
    at = skip_space(container, at + 1);
    c = byte_at(container, at);
    if (c == '\0' || c == ']' ||
        c == '}') { /* it is empty; here no later step finds a comma either */
        state->at = at;
        return false;
    }
    if (object) {
        at = skip_space(container, take_value(container, at, key));
        if (byte_at(container, at) != ':') {
            state->at = container.size;
            return false;
        }
        at++;
    }
    state->at = take_value(container, at, value);
    return true;
}

/* Four hexadecimal digits, or REPLACEMENT_CODE when they are none. */
static uint32_t read_hex(const char *data, size_t size)
{
    uint32_t code = 0;

    if (size < 4)
        return REPLACEMENT_CODE;
    for (size_t i = 0; i < 4; i++) {
        char c = data[i];

        if (c >= '0' && c <= '9')
            code = code << 4 | (uint32_t)(c - '0');
        else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            code = code << 4 | ((uint32_t)(c | 0x20) - 'a' + 10);
        else
            return REPLACEMENT_CODE;
    }
    return code;
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code <= 0xDFFF;
}

/* What "\u" at `data` stands for, a pair taken together; a surrogate when that stands alone. */
static size_t read_unicode(const char *data, size_t size, uint32_t *code)
{
    uint32_t low;

    *code = read_hex(data + 2, size - 2);
    if (*code >= 0xD800 && *code <= 0xDBFF && size >= 12 && data[6] == '\\' && data[7] == 'u') {
        low = read_hex(data + 8, size - 8);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *code = 0x10000 + ((*code - 0xD800) << 10 | (low - 0xDC00));
            return 12;
        }
    }
    return size < 6 ? size : 6;
}

/* The escape whose "\" stands at `data`: its code point; returns its size. */
static size_t read_escape(const char *data, size_t size, uint32_t *code)
{
    *code = REPLACEMENT_CODE;
    if (size < 2)
        return size;
    switch (data[1]) {
    case 'b': *code = '\b'; break;
    case 'f': *code = '\f'; break;
    case 'n': *code = '\n'; break;
    case 'r': *code = '\r'; break;
    case 't': *code = '\t'; break;
    case 'u': return read_unicode(data, size, code);
    default: *code = (unsigned char)data[1] & 0x7Fu; break;
    }
    return 2;
}

/* What stands between the quotes of a string; {NULL, 0} for what is none. */
static struct json_slice inside(struct json_slice string)
{
    size_t from = skip_space(string, 0), to;

    if (byte_at(string, from) != '"')
        return nothing;
    to = skip_string(string, from);
    return to - from < 2 ? nothing : slice_of(string, from + 1, to - 1);
}

/*
 * The next piece of what stands between quotes, from *at: a run without escapes, as it is, or what
 * one escape stands for, in `buffer`. Size 0 at the end. *lone: it was a surrogate without its
 * other half.
 */
static struct json_slice next_piece(struct json_slice text, size_t *at, char buffer[4], bool *lone)
{
    size_t left = text.size - *at;
    const char *start, *escape;
    uint32_t code;

    *lone = false;
    if (left == 0)
        return nothing;
    start = text.data + *at;
    escape = memchr(start, '\\', left);
    if (escape != start) {
        left = escape == NULL ? left : (size_t)(escape - start);
        *at += left;
        return (struct json_slice){start, left};
    }
    *at += read_escape(start, left, &code);
    *lone = is_surrogate(code);
    return (struct json_slice){buffer, utf8_encode(*lone ? REPLACEMENT_CODE : code, buffer)};
}

/* Whether the string `key` is `name` once it is unescaped. */
static bool key_is(struct json_slice key, const char *name, size_t size)
{
    struct json_slice text = inside(key), piece;
    char buffer[4];
    size_t at = 0, same = 0;
    bool lone;

    while ((piece = next_piece(text, &at, buffer, &lone)).size > 0) {
        if (lone || piece.size > size - same || memcmp(piece.data, name + same, piece.size) != 0)
            return false;
        same += piece.size;
    }
    return same == size;
}

struct json_slice json_member(struct json_slice object, const char *name)
{
    struct json_slice key, value, found = nothing;
    struct json_steps state = {0};
    size_t size = strlen(name);

    if (json_type(object) != JSON_OBJECT)
        return nothing;
    while (json_next(object, &state, &key, &value)) {
        if (key_is(key, name, size))
            found = value;
    }
    return found;
}

bool json_text(struct json_slice string, struct bytes *out)
{
    struct json_slice text = inside(string), piece;
    bool whole = json_type(string) == JSON_STRING, lone;
    char buffer[4];
    size_t at = 0;

    while ((piece = next_piece(text, &at, buffer, &lone)).size > 0) {
        bytes_add(out, piece.data, piece.size);
        whole = whole && !lone;
    }
    return whole;
}

/* Outside of strings JSON has no "\", so that nothing but those needs a look. */
static bool holds_lone(struct json_slice text)
{
    size_t at = 0;

    for (;;) {
        const char *escape = at < text.size ? memchr(text.data + at, '\\', text.size - at) : NULL;
        uint32_t code;

        if (escape == NULL)
            return false;
        at = (size_t)(escape - text.data);
        if (byte_at(text, at + 1) != 'u') {
            at += 2;
            continue;
        }
        at += read_escape(escape, text.size - at, &code);
        if (is_surrogate(code))
            return true;
    }
}

bool json_has_lone_surrogate(struct json_slice value, struct json_slice *top)
{
    struct json_slice key, member;
    struct json_steps state = {0};
    bool found = holds_lone(value);

    if (top == NULL)
        return found;
    *top = nothing;
    if (!found || json_type(value) != JSON_OBJECT)
        return found;
    while (json_next(value, &state, &key, &member)) {
        if (holds_lone(key) || holds_lone(member)) {
            *top = key;
            break;
        }
    }
    return found;
}

bool json_deeper(struct json_slice value, unsigned depth)
{
    bool deeper;

    skip_nested(value, skip_space(value, 0), depth, &deeper);
    return deeper;
}
