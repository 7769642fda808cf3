/* SPDX-License-Identifier: MIT */
#include "front_request.h"

#include <string.h>

#include "ceilings.h"
#include "front_json.h"

enum { DIGITS = 18 }; /* of a number that has 64 bits without a look at it */

bool request_is_same(struct json_slice one, struct json_slice other)
{
    return one.data != NULL && one.size == other.size &&
           memcmp(one.data, other.data, one.size) == 0;
}

bool request_find(struct json_slice object, const struct request_member *members, size_t count)
{
    struct json_slice key, value;
    struct json_steps steps = {0};

    while (json_next(object, &steps, &key, &value)) {
        if (memchr(key.data, '\\', key.size) != NULL)
            return false;
        for (size_t i = 0; i < count; i++)
            if (request_is_same(key, members[i].name))
                *members[i].value = value;
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

bool request_is_echoed(struct json_slice value)
{
    return is_short_whole(value) || is_plain(value);
}

static bool is_common(const struct request_line *line, struct json_slice version)
{
    return request_is_same(version, REQUEST_TEXT("\"2.0\"")) && is_plain(line->method) &&
           request_is_echoed(line->id) &&
           (line->params.data == NULL || json_type(line->params) == JSON_OBJECT);
}

void request_look(struct request_line *line)
{
    struct json_slice version = {NULL, 0};
    const struct request_member members[] = {{REQUEST_TEXT("\"jsonrpc\""), &version},
                                             {REQUEST_TEXT("\"id\""), &line->id},
                                             {REQUEST_TEXT("\"method\""), &line->method},
                                             {REQUEST_TEXT("\"params\""), &line->params}};
    struct json_fault fault;

    line->id = line->method = line->params = version;
    line->is_common = json_check(line->text, JSON_DEPTH, &fault) &&
                      json_type(line->text) == JSON_OBJECT &&
                      request_find(line->text, members, sizeof members / sizeof members[0]) &&
                      is_common(line, version);
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
    const struct request_line *line = lua_touserdata(L, 1);

    if (line == NULL || !line->is_common)
        return 0;
    push_plain(L, line->method);
    lua_pushlstring(L, line->id.data, line->id.size);
    front_json_push(L, line->params, 1);
    push_key(L, line->id);
    return 4;
}
