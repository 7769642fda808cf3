/* SPDX-License-Identifier: MIT */
/*
 * JSON. What json_check passes is walked as a whole: each slice lies in its container and is JSON
 * itself, each text comes back from json_quote. What it does not pass must still not lead outside.
 */
#include <stdlib.h>
#include <string.h>

#include "json_scan.h"
#include "utf8.h"

enum { DEPTH = 128 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
    if (!good)
        abort();
}

static bool lies_in(struct json_slice inner, struct json_slice outer)
{
    return inner.data == NULL ? inner.size == 0
                              : inner.data >= outer.data && inner.size <= outer.size &&
                                    inner.data + inner.size <= outer.data + outer.size;
}

/* `text` quoted is JSON on one line, and means `text` with its wrong bytes replaced. */
static void check_quote(const char *text, size_t size)
{
    struct bytes quoted = {0}, back = {0}, repaired = {0};
    struct json_slice string;

    json_quote(&quoted, text, size);
    string = (struct json_slice){quoted.data, quoted.size};
    require(json_check(string, 0, NULL));
    for (size_t i = 0; i < quoted.size; i++)
        require((unsigned char)quoted.data[i] >= 0x20);
    require(json_text(string, &back));
    utf8_repair(&repaired, text, size);
    require(back.size == repaired.size &&
            (back.size == 0 || memcmp(back.data, repaired.data, back.size) == 0));
    bytes_free(&quoted);
    bytes_free(&back);
    bytes_free(&repaired);
}

static bool check_string(struct json_slice string)
{
    struct bytes text = {0};
    bool lone = !json_text(string, &text);

    require(utf8_valid(text.data, text.size) == text.size);
    require(json_has_lone_surrogate(string, NULL) == lone);
    check_quote(text.data, text.size);
    bytes_free(&text);
    return lone;
}

/* The last member of that name is the one that json_member finds. */
static void check_member(struct json_slice object, struct json_slice key)
{
    struct json_slice found, other, value, last = {NULL, 0};
    struct json_steps state = {0};
    struct bytes name = {0}, another = {0};
    bool whole = json_text(key, &name);
    const char *text = bytes_end(&name);

    found = json_member(object, text);
    require(lies_in(found, object));
    while (json_next(object, &state, &other, &value)) {
        bytes_clear(&another);
        if (json_text(other, &another) && another.size == name.size &&
            strcmp(bytes_end(&another), text) == 0)
            last = value;
    }
    if (whole && strlen(text) == name.size)
        require(found.data == last.data && found.size == last.size && found.data != NULL);
    bytes_free(&name);
    bytes_free(&another);
}

/* Walks a checked value; returns whether a lone surrogate stands in it. At most DEPTH calls
 * deep. */
static bool check_value(struct json_slice value, unsigned depth)
{
    struct json_slice key, inner;
    struct json_steps state = {0};
    size_t members = 0;
    bool lone = false;

    require(value.size > 0 && json_check(value, DEPTH - depth, NULL));
    require(!json_deeper(value, DEPTH - depth));
    if (json_type(value) == JSON_STRING)
        lone = check_string(value);
    while (json_next(value, &state, &key, &inner)) {
        require(lies_in(key, value) && lies_in(inner, value));
        require((key.data != NULL) == (json_type(value) == JSON_OBJECT));
        if (key.data != NULL) {
            lone = check_string(key) || lone;
            if (members++ < 16)
                check_member(value, key);
        }
        lone = check_value(inner, depth + 1) || lone;
    }
    return lone;
}

/* None of these may read or point outside, though nothing was checked. */
static void check_unchecked(struct json_slice text)
{
    struct json_slice key, value;
    struct json_steps state = {0};
    struct bytes out = {0};
    size_t steps = 0;

    (void)json_type(text);
    (void)json_deeper(text, 3);
    (void)json_text(text, &out);
    require(lies_in(json_member(text, "a"), text));
    (void)json_has_lone_surrogate(text, &key);
    require(lies_in(key, text));
    while (json_next(text, &state, &key, &value)) {
        require(lies_in(key, text) && lies_in(value, text));
        require(++steps <= text.size);
    }
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_slice text = {(const char *)data, size}, top;
    struct json_fault fault = {NULL, 0};

    if (json_check(text, DEPTH, &fault)) {
        require(utf8_valid(text.data, text.size) == text.size);
        require(check_value(text, 0) == json_has_lone_surrogate(text, &top));
        require(lies_in(top, text));
    } else {
        require(fault.reason != NULL && fault.at <= size);
    }
    check_unchecked(text);
    check_quote(text.data, text.size);
    return 0;
}
