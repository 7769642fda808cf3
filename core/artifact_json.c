/* SPDX-License-Identifier: MIT */
#include "artifact_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact_token.h"
#include "breach.h"
#include "lines.h"
#include "utf8.h"

enum { SHORT_VALUE = 200 /* bytes of a child that is shown as it is */ };

struct seeking {
    struct token_reader reader;
    const struct artifact_json_options *options;
    struct artifact_json *out;
    struct bytes key;   /* of the child at hand */
    struct bytes token; /* of the pointer, unescaped */
    bool rows_are_full;
};

/* ---- pointers ---------------------------------------------------------------------------------- */

/* Takes the token behind the `/` at `*at`. False when an escape is none. */
static bool take_token(struct seeking *seeking, size_t *at)
{
    struct json_slice pointer = seeking->options->pointer;

    bytes_clear(&seeking->token);
    for (++*at; *at < pointer.size && pointer.data[*at] != '/'; ++*at) {
        char c = pointer.data[*at];

        if (c == '~') {
            if (++*at >= pointer.size || (pointer.data[*at] != '0' && pointer.data[*at] != '1'))
                return false;
            c = pointer.data[*at] == '0' ? '~' : '/';
        }
        bytes_add_char(&seeking->token, c);
    }
    return true;
}

static croft_status check_pointer(struct seeking *seeking, croft_error *err)
{
    struct json_slice pointer = seeking->options->pointer;
    size_t at = 0;
    bool good = pointer.size == 0 || pointer.data[0] == '/';

    while (good && at < pointer.size)
        good = take_token(seeking, &at);
    return good ? CROFT_OK : fail_detail(err, CROFT_BAD_ARGUMENT, "pointer", "it is no pointer");
}

/* Whether the token is the child at hand, number `index`. */
static bool is_named(const struct seeking *seeking, const struct token_steps *steps, uint64_t index)
{
    const struct bytes *token = &seeking->token;
    char digits[24];
    int size;

    if (steps->is_object)
        return !steps->is_cut && token->size == seeking->key.size &&
               (token->size == 0 || memcmp(token->data, seeking->key.data, token->size) == 0);
    size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)index);
    return token->size == (size_t)size && memcmp(token->data, digits, token->size) == 0;
}

/* Goes to the child of the container at hand that the token names. Of members of one name the last
 * counts. False when there is none: out->type and children are the container's. */
static bool go_down(struct seeking *seeking)
{
    struct token_reader *reader = &seeking->reader;
    struct token_steps steps = {.key = &seeking->key};
    uint64_t found = UINT64_MAX;

    seeking->out->type = token_type(reader);
    seeking->out->children = 0;
    if (seeking->out->type != JSON_OBJECT && seeking->out->type != JSON_ARRAY)
        return false;
    while (token_child(reader, &steps)) {
        (void)token_peek(reader);
        if (is_named(seeking, &steps, seeking->out->children)) {
            found = token_offset(reader);
            if (!steps.is_object)
                return true;
        }
        if (!token_skip(reader))
            return false;
        seeking->out->children++;
    }
    if (found != UINT64_MAX)
        token_seek(reader, found);
    return found != UINT64_MAX;
}

/* Stands before the value afterwards, unless out->is_missing. */
static void follow(struct seeking *seeking)
{
    size_t at = 0;

    while (at < seeking->options->pointer.size) {
        seeking->out->found = at;
        (void)take_token(seeking, &at);
        if (!go_down(seeking)) {
            seeking->out->is_missing = true;
            return;
        }
    }
}

/* ---- rows -------------------------------------------------------------------------------------- */

static const char *word_of(enum json_type type)
{
    switch (type) {
    case JSON_OBJECT: return "object";
    case JSON_ARRAY: return "array";
    case JSON_STRING: return "string";
    default: return "number";
    }
}

static void add_escaped(struct bytes *out, const struct bytes *key)
{
    for (size_t i = 0; i < key->size; i++) {
        if (key->data[i] == '~')
            bytes_add(out, "~0", 2);
        else if (key->data[i] == '/')
            bytes_add(out, "~1", 2);
        else
            bytes_add_char(out, key->data[i]);
    }
}

/* The pointer of the child at hand as a JSON string. */
static void add_pointer(struct seeking *seeking, const struct token_steps *steps, uint64_t index)
{
    struct json_slice pointer = seeking->options->pointer;
    struct bytes whole = {0};

    bytes_add(&whole, pointer.data, pointer.size);
    bytes_add_char(&whole, '/');
    if (steps->is_object)
        add_escaped(&whole, &seeking->key);
    else
        bytes_add_number(&whole, index);
    if (steps->is_cut)
        bytes_add_text(&whole, "...");
    json_quote(&seeking->out->text, whole.data, whole.size);
    seeking->out->text.failed |= whole.failed;
    bytes_free(&whole);
}

/* A value on one line, with what was between its parts as one blank at most. */
static void add_short(struct seeking *seeking, uint64_t from, size_t size)
{
    struct token_reader *reader = &seeking->reader;
    char text[SHORT_VALUE];
    ssize_t count = reader->sys->pread(reader->fd, text, size, (off_t)from);

    for (ssize_t i = 0; i < count; i++) {
        bool is_break = text[i] == '\n' || text[i] == '\r' || text[i] == '\t';
        char last = seeking->out->text.data[seeking->out->text.size - 1];

        if (!is_break && (text[i] != ' ' || last != ' '))
            bytes_add_char(&seeking->out->text, text[i]);
        else if (is_break && last != ' ')
            bytes_add_char(&seeking->out->text, ' ');
    }
}

