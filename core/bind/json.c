/* SPDX-License-Identifier: MIT */
/*
 * core.json: the strict scanner in front of lua-cjson. cjson's own buffers are not ours to free, so it
 * runs with the trap disarmed, after a look at whether its result can fit.
 */
#include "bind/json_parts.h"

#include <string.h>

#include "bind/modules.h"
#include "json_plain.h"

/* Not in any header of the package. */
extern int luaopen_cjson(lua_State *L);

enum { VALUE_BYTES = 80 /* what one value, a small table say, may cost in Lua's heap */ };

struct json_slice json_argument(lua_State *L, int index)
{
    const struct json_slice *args = bind_host(L)->args;
    struct json_slice slice;

    if (args != NULL && lua_touserdata(L, index) == args)
        slice = *args;
    else
        slice.data = luaL_checklstring(L, index, &slice.size);
    bind_tick(L, slice.size / 16 + 1);
    return slice;
}

/* check(text, depth) -> true; or nil, reason, byte */
static int json_check_text(lua_State *L)
{
    struct json_slice text = json_argument(L, 1);
    struct json_fault fault = {NULL, 0};

    if (json_check(text, (unsigned)bind_opt_integer(L, 2, JSON_DEPTH), &fault)) {
        lua_pushboolean(L, true);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, fault.reason);
    lua_pushinteger(L, (lua_Integer)fault.at + 1);
    return 3;
}

static void close_bytes(void *payload)
{
    bytes_free(payload);
}

struct bytes *json_push_buffer(lua_State *L)
{
    return bind_own(L, sizeof(struct bytes), close_bytes);
}

/* lone(text) -> nothing, or the name of the top-level member that holds a lone surrogate escape */
static int json_lone(lua_State *L)
{
    struct json_slice text = json_argument(L, 1), top = {NULL, 0};
    struct bytes *name;

    if (!json_has_lone_surrogate(text, &top))
        return 0;
    name = json_push_buffer(L);
    json_text(top, name);
    lua_pushlstring(L, name->size == 0 ? "" : name->data, name->size);
    return 1;
}

/* From behind a string's opening quote to behind its closing one. */
static size_t skip_string(struct json_slice text, size_t at)
{
    while (at < text.size && text.data[at] != '"') {
        size_t run = json_plain_run(text.data + at, text.size - at);

        at += run > 0 ? run : 1 + (text.data[at] == '\\');
    }
    return at + 1;
}

/* How many values there are at most: separators outside strings, and one. */
static size_t count_values(struct json_slice text)
{
    size_t count = 1, at = 0;

    while (at < text.size) {
        char c = text.data[at++];

        if (c == '"')
            at = skip_string(text, at);
        else if (c == ',' || c == '[' || c == '{' || c == ':')
            count++;
    }
    return count;
}

/* object(text) -> whether it is one; it must have passed check() */
static int json_object(lua_State *L)
{
    lua_pushboolean(L, json_type(json_argument(L, 1)) == JSON_OBJECT);
    return 1;
}

/* Replaces the text at the top by what cjson makes of it. */
static void decode_top(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    bool armed = host->armed;
    int status;

    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, -2);
    host->armed = false;
    status = lua_pcall(L, 1, 1, 0);
    host->armed = armed;
    if (status != LUA_OK)
        lua_error(L);
}

static void push_decoded(lua_State *L, struct json_slice text)
{
    lua_pushlstring(L, text.data, text.size);
    decode_top(L);
}

void json_push_text(lua_State *L, struct json_slice string, struct bytes *buffer)
{
    bytes_clear(buffer);
    json_text(string, buffer);
    if (buffer->failed)
        bind_trap(bind_host(L), BREACH_MEMORY);
    lua_pushlstring(L, buffer->size == 0 ? "" : buffer->data, buffer->size);
}

/* Ends the call when so many values cannot fit. */
static void check_room(lua_State *L, size_t values)
{
    struct bind_host *host = bind_host(L);

    if (values > host->limits->heap / VALUE_BYTES)
        bind_trap(host, BREACH_MEMORY);
}

