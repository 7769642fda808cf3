/* SPDX-License-Identifier: MIT */
#include "functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "error.h"
#include "json_scan.h"
#include "utf8.h"

enum { NAME_MOST = 64, DESCRIPTION_MOST = 1024, REPLY_MESSAGE_MOST = 4 * KIB };

/* ---- names ------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether Lua takes `name` behind a dot. */
static bool is_word_of_lua(const char *name)
{
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static bool is_name(const char *name)
{
    size_t size = strlen(name);

    if (size == 0 || size > NAME_MOST || !is_letter(name[0]))
        return false;
    for (size_t i = 1; i < size; i++)
        if (!is_letter(name[i]) && (name[i] < '0' || name[i] > '9'))
            return false;
    return !is_word_of_lua(name);
}

static croft_status bad_name(const char *name, croft_error *err)
{
    struct bytes shown = {0};

    (void)utf8_add_name(&shown, name, strnlen(name, NAME_MOST + 1));
    (void)fail_format(
        err, CROFT_BAD_ARGUMENT, 0,
        "a function cannot be called \"%s\": a name has 1 to %d letters, digits and _, "
        "no digit first, and is no word of Lua",
        bytes_end(&shown), NAME_MOST);
    bytes_free(&shown);
    return CROFT_BAD_ARGUMENT;
}

/* Whether one of the first `count` has that name. */
static bool is_taken(const croft_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    return false;
}

/* The one at `index`; those before it are good. */
static croft_status check(const croft_function *functions, size_t index, croft_error *err)
{
    const croft_function *given = &functions[index];
    const char *description = given->description == NULL ? "" : given->description;
    size_t size = strlen(description);

    if (given->name == NULL || !is_name(given->name))
        return bad_name(given->name == NULL ? "" : given->name, err);
    if (is_taken(functions, index, given->name))
        return fail_format(err, CROFT_BAD_ARGUMENT, 0, "two functions are called \"%s\"",
                           given->name);
    if (given->callback == NULL)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0, "the function \"%s\" has no callback",
                           given->name);
    if (size > DESCRIPTION_MOST || utf8_valid(description, size) != size)
        return fail_format(
            err, CROFT_BAD_ARGUMENT, 0,
            "the description of the function \"%s\" is not UTF-8 of at most %d bytes", given->name,
            DESCRIPTION_MOST);
    return CROFT_OK;
}

/* ---- the copy ---------------------------------------------------------------------------------- */

/* Text that we own, in a structure of the host's where it is constant. */
static void free_text(const char *text)
{
    union {
        const char *constant;
        char *ours;
    } owned = {.constant = text};

    free(owned.ours);
}

static croft_status add(struct functions *functions, const croft_function *given, croft_error *err)
{
    char *name = strdup(given->name);
    char *description = strdup(given->description == NULL ? "" : given->description);

    if (name == NULL || description == NULL) {
        free(name);
        free(description);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    functions->items[functions->count++] =
        (croft_function){name, description, given->callback, given->user};
    return CROFT_OK;
}

croft_status functions_copy(struct functions *functions, const croft_function *given, size_t count,
                            croft_error *err)
{
    croft_status status = CROFT_OK;

    memset(functions, 0, sizeof *functions);
    if (count == 0)
        return CROFT_OK;
    functions->items = calloc(count, sizeof *functions->items);
    if (functions->items == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    for (size_t i = 0; i < count && status == CROFT_OK; i++) {
        status = check(given, i, err);
        if (status == CROFT_OK)
            status = add(functions, &given[i], err);
    }
    if (status != CROFT_OK)
        functions_free(functions);
    return status;
}

void functions_free(struct functions *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        free_text(functions->items[i].name);
        free_text(functions->items[i].description);
    }
    free(functions->items);
    memset(functions, 0, sizeof *functions);
}

/* ---- replies ----------------------------------------------------------------------------------- */

void functions_reply_json(struct croft_reply *reply, const char *json, size_t size)
{
    functions_free_reply(reply);
    reply->kind = REPLY_JSON;
    reply->is_too_large = size > MESSAGE_BYTES;
    if (!reply->is_too_large)
        bytes_add(&reply->json, json, size);
}

void functions_reply_error(struct croft_reply *reply, croft_status code, const char *message)
{
    size_t size = message == NULL ? 0 : strlen(message);

    functions_free_reply(reply);
    reply->kind = REPLY_ERROR;
    reply->code = status_is_answer(code) ? code : CROFT_INTERNAL;
    bytes_add(&reply->message, message, utf8_cut(message, size, REPLY_MESSAGE_MOST));
}

static croft_status refuse(struct croft_reply *reply, const char *why)
{
    bytes_free(&reply->message);
    bytes_add_text(&reply->message, why);
    return CROFT_INTERNAL;
}

static croft_status check_json(struct croft_reply *reply)
{
    struct json_slice json = {bytes_end(&reply->json), reply->json.size};
    struct json_fault fault;

    if (reply->is_too_large)
        return refuse(reply, "replied more than 8 MiB");
    if (reply->json.failed)
        return refuse(reply, "found no memory for its reply");
    if (!json_check(json, FUNCTION_DEPTH, &fault)) {
        (void)refuse(reply, "replied no JSON that can be used: ");
        bytes_add_text(&reply->message, fault.reason);
        bytes_add_text(&reply->message, " (byte ");
        bytes_add_number(&reply->message, fault.at + 1);
        bytes_add_char(&reply->message, ')');
        return CROFT_INTERNAL;
    }
    if (json_has_lone_surrogate(json, NULL))
        return refuse(reply, "replied half of a surrogate pair");
    return CROFT_OK;
}

croft_status functions_check_reply(struct croft_reply *reply)
{
    switch (reply->kind) {
    case REPLY_JSON: return check_json(reply);
    case REPLY_ERROR: return reply->code;
    default: return refuse(reply, "gave no reply");
    }
}

void functions_free_reply(struct croft_reply *reply)
{
    bytes_free(&reply->json);
    bytes_free(&reply->message); /* both are empty then */
    reply->kind = REPLY_NONE;
    reply->code = CROFT_OK;
    reply->is_too_large = false;
}