static void add_row(struct seeking *seeking, const struct token_steps *steps, uint64_t index,
                    enum json_type type, uint64_t from)
{
    struct bytes *text = &seeking->out->text;
    uint64_t size = token_offset(&seeking->reader) - from;
    size_t before = text->size;

    if (before > 0)
        bytes_add_char(text, '\n');
    add_pointer(seeking, steps, index);
    bytes_add_text(text, ": ");
    if (size <= SHORT_VALUE) {
        add_short(seeking, from, (size_t)size);
    } else {
        bytes_add_text(text, word_of(type));
        bytes_add_text(text, ", ");
        bytes_add_number(text, size);
        bytes_add_text(text, " bytes");
    }
    seeking->rows_are_full = text->size > seeking->options->bytes;
    if (seeking->rows_are_full)
        text->size = before;
    else
        seeking->out->shown++;
}

/* ---- values ------------------------------------------------------------------------------------ */

/* Goes through the container at hand, counts its children, and makes rows of them. */
static void take_children(struct seeking *seeking)
{
    struct token_reader *reader = &seeking->reader;
    struct token_steps steps = {.key = &seeking->key};
    struct artifact_json *out = seeking->out;

    for (out->children = 0; token_child(reader, &steps); out->children++) {
        enum json_type type = token_type(reader);
        uint64_t from = token_offset(reader);

        if (!token_skip(reader))
            return;
        if (out->children >= seeking->options->first && !seeking->rows_are_full)
            add_row(seeking, &steps, out->children, type, from);
    }
}

/* The value, or what fits of it, in place of rows. */
static croft_status take_text(struct seeking *seeking, uint64_t from, croft_error *err)
{
    struct artifact_json *out = seeking->out;
    uint64_t most = seeking->options->bytes;
    size_t size = (size_t)(out->size < most ? out->size : most);
    ssize_t count;

    bytes_clear(&out->text);
    if (!bytes_reserve(&out->text, size + 1))
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    count = read_fully(seeking->reader.sys, seeking->reader.fd, out->text.data, size, (off_t)from);
    if (count < 0)
        return fail_io(err, errno, "it cannot be read");
    out->text.size = (size_t)count;
    out->is_whole = out->size <= most;
    if (!out->is_whole)
        out->text.size = utf8_cut(out->text.data, out->text.size, out->text.size);
    return CROFT_OK;
}

/* The value at hand. */
static croft_status take_value(struct seeking *seeking, croft_error *err)
{
    struct token_reader *reader = &seeking->reader;
    struct artifact_json *out = seeking->out;
    uint64_t from;
    bool is_container;

    out->type = token_type(reader);
    from = token_offset(reader);
    is_container = out->type == JSON_OBJECT || out->type == JSON_ARRAY;
    if (is_container)
        take_children(seeking);
    else
        (void)token_skip(reader);
    out->size = token_offset(reader) - from;
    if (seeking->options->pointer.size == 0)
        (void)token_ends(reader);
    if (reader->fault != NULL || reader->failed != CROFT_OK)
        return CROFT_OK; /* told later */
    if (seeking->options->first == 0 && (!is_container || out->size <= seeking->options->bytes))
        return take_text(seeking, from, err);
    return CROFT_OK;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static croft_status verdict(const struct seeking *seeking, croft_error *err)
{
    const struct token_reader *reader = &seeking->reader;

    seeking->out->fault = reader->fault;
    seeking->out->fault_at = reader->fault_at;
    if (seeking->options->budget->breach != BREACH_NONE)
        return fail_breach(seeking->options->budget, err);
    if (reader->failed != CROFT_OK)
        return fail(err, reader->failed, reader->sys_errno, "it cannot be read");
    if (seeking->out->text.failed || seeking->key.failed || seeking->token.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return CROFT_OK;
}

static croft_status seek(struct seeking *seeking, croft_error *err)
{
    struct token_reader *reader = &seeking->reader;
    char mark[BYTE_ORDER_MARK_SIZE];
    croft_status status = check_pointer(seeking, err);
    ssize_t count;

    if (status != CROFT_OK)
        return status;
    reader->window = malloc(TOKEN_WINDOW);
    if (reader->window == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    count = read_fully(reader->sys, reader->fd, mark, sizeof mark, 0);
    if (count > 0)
        reader->base = lines_mark(mark, (size_t)count);
    follow(seeking);
    if (!seeking->out->is_missing)
        status = take_value(seeking, err);
    return status == CROFT_OK ? verdict(seeking, err) : status;
}

croft_status artifact_json_find(struct artifacts *artifacts, struct artifact *artifact,
                                const struct artifact_json_options *options,
                                struct artifact_json *json, croft_error *err)
{
    struct seeking seeking = {
        .reader = {.sys = artifact->sys, .fd = artifact->fd, .budget = options->budget},
        .options = options,
        .out = json,
    };
    uint64_t size;
    croft_status status;

    memset(json, 0, sizeof *json);
    status = artifact_look(artifacts, artifact, &json->change, &size, err);
    if (status == CROFT_OK)
        status = seek(&seeking, err);
    free(seeking.reader.window);
    bytes_free(&seeking.key);
    bytes_free(&seeking.token);
    return status;
}

void artifact_json_free(struct artifact_json *json)
{
    bytes_free(&json->text);
}
