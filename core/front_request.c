/* SPDX-License-Identifier: MIT */
#include "front_request.h"

#include <string.h>

#include <lauxlib.h>

#include "ceilings.h"
#include "front_json.h"

enum { DIGITS = 18 }; /* of a number that has 64 bits without a look at it */

/* The members of a message that say what it is. */
struct members {
    struct json_slice version, id, method, params;
};

static bool slice_is(struct json_slice slice, const char *text)
{
    return slice.size == strlen(text) && memcmp(slice.data, text, slice.size) == 0;
}

/* The last of several counts, as everywhere. False where a name is spelled with escapes. */
static bool find_members(struct json_slice message, struct members *members)
{
    struct json_slice key, value;
    struct json_steps steps = {0};

    while (json_next(message, &steps, &key, &value)) {
        if (memchr(key.data, '\\', key.size) != NULL)
            return false;
        if (slice_is(key, "\"jsonrpc\""))
            members->version = value;
        else if (slice_is(key, "\"id\""))
            members->id = value;
        else if (slice_is(key, "\"method\""))
            members->method = value;
        else if (slice_is(key, "\"params\""))
            members->params = value;
    }
    return true;
}

/* A string that stands for itself, quotation marks aside. */
static bool is_plain(struct json_slice text)
{
    return json_type(text) == JSON_STRING && memchr(text.data, '\\', text.size) == NULL;
}

static bool is_short_whole(struct json_slice number)
{
    size_t at = json_type(number) == JSON_NUMBER && number.data[0] == '-';

    if (json_type(number) != JSON_NUMBER || number.size - at > DIGITS)
        return false;
    while (at < number.size && number.data[at] >= '0' && number.data[at] <= '9')
        at++;
    return at == number.size;
}

static bool is_common(const struct members *members)
{
    return members->version.data != NULL && slice_is(members->version, "\"2.0\"") &&
           members->method.data != NULL && is_plain(members->method) && members->id.data != NULL &&
           (is_short_whole(members->id) || is_plain(members->id)) &&
           (members->params.data == NULL || json_type(members->params) == JSON_OBJECT);
}

static void push_plain(lua_State *L, struct json_slice text)
{
    lua_pushlstring(L, text.data + 1, text.size - 2);
}

/* As jsonrpc.key() has it, of an id that has no control characters, which only escapes can spell. */
static void push_key(lua_State *L, struct json_slice id)
{
    bool is_text = json_type(id) == JSON_STRING;

    lua_pushstring(L, is_text ? "s" : "n");
    if (is_text)
        push_plain(L, id);
    else
        lua_pushlstring(L, id.data, id.size);
    lua_concat(L, 2);
}

int front_request(lua_State *L)
{
    struct json_slice message = front_json_text(L, 1);
    struct members members = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct json_fault fault;

    if (!json_check(message, JSON_DEPTH, &fault) || json_type(message) != JSON_OBJECT ||
        !find_members(message, &members) || !is_common(&members))
        return 0;
    push_plain(L, members.method);
    lua_pushlstring(L, members.id.data, members.id.size);
    front_json_push(L, members.params, 1);
    push_key(L, members.id);
    return 4;
}
