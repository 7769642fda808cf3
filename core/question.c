/* SPDX-License-Identifier: MIT */
#include "question.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json_canonical.h"

static croft_status no_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

void question_free(struct question *question)
{
    bytes_free(&question->texts);
    bytes_free(&question->content);
    free(question->paths);
    memset(question, 0, sizeof *question);
}

/* ---- paths ------------------------------------------------------------------------------------- */

/* As models spell it that were trained on another tool. */
static struct json_slice path_member(struct json_slice args, const char *name)
{
    struct json_slice value = json_member(args, name);

    if (strcmp(name, "path") == 0 &&
        (json_type(value) == JSON_NONE || json_type(value) == JSON_NULL))
        value = json_member(args, "file_path");
    return value;
}

static croft_status add_path(struct question *question, struct json_slice value, croft_error *err)
{
    struct path *path = calloc(1, sizeof *path);
    struct bytes text = {0};
    croft_status status;

    (void)json_text(value, &text);
    if (path == NULL || text.failed)
        status = no_memory(err);
    else
        status = path_parse(bytes_end(&text), text.size, path, err);
    if (status == CROFT_OK && path != NULL) {
        bytes_add_text(&question->texts, path->size == 0 ? "." : path->text);
        bytes_add_char(&question->texts, '\0');
        question->path_count++;
    }
    bytes_free(&text);
    free(path);
    return status;
}

/* What is no text is refused before the tool runs, and names no path. */
static croft_status take_argument(struct question *question, const char *name, croft_error *err)
{
    bool is_optional = *name == '?';
    struct json_slice value = path_member(question->args, name + is_optional);

    if (json_type(value) == JSON_STRING)
        return add_path(question, value, err);
    if (is_optional && (json_type(value) == JSON_NONE || json_type(value) == JSON_NULL)) {
        bytes_add(&question->texts, ".", 2); /* with its NUL */
        question->path_count++;
    }
    return CROFT_OK;
}

static croft_status point(struct question *question, croft_error *err)
{
    const char *text = question->texts.data;

    question->paths = calloc(question->path_count + 1, sizeof *question->paths);
    if (question->paths == NULL || question->texts.failed)
        return no_memory(err);
    for (size_t i = 0; i < question->path_count; i++, text += strlen(text) + 1)
        question->paths[i] = text;
    return CROFT_OK;
}

croft_status question_read(struct question *question, const struct gate_tool *tool,
                           const char *name, struct json_slice args, croft_error *err)
{
    croft_status status = CROFT_OK;
    size_t at = 0;

    memset(question, 0, sizeof *question);
    question->tool = tool;
    question->name = name;
    question->args = args;
    while (at < tool->arguments.size && status == CROFT_OK) {
        const char *argument = tool->arguments.data + at;

        status = take_argument(question, argument, err);
        at += strlen(argument) + 1;
    }
    return status == CROFT_OK ? point(question, err) : status;
}

/* ---- digests ----------------------------------------------------------------------------------- */

/* What a call sends to be written: the argument that holds it, or all of them. */
static struct json_slice sent(const struct question *question)
{
    static const char *const names[] = {"content", "new_string", "patch"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct json_slice value = json_member(question->args, names[i]);

        if (json_type(value) == JSON_STRING)
            return value;
    }
    return question->args;
}

static bool hash_content(struct question *question)
{
    struct json_slice value = sent(question);
    struct bytes text = {0};
    bool good;

    if (question->tool->effect != CROFT_WRITES)
        return true;
    if (question->has_content)
        bytes_add(&text, question->content.data, question->content.size);
    else if (json_type(value) == JSON_STRING)
        (void)json_text(value, &text);
    else
        bytes_add(&text, value.data, value.size);
    good = !text.failed;
    question->content_size = text.size;
    sha256_hex_of(bytes_end(&text), text.size, question->content_digest);
    bytes_free(&text);
    return good;
}

static bool add_call(struct question *question, struct bytes *text)
{
    bool good;

    bytes_add_text(text, "{\"args\":");
    good = json_canonical(question->args, text);
    bytes_add_text(text, ",\"tool\":");
    json_quote(text, question->name, strlen(question->name));
    bytes_add_char(text, '}');
    return good && !text->failed;
}

bool question_hash(struct question *question)
{
    struct bytes text = {0};
    bool good;

    if (question->digest[0] != '\0')
        return true;
    good = add_call(question, &text) && hash_content(question);
    if (good)
        sha256_hex_of(text.data, text.size, question->digest);
    bytes_free(&text);
    return good;
}

static void hash_text(const struct bytes *text, unsigned char digest[SHA256_BYTES])
{
    struct sha256 hash;

    sha256_init(&hash);
    sha256_add(&hash, text->data, text->size);
    sha256_end(&hash, digest);
}

bool question_scope(struct question *question, bool whole, unsigned char digest[SHA256_BYTES])
{
    struct bytes text = {0};
    bool good = true;

    if (whole || question->tool->effect == CROFT_SEARCHES || question->path_count == 0) {
        good = add_call(question, &text);
    } else {
        bytes_add_text(&text, question->name);
        bytes_add_char(&text, '\0');
        bytes_add(&text, question->texts.data, question->texts.size);
    }
    good = good && !text.failed;
    if (good)
        hash_text(&text, digest);
    bytes_free(&text);
    return good;
}
