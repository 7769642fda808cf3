/* SPDX-License-Identifier: MIT */
/* Values as a reader sees them. Tables are looked into without running any code of theirs, frozen ones
 * through what stands in front. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bind/debug.h"
#include "bind/std.h"
#include "utf8.h"

enum { DEPTH = 4, FIELDS = 200, NAMES = 1000 };

struct showing {
    struct bytes *out;
    size_t end; /* of what may be shown */
    bool cut;
};

static bool is_full(struct showing *showing)
{
    showing->cut |= showing->out->size >= showing->end;
    return showing->cut;
}

static void show(lua_State *L, int index, int depth, struct showing *showing);

/* ---- scalars ----------------------------------------------------------------------------------- */

static void add_escaped(struct bytes *out, unsigned char c)
{
    char text[8];

    switch (c) {
    case '\n': bytes_add_text(out, "\\n"); return;
    case '\r': bytes_add_text(out, "\\r"); return;
    case '\t': bytes_add_text(out, "\\t"); return;
    case '"': bytes_add_text(out, "\\\""); return;
    case '\\': bytes_add_text(out, "\\\\"); return;
    default: break;
    }
    if (c >= 0x20 && c != 0x7F) {
        bytes_add_char(out, (char)c);
        return;
    }
    snprintf(text, sizeof text, "\\x%02X", c);
    bytes_add_text(out, text);
}

static void show_string(const char *text, size_t size, struct showing *showing)
{
    size_t room = showing->end > showing->out->size ? showing->end - showing->out->size : 0;
    size_t shown = size > room ? utf8_cut(text, size, room) : size;

    showing->cut |= shown < size;
    bytes_add_char(showing->out, '"');
    for (size_t i = 0; i < shown; i++)
        add_escaped(showing->out, (unsigned char)text[i]);
    bytes_add_text(showing->out, shown < size ? "..." : "\"");
}

static void show_number(lua_State *L, int index, struct showing *showing)
{
    lua_pushvalue(L, index); /* the conversion is done in place */
    bytes_add_text(showing->out, lua_tostring(L, -1));
    lua_pop(L, 1);
}

static void show_function(lua_State *L, int index, struct showing *showing)
{
    char text[DEBUG_FILE + 32], file[DEBUG_FILE];
    lua_Debug ar;

    lua_pushvalue(L, index);
    lua_getinfo(L, ">S", &ar);
    debug_copy_file(ar.source, file, sizeof file);
    if (ar.linedefined < 0)
        snprintf(text, sizeof text, "function (C)");
    else
        snprintf(text, sizeof text, "function %.100s:%d", file, ar.linedefined);
    bytes_add_text(showing->out, text);
}

static void show_userdata(lua_State *L, int index, struct showing *showing)
{
    bytes_add_text(showing->out, "userdata");
    if (!lua_getmetatable(L, index))
        return;
    lua_pushliteral(L, "__name");
    if (lua_rawget(L, -2) == LUA_TSTRING) {
        bytes_add_char(showing->out, ' ');
        bytes_add_text(showing->out, lua_tostring(L, -1));
    }
    lua_pop(L, 2);
}

/* ---- tables ------------------------------------------------------------------------------------ */

static bool is_name(const char *text, size_t size)
{
    if (size == 0 || (*text >= '0' && *text <= '9'))
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

        if (!letter && !(c >= '0' && c <= '9'))
            return false;
    }
    return true;
}

static void begin_field(struct showing *showing, int *count)
{
    if ((*count)++ > 0)
        bytes_add_text(showing->out, ", ");
}

/* Key and value are at the top; the key stays. */
static void show_field(lua_State *L, int depth, struct showing *showing, int *count)
{
    size_t size = 0;
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &size) : NULL;

    begin_field(showing, count);
    if (name != NULL && is_name(name, size)) {
        bytes_add(showing->out, name, size);
    } else {
        bytes_add_char(showing->out, '[');
        show(L, lua_gettop(L) - 1, depth + 1, showing);
        bytes_add_char(showing->out, ']');
    }
    bytes_add_text(showing->out, " = ");
    show(L, lua_gettop(L), depth + 1, showing);
    lua_pop(L, 1);
}