/* Pushes an object; its texts, which may be long, are taken by the scanner. */
static void push_object(lua_State *L, struct json_slice text)
{
    struct bytes *bytes = json_push_buffer(L);
    int box = lua_gettop(L);
    struct json_slice key, value;
    struct json_steps state = {0};
    size_t count = 0;

    lua_newtable(L);
    while (json_next(text, &state, &key, &value)) {
        json_push_text(L, key, bytes);
        if (json_type(value) == JSON_STRING) {
            json_push_text(L, value, bytes);
        } else {
            count += count_values(value);
            check_room(L, count);
            push_decoded(L, value);
        }
        lua_rawset(L, -3);
    }
    bind_release(L, box);
}

static void push_value(lua_State *L, struct json_slice text)
{
    if (json_type(text) == JSON_OBJECT) {
        push_object(L, text);
        return;
    }
    check_room(L, count_values(text));
    if (lua_isstring(L, 1)) {
        lua_pushvalue(L, 1);
        decode_top(L);
    } else {
        push_decoded(L, text);
    }
}

/* decode(text) -> value. `text` must have passed check() and lone(). Upvalue 1: cjson.decode. */
static int json_decode(lua_State *L)
{
    struct json_slice text = json_argument(L, 1);

    push_value(L, text);
    bind_tick(L, text.size / 16);
    return 1;
}

static int json_deep(lua_State *L)
{
    struct json_slice text = json_argument(L, 1);

    lua_pushboolean(L, json_deeper(text, JSON_DECODE_DEPTH));
    return 1;
}

/* ---- arrays ------------------------------------------------------------------------------------ */

#define ARRAY "croft.array" /* registry key of the metatable that is their mark; nobody gets it */

/* Whether the value at `index` is marked as an array. */
static bool is_marked(lua_State *L, int index)
{
    bool is;

    if (!lua_getmetatable(L, index))
        return false;
    luaL_getmetatable(L, ARRAY);
    is = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return is;
}

/* array(list) -> list, marked as an array also when it is empty */
static int json_array(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    if (is_marked(L, 1))
        return 1;
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    luaL_setmetatable(L, ARRAY);
    return 1;
}

/* is_array(value) -> whether it is marked as one */
static int json_is_array(lua_State *L)
{
    lua_pushboolean(L, is_marked(L, 1));
    return 1;
}

static void make_array_type(lua_State *L)
{
    luaL_newmetatable(L, ARRAY);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

/* ---- cjson ------------------------------------------------------------------------------------- */

static void set_option(lua_State *L, const char *name, int argument, bool is_number)
{
    lua_getfield(L, -1, name);
    if (is_number)
        lua_pushinteger(L, argument);
    else
        lua_pushboolean(L, argument);
    lua_call(L, 1, 0);
}

/* `luaopen_cjson` makes an instance of its own each time, so nothing is shared with the host's Lua. */
static void open_cjson(lua_State *L)
{
    lua_pushcfunction(L, luaopen_cjson);
    lua_call(L, 0, 1);
    set_option(L, "encode_keep_buffer", false, false);
    set_option(L, "decode_invalid_numbers", false, false);
    set_option(L, "encode_invalid_numbers", false, false);
    set_option(L, "decode_max_depth", JSON_DECODE_DEPTH, true);
}

int module_json(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"check", json_check_text},  {"lone", json_lone},
        {"deep", json_deep},         {"fit", json_fit},
        {"object", json_object},     {"array", json_array},
        {"is_array", json_is_array}, {NULL, NULL},
    };

    make_array_type(L);
    luaL_newlib(L, functions);
    open_cjson(L);
    lua_getfield(L, -1, "decode");
    lua_pushcclosure(L, json_decode, 1);
    lua_setfield(L, -3, "decode");
    lua_getfield(L, -1, "null");
    lua_setfield(L, -3, "null");
    lua_pop(L, 1);
    return 1;
}
