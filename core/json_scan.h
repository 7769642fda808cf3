/* SPDX-License-Identifier: MIT */
/*
 * Strict JSON (RFC 8259, UTF-8) without a tree: a text is checked once, then slices of it are
 * handed out. Everything that comes from outside passes here first. Nothing allocates but json_text
 * and json_quote, into the caller's buffer.
 */
#ifndef CROFT_JSON_SCAN_H
#define CROFT_JSON_SCAN_H

#include "bytes.h"
#include "wide.h"

struct json_slice {
    const char *data;
    size_t size;
};

enum json_type {
    JSON_NONE,
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json_fault {
    const char *reason; /* a constant: "nested too deeply", "not UTF-8", "it ends too early" */
    size_t at;          /* byte, counted from 0 */
};

/*
 * Whether `text` is exactly one JSON value with white space around it, nested at most `depth` deep
 * (a scalar 0, `[]` 1; over 1024 means 1024). A byte order mark and a NUL are refused, lone
 * surrogate escapes are not. `fault` may be NULL. Iterative: the C stack does not grow with the
 * input.
 */
bool json_check(struct json_slice text, unsigned depth, struct json_fault *fault);

/* The functions below take only what json_check has passed, or slices of it, with white space
 * around or without. Slices that they hand out have none. */

/* JSON_NONE for {NULL, 0}. */
enum json_type json_type(struct json_slice value);

/* The member called `name` of an object, white space trimmed. Names are compared after
 * unescaping; of several the last counts. {NULL, 0} when there is none or `object` is no object. */
struct json_slice json_member(struct json_slice object, const char *name);

/* Steps over the members of an object or (with key {NULL, 0}) the elements of an array. `state`
 * starts as {0}. The key is a string as it stands in the text, with quotes, for json_text; of
 * members with one name each is shown. False at the end, and at once for a scalar. */
struct json_steps {
    size_t at;
};
bool json_next(struct json_slice container, struct json_steps *state, struct json_slice *key,
               struct json_slice *value);

/* Appends the text of a string value. False when it holds a lone surrogate escape (U+FFFD stands
 * for it then), and, with nothing appended, when `string` is no string. */
bool json_text(struct json_slice string, struct bytes *out);

/* Whether any string in `value`, a key included, holds a lone surrogate escape. *top (may be
 * NULL) is then the key, as json_next hands it out, of the first member of the object `value` in
 * which one stands, that key included; {NULL, 0} when `value` is no object. */
bool json_has_lone_surrogate(struct json_slice value, struct json_slice *top);

/* Whether the value nests deeper than `depth`. */
bool json_deeper(struct json_slice value, unsigned depth);

/* Appends `text` as a JSON string with its quotes, always valid UTF-8 and on one line. Escaped
 * are `"`, `\`, C0 and DEL, U+2028 and U+2029; bytes that are not UTF-8 become U+FFFD. */
void json_quote(struct bytes *out, const char *text, size_t size);

/* The same, and escaped is all that utf8_is_control names: it can be shown to somebody, and be sent. */
void json_quote_visible(struct bytes *out, const char *text, size_t size);

/* As json_quote, in one of the forms of wide.h. */
void json_quote_by(const struct wide *wide, struct bytes *out, const char *text, size_t size);

#endif
