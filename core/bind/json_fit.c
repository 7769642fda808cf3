/* SPDX-License-Identifier: MIT */
/*
 * Most calls are made as their schema says. Such arguments are read here in one go; the rest, which are put
 * right, refused, or of a kind that few tools take, is croft.arguments' alone.
 */
#include "bind/json_parts.h"

#include <string.h>

/* What is on the stack. */
enum { TEXT = 1, SCHEMA, PROPERTIES, OUT, BUFFER, TOP = BUFFER };

enum {
    USUAL = 4,       /* arguments, at the most */
    LARGE = 64 * KIB /* bytes: what does not fit will be read once more, and be in the heap twice */
};

/* Pushes the field of a table; what is none has no fields. */
static int push_field(lua_State *L, int index, const char *name)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index)) {
        lua_pushnil(L);
        return LUA_TNIL;
    }
    lua_pushstring(L, name);
    return lua_rawget(L, index);
}

/* Made when the first text needs it. */
static struct bytes *get_buffer(lua_State *L)
{
    const struct box *box;

    if (lua_isnil(L, BUFFER)) {
        (void)json_push_buffer(L);
        lua_replace(L, BUFFER);
    }
    box = lua_touserdata(L, BUFFER);
    return box->payload;
}

/* Pushes the text of a string; one without escapes stands in the JSON as it is. */
static void push_text(lua_State *L, struct json_slice string)
{
    if (memchr(string.data, '\\', string.size) == NULL) {
        lua_pushlstring(L, string.data + 1, string.size - 2);
        return;
    }
    json_push_text(L, string, get_buffer(L));
}

/* Whether the value at the top is in the list `enum` of the node, if there is one. */
static bool is_in_list(lua_State *L, int node)
{
    bool is = push_field(L, node, "enum") == LUA_TNIL;
    size_t count = is ? 0 : lua_rawlen(L, -1);

    for (size_t i = 1; i <= count && !is; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        is = lua_rawequal(L, -1, -3);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is;
}

/* Pushes the text. False when the node does not take it; then there may be anything at the top. */
static bool push_string(lua_State *L, int node, struct json_slice value)
{
    size_t size;

    if (json_type(value) != JSON_STRING)
        return false;
    push_text(L, value);
    size = lua_rawlen(L, -1);
    push_field(L, node, "minLength");
    if (size < (size_t)lua_tointeger(L, -1))
        return false;
    lua_pop(L, 1);
    return is_in_list(L, node);
}

/* Whether the bound is there, and `low` is above `high`, one of which it is. */
static bool is_beyond(lua_State *L, int bound, int low, int high)
{
    return lua_type(L, bound) == LUA_TNUMBER && lua_compare(L, high, low, LUA_OPLT);
}

/* Of more digits a double, as which croft.arguments gets numbers, might not hold all. */
static bool take_integer(struct json_slice value, lua_Integer *out)
{
    enum { DIGITS = 15 };
    bool is_negative = value.size > 0 && value.data[0] == '-';
    size_t at = is_negative;

    if (value.size - at > DIGITS || at == value.size)
        return false;
    for (*out = 0; at < value.size; at++) {
        if (value.data[at] < '0' || value.data[at] > '9')
            return false;
        *out = *out * 10 + (value.data[at] - '0');
    }
    *out = is_negative ? -*out : *out;
    return true;
}

static bool push_integer(lua_State *L, int node, struct json_slice value)
{
    lua_Integer number;
    int at = lua_gettop(L) + 1;

    if (!take_integer(value, &number))
        return false;
    lua_pushinteger(L, number);
    push_field(L, node, "minimum");
    push_field(L, node, "maximum");
    if (is_beyond(L, at + 1, at + 1, at) || is_beyond(L, at + 2, at, at + 2))
        return false;
    lua_settop(L, at);
    return true;
}

static bool push_boolean(lua_State *L, struct json_slice value)
{
    enum json_type type = json_type(value);

    lua_pushboolean(L, type == JSON_TRUE);
    return type == JSON_TRUE || type == JSON_FALSE;
}

/* Pushes the value of a member whose schema is the table at `node`. */
static bool push_member(lua_State *L, int node, struct json_slice value)
{
    const char *type = push_field(L, node, "type") == LUA_TSTRING ? lua_tostring(L, -1) : "";

    lua_pop(L, 1); /* the schema keeps it */
    if (strcmp(type, "string") == 0)
        return push_string(L, node, value);
    if (strcmp(type, "integer") == 0)
        return push_integer(L, node, value);
    return strcmp(type, "boolean") == 0 && push_boolean(L, value);
}

static bool fit_members(lua_State *L, struct json_slice text)
{
    struct json_steps state = {0};
    struct json_slice key, value;

    while (json_next(text, &state, &key, &value)) {
        int node = TOP + 2;

        push_text(L, key);
        lua_pushvalue(L, -1);
        lua_rawget(L, PROPERTIES);
        if (!push_member(L, node, value))
            return false;
        lua_remove(L, node);
        lua_rawset(L, OUT);
    }
    return true;
}

/* Whether all that must be there is. */
static bool is_complete(lua_State *L)
{
    size_t count = push_field(L, SCHEMA, "required") == LUA_TTABLE ? lua_rawlen(L, -1) : 0;

    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        if (lua_rawget(L, OUT) == LUA_TNIL)
            return false;
        lua_pop(L, 1);
    }
    return true;
}

/* Leaves the members at OUT, if they fit. */
static bool fit(lua_State *L, struct json_slice text)
{
    bool fits;

    if (text.size > LARGE || push_field(L, SCHEMA, "properties") != LUA_TTABLE ||
        !json_check(text, JSON_DECODE_DEPTH, NULL) || json_type(text) != JSON_OBJECT ||
        json_has_lone_surrogate(text, NULL))
        return false;
    lua_createtable(L, 0, USUAL);
    lua_pushnil(L);
    fits = fit_members(L, text) && is_complete(L);
    if (!lua_isnil(L, BUFFER))
        bind_release(L, BUFFER);
    return fits;
}

int json_fit(lua_State *L)
{
    struct json_slice text = json_argument(L, TEXT);

    lua_settop(L, SCHEMA);
    bind_tick(L, text.size / 16);
    if (!fit(L, text))
        return 0;
    lua_pushvalue(L, OUT);
    return 1;
}
