/* SPDX-License-Identifier: MIT */
#include "front_json.h"

#include <string.h>

#include <lauxlib.h>

#include "ceilings.h"

#define SLICE "croft.json"
#define SCRATCH "croft.scratch"

enum { PICKED = 8, KEPT_BYTES = 256 * KIB };

/* A buffer that Lua owns: an error between filling and pushing it leaks nothing. */
static struct bytes *scratch(lua_State *L)
{
    struct bytes *bytes;

    lua_getfield(L, LUA_REGISTRYINDEX, SCRATCH "*");
    bytes = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (bytes->failed || bytes->capacity > KEPT_BYTES)
        bytes_free(bytes);
    bytes_clear(bytes);
    return bytes;
}

static int scratch_free(lua_State *L)
{
    bytes_free(luaL_checkudata(L, 1, SCRATCH));
    return 0;
}

static void make_scratch(lua_State *L)
{
    struct bytes *bytes = lua_newuserdatauv(L, sizeof *bytes, 0);

    memset(bytes, 0, sizeof *bytes);
    luaL_newmetatable(L, SCRATCH);
    lua_pushcfunction(L, scratch_free);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, SCRATCH "*");
}

static void push_bytes(lua_State *L, const struct bytes *bytes)
{
    if (bytes->failed)
        luaL_error(L, "not enough memory");
    lua_pushlstring(L, bytes->size == 0 ? "" : bytes->data, bytes->size);
}

void front_json_push_quoted(lua_State *L, const char *text, size_t size)
{
    struct bytes *bytes = scratch(L);

    json_quote(bytes, text, size);
    push_bytes(L, bytes);
}

static int json_quote_text(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);

    front_json_push_quoted(L, text, size);
    return 1;
}

static struct json_slice check_slice(lua_State *L)
{
    const struct json_slice *slice = luaL_checkudata(L, 1, SLICE);

    return *slice;
}

struct json_slice front_json_optional(lua_State *L, int index)
{
    const struct json_slice *slice;

    if (lua_isnoneornil(L, index))
        return (struct json_slice){NULL, 0};
    slice = luaL_checkudata(L, index, SLICE);
    return *slice;
}

void front_json_push(lua_State *L, struct json_slice slice, int anchor)
{
    struct json_slice *box;

    if (slice.data == NULL) {
        lua_pushnil(L);
        return;
    }
    box = lua_newuserdatauv(L, sizeof *box, 1);
    *box = slice;
    luaL_setmetatable(L, SLICE);
    lua_pushvalue(L, anchor);
    lua_setiuservalue(L, -2, 1);
}

struct json_slice front_json_text(lua_State *L, int index)
{
    struct json_slice text;

    if (lua_islightuserdata(L, index))
        return *(const struct json_slice *)lua_touserdata(L, index);
    text.data = luaL_checklstring(L, index, &text.size);
    return text;
}

/* (text) -> slice */
static int json_parse(lua_State *L)
{
    struct json_slice text = front_json_text(L, 1);
    struct json_fault fault;

    if (json_check(text, JSON_DEPTH, &fault)) {
        front_json_push(L, text, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, fault.reason);
    lua_pushinteger(L, (lua_Integer)fault.at + 1);
    return 3;
}

static int slice_type(lua_State *L)
{
    static const char *const words[] = {
        [JSON_NONE] = "none",   [JSON_NULL] = "null",     [JSON_FALSE] = "false",
        [JSON_TRUE] = "true",   [JSON_NUMBER] = "number", [JSON_STRING] = "string",
        [JSON_ARRAY] = "array", [JSON_OBJECT] = "object",
    };

    lua_pushstring(L, words[json_type(check_slice(L))]);
    return 1;
}

/* Whether the member name `key`, a JSON string, is `name`. */
static bool key_is(lua_State *L, struct json_slice key, const char *name)
{
    size_t size = strlen(name);
    struct bytes *text;

    if (memchr(key.data, '\\', key.size) == NULL)
        return key.size == size + 2 && memcmp(key.data + 1, name, size) == 0;
    text = scratch(L);
    return json_text(key, text) && text->size == size && memcmp(text->data, name, size) == 0;
}

static int slice_pick(lua_State *L)
{
    struct json_slice object = check_slice(L), key, value, found[PICKED] = {{NULL, 0}};
    struct json_steps state = {0};
    const char *names[PICKED];
    int count = lua_gettop(L) - 1;

    luaL_argcheck(L, count <= PICKED, PICKED + 2, "too many names");
    for (int i = 0; i < count; i++)
        names[i] = luaL_checkstring(L, i + 2);

    while (json_type(object) == JSON_OBJECT && json_next(object, &state, &key, &value)) {
        for (int i = 0; i < count; i++) {
            if (key_is(L, key, names[i]))
                found[i] = value;
        }
    }

    lua_getiuservalue(L, 1, 1);
    for (int i = 0; i < count; i++)
        front_json_push(L, found[i], count + 2);
    return count;
}

/* The iterator of each(): upvalues are the slice and how far it is. */
static int slice_step(lua_State *L)
{
    const struct json_slice *container = lua_touserdata(L, lua_upvalueindex(1));
    struct json_steps *state = lua_touserdata(L, lua_upvalueindex(2));
    struct json_slice key, value;

    lua_settop(L, 0);
    if (!json_next(*container, state, &key, &value))
        return 0;
    lua_getiuservalue(L, lua_upvalueindex(1), 1);
    front_json_push(L, value, 1);
    front_json_push(L, key, 1);
    return 2;
}

static int slice_each(lua_State *L)
{
    struct json_steps *state;

    check_slice(L);
    lua_settop(L, 1);
    state = lua_newuserdatauv(L, sizeof *state, 0);
    memset(state, 0, sizeof *state);
    lua_pushcclosure(L, slice_step, 2);
    return 1;
}

static int slice_text(lua_State *L)
{
    struct json_slice slice = check_slice(L);
    struct bytes *bytes;
    bool whole;

    if (json_type(slice) != JSON_STRING)
        return 0;
    bytes = scratch(L);
    whole = json_text(slice, bytes);
    push_bytes(L, bytes);
    lua_pushboolean(L, whole);
    return 2;
}

static int slice_raw(lua_State *L)
{
    struct json_slice slice = check_slice(L);

    lua_pushlstring(L, slice.data, slice.size);
    return 1;
}

static const luaL_Reg methods[] = {
    {"type", slice_type}, {"pick", slice_pick}, {"each", slice_each},
    {"text", slice_text}, {"raw", slice_raw},   {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"parse", json_parse},
    {"quote", json_quote_text},
    {NULL, NULL},
};

void front_json_add(lua_State *L)
{
    make_scratch(L);
    luaL_newmetatable(L, SLICE);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