static bool is_element(lua_State *L, int index, lua_Integer length)
{
    lua_Integer i = lua_isinteger(L, index) ? lua_tointeger(L, index) : 0;

    return i >= 1 && i <= length;
}

static void show_elements(lua_State *L, int table, lua_Integer length, int depth,
                          struct showing *showing, int *count)
{
    for (lua_Integer i = 1; i <= length && *count < FIELDS && !is_full(showing); i++) {
        begin_field(showing, count);
        lua_rawgeti(L, table, i);
        show(L, lua_gettop(L), depth + 1, showing);
        lua_pop(L, 1);
    }
}

struct name {
    const char *text;
    size_t size;
};

static int by_text(const void *a, const void *b)
{
    const struct name *one = a, *other = b;
    int order = memcmp(one->text, other->text, one->size < other->size ? one->size : other->size);

    return order != 0 ? order : (one->size > other->size) - (one->size < other->size);
}

/* Those whose keys are strings, in their order; the table keeps the strings alive. */
static void show_names(lua_State *L, int table, int depth, struct showing *showing, int *count)
{
    struct name *names = lua_newuserdatauv(L, NAMES * sizeof *names, 0);
    size_t found = 0;

    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING && found < NAMES) {
            names[found].text = lua_tolstring(L, -1, &names[found].size);
            found++;
        }
    }
    qsort(names, found, sizeof *names, by_text);
    for (size_t i = 0; i < found && *count < FIELDS && !is_full(showing); i++) {
        lua_pushlstring(L, names[i].text, names[i].size);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        show_field(L, depth, showing, count);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void show_others(lua_State *L, int table, lua_Integer length, int depth,
                        struct showing *showing, int *count)
{
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        if (lua_type(L, -2) == LUA_TSTRING || is_element(L, -2, length) || *count >= FIELDS ||
            is_full(showing))
            lua_pop(L, 1);
        else
            show_field(L, depth, showing, count);
    }
}

static void show_table(lua_State *L, int index, int depth, struct showing *showing)
{
    int top = lua_gettop(L), table, count = 0;
    lua_Integer length;

    if (depth >= DEPTH || !lua_checkstack(L, 20)) {
        bytes_add_text(showing->out, "{...}");
        return;
    }
    if (!std_look_through(L, index))
        lua_pushvalue(L, index);
    table = lua_gettop(L);
    length = (lua_Integer)lua_rawlen(L, table);
    bytes_add_char(showing->out, '{');
    show_elements(L, table, length, depth, showing, &count);
    show_names(L, table, depth, showing, &count);
    show_others(L, table, length, depth, showing, &count);
    showing->cut |= count >= FIELDS;
    bytes_add_text(showing->out, showing->cut ? " ...}" : "}");
    lua_settop(L, top);
}

/* ---- all --------------------------------------------------------------------------------------- */

static void show(lua_State *L, int index, int depth, struct showing *showing)
{
    size_t size;
    const char *text;

    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &size);
        show_string(text, size, showing);
        break;
    case LUA_TNUMBER: show_number(L, index, showing); break;
    case LUA_TBOOLEAN:
        bytes_add_text(showing->out, lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TFUNCTION: show_function(L, index, showing); break;
    case LUA_TTABLE: show_table(L, index, depth, showing); break;
    case LUA_TUSERDATA: show_userdata(L, index, showing); break;
    case LUA_TTHREAD: bytes_add_text(showing->out, "coroutine"); break;
    default: bytes_add_text(showing->out, luaL_typename(L, index)); break;
    }
}

bool debug_show(lua_State *L, int index, size_t most, struct bytes *out)
{
    struct showing showing = {.out = out, .end = out->size + most};

    if (!lua_checkstack(L, 8))
        return false;
    show(L, lua_absindex(L, index), 0, &showing);
    return showing.cut;
}

bool debug_show_all(lua_State *L, int from, size_t most, struct bytes *out)
{
    bool cut = false;
    int last = lua_gettop(L);

    for (int i = from; i <= last; i++) {
        if (i > from)
            bytes_add_text(out, ", ");
        cut |= debug_show(L, i, most, out);
    }
    return cut;
}
