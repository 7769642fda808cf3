/* SPDX-License-Identifier: MIT */
/* core.text: what tools need to know about bytes and lines, in time proportional to them. */
#include <string.h>

#include "bind/modules.h"
#include "bind/text_fill.h"
#include "bytes.h"
#include "json_plain.h"
#include "json_scan.h"
#include "occurrences.h"
#include "utf8.h"

struct text {
    const char *data;
    size_t size;
};

static struct text check_text(lua_State *L, int index)
{
    struct text text;

    text.data = luaL_checklstring(L, index, &text.size);
    bind_tick(L, text.size / 64 + 1);
    return text;
}

static void close_bytes(void *payload)
{
    bytes_free(payload);
}

static struct bytes *new_bytes(lua_State *L)
{
    return bind_own(L, sizeof(struct bytes), close_bytes);
}

/* Pushes what the buffer at `box` holds and closes it. */
static void push_bytes(lua_State *L, struct bytes *bytes, int box)
{
    if (bytes->failed)
        luaL_error(L, "out of memory");
    lua_pushlstring(L, bytes->size == 0 ? "" : bytes->data, bytes->size);
    bind_release(L, box);
}

/* ---- finding ----------------------------------------------------------------------------------- */

/* The first place of `needle` at or after byte `from`, or NULL. */
static const char *find_from(struct text hay, struct text needle, size_t from)
{
    if (from > hay.size)
        return NULL;
    return memmem(hay.data + from, hay.size - from, needle.data, needle.size);
}

/* find(hay, needle, from) -> start, or nil. Costs what lies between: whoever goes through a long text
 * piece by piece pays for it once. */
static int text_find(lua_State *L)
{
    struct text hay, needle = check_text(L, 2);
    lua_Integer from = bind_opt_integer(L, 3, 1);
    const char *hit, *end;

    hay.data = luaL_checklstring(L, 1, &hay.size);
    luaL_argcheck(L, from >= 1, 3, "not positive");
    hit = find_from(hay, needle, (size_t)from - 1);
    end = hit == NULL ? hay.data + hay.size : hit;
    if (end > hay.data + from)
        bind_tick(L, (uint64_t)(end - hay.data - from) / 64);
    bind_tick(L, 1);
    if (hit == NULL)
        luaL_pushfail(L);
    else
        lua_pushinteger(L, hit - hay.data + 1);
    return 1;
}

/* Begins with the arguments hay and needle, and whether places may overlap at `overlap`. */
static void check_occurrences(lua_State *L, int overlap, struct occurrences *all)
{
    struct text hay = check_text(L, 1), needle = check_text(L, 2);

    luaL_argcheck(L, needle.size > 0, 2, "empty");
    occurrences_init(all, hay.data, hay.size, needle.data, needle.size, lua_toboolean(L, overlap));
}

/* The next place, which is charged for. */
static const char *next_occurrence(lua_State *L, struct occurrences *all)
{
    const char *hit = occurrences_next(all);

    bind_tick(L, all->looked / 64 + 1);
    return hit;
}

/* count(hay, needle, overlap) -> how many places */
static int text_count(lua_State *L)
{
    struct occurrences all;
    lua_Integer count = 0;

    check_occurrences(L, 3, &all);
    while (next_occurrence(L, &all) != NULL)
        count++;
    lua_pushinteger(L, count);
    return 1;
}

/* positions(hay, needle, most, overlap) -> {starts}, how many there are */
static int text_positions(lua_State *L)
{
    struct occurrences all;
    lua_Integer most = bind_integer(L, 3), count = 0;
    const char *hay = luaL_checkstring(L, 1), *hit;

    check_occurrences(L, 4, &all);
    lua_newtable(L);
    while ((hit = next_occurrence(L, &all)) != NULL) {
        if (++count > most)
            continue;
        lua_pushinteger(L, hit - hay + 1);
        lua_rawseti(L, -2, count);
    }
    lua_pushinteger(L, count);
    return 2;
}

/* replace_all(hay, old, new) -> hay with `new` for each `old` that does not overlap one before, how many */
static int text_replace_all(lua_State *L)
{
    struct text hay = check_text(L, 1), old = check_text(L, 2), new = check_text(L, 3);
    struct bytes *out = new_bytes(L);
    size_t from = 0;
    lua_Integer count = 0;
    const char *hit;

    luaL_argcheck(L, old.size > 0, 2, "empty");
    for (; (hit = find_from(hay, old, from)) != NULL; count++) {
        bind_tick(L, new.size / 64 + 1);
        if (out->size + new.size > 2 * MESSAGE_BYTES)
            return luaL_error(L, "the result is longer than 16 MiB");
        bytes_add(out, hay.data + from, (size_t)(hit - hay.data) - from);
        bytes_add(out, new.data, new.size);
        from = (size_t)(hit - hay.data) + old.size;
    }
    bytes_add(out, hay.data + from, hay.size - from);
    push_bytes(L, out, lua_gettop(L));
    lua_pushinteger(L, count);
    return 2;
}

/* split(text, separator) -> {pieces} */
static int text_split(lua_State *L)
{
    struct text text = check_text(L, 1), separator = check_text(L, 2);
    size_t from = 0;
    lua_Integer i = 1;
    const char *hit;

    luaL_argcheck(L, separator.size > 0, 2, "empty");
    lua_newtable(L);
    for (; (hit = find_from(text, separator, from)) != NULL; i++) {
        bind_tick(L, 1);
        lua_pushlstring(L, text.data + from, (size_t)(hit - text.data) - from);
        lua_rawseti(L, -2, i);
        from = (size_t)(hit - text.data) + separator.size;
    }
    lua_pushlstring(L, text.data + from, text.size - from);
    lua_rawseti(L, -2, i);
    return 1;
}

/* ---- lines ------------------------------------------------------------------------------------- */

static lua_Integer count_newlines(const char *data, size_t size)
{
    lua_Integer count = 0;
    const char *end = data + size;

    while ((data = memchr(data, '\n', (size_t)(end - data))) != NULL) {
        count++;
        data++;
    }
    return count;
}

/* lines(text) -> how many; a newline at the end makes no further one (S0-69) */
static int text_lines(lua_State *L)
{
    struct text text = check_text(L, 1);
    lua_Integer count = count_newlines(text.data, text.size);

    if (text.size > 0 && text.data[text.size - 1] != '\n')
        count++;
    lua_pushinteger(L, count);
    return 1;
}

/* line_of(text, position) -> the line that byte stands in, from 1 */
static int text_line_of(lua_State *L)
{
    struct text text = check_text(L, 1);
    lua_Integer position = bind_integer(L, 2);

    luaL_argcheck(L, position >= 1 && (size_t)position <= text.size + 1, 2, "outside the text");
    lua_pushinteger(L, count_newlines(text.data, (size_t)position - 1) + 1);
    return 1;
}

/* line_range(text, line) -> first byte, last byte without LF; nothing past the end */
static int text_line_range(lua_State *L)
{
    struct text text = check_text(L, 1);
    lua_Integer line = bind_integer(L, 2);
    const char *from = text.data, *end = text.data + text.size, *stop;

    for (; line > 1 && from < end; line--) {
        stop = memchr(from, '\n', (size_t)(end - from));
        from = stop == NULL ? end : stop + 1;
    }
    if (line != 1 || from == end)
        return 0;
    stop = memchr(from, '\n', (size_t)(end - from));
    lua_pushinteger(L, from - text.data + 1);
    lua_pushinteger(L, (stop == NULL ? end : stop) - text.data);
    return 2;
}

/* endings(text) -> CR LF line ends, LF line ends without CR */
static int text_endings(lua_State *L)
{
    struct text text = check_text(L, 1);
    lua_Integer crlf = 0, all = count_newlines(text.data, text.size);
    const char *hit = text.data;

    while ((hit = memmem(hit, (size_t)(text.data + text.size - hit), "\r\n", 2)) != NULL) {
        crlf++;
        hit += 2;
    }
    lua_pushinteger(L, crlf);
    lua_pushinteger(L, all - crlf);
    return 2;
}

/* to_crlf(text) -> text with CR LF in place of each lone LF */
static int text_to_crlf(lua_State *L)
{
    struct text text = check_text(L, 1);
    struct bytes *out = new_bytes(L);

    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\n' && (i == 0 || text.data[i - 1] != '\r'))
            bytes_add_char(out, '\r');
        bytes_add_char(out, text.data[i]);
    }
    push_bytes(L, out, lua_gettop(L));
    return 1;
}

/* ---- characters -------------------------------------------------------------------------------- */

static int text_is_utf8(lua_State *L)
{
    (void)check_text(L, 1);
    lua_pushboolean(L, bind_is_valid(L, 1));
    return 1;
}

/* repair(text) -> text with U+FFFD for each byte that is not UTF-8, how many those were */
static int text_repair(lua_State *L)
{
    struct text text = check_text(L, 1);
    struct bytes *out;
    size_t count;

    if (bind_is_valid(L, 1)) {
        lua_pushvalue(L, 1);
        lua_pushinteger(L, 0);
        return 2;
    }
    out = new_bytes(L);
    count = utf8_repair(out, text.data, text.size);
    push_bytes(L, out, lua_gettop(L));
    lua_pushinteger(L, (lua_Integer)count);
    return 2;
}

/* fit(body, line, most) -> whether these are texts that can be sent as they are, with a line end between them:
 * UTF-8, of at most so many bytes */
static int text_fit(lua_State *L)
{
    bool are_texts = lua_type(L, 1) == LUA_TSTRING && lua_type(L, 2) == LUA_TSTRING;
    uint64_t most = (uint64_t)luaL_checkinteger(L, 3);
    struct text body, line;

    if (are_texts) {
        body = check_text(L, 1);
        line = check_text(L, 2);
        are_texts = body.size + 1 + line.size <= most && bind_is_valid(L, 1) && bind_is_valid(L, 2);
    }
    lua_pushboolean(L, are_texts);
    return 1;
}

/* cut(text, size) -> at most that many bytes, whole characters */
static int text_cut(lua_State *L)
{
    struct text text = check_text(L, 1);
    lua_Integer size = bind_integer(L, 2);

    luaL_argcheck(L, size >= 0, 2, "negative");
    if ((size_t)size >= text.size)
        lua_pushvalue(L, 1);
    else
        lua_pushlstring(L, text.data, utf8_cut(text.data, text.size, (size_t)size));
    return 1;
}

/* quote(text) -> a JSON string */
static int text_quote(lua_State *L)
{
    struct text text = check_text(L, 1);
    struct bytes *out = new_bytes(L);

    json_quote(out, text.data, text.size);
    push_bytes(L, out, lua_gettop(L));
    return 1;
}

/* name(path) -> as it is shown, whether it can be sent back; and where that is not as it is shown, the
 * JSON string to send */
static int text_name(lua_State *L)
{
    struct text text = check_text(L, 1);
    bool sendable = true, escaped = false;
    struct bytes *out;

    if (json_plain_run(text.data, text.size) == text.size) { /* as most names are */
        lua_pushvalue(L, 1);
    } else {
        out = new_bytes(L);
        sendable = utf8_add_name(out, text.data, text.size);
        escaped = out->size != text.size;
        push_bytes(L, out, lua_gettop(L));
    }
    lua_pushboolean(L, sendable);
    if (!sendable || !escaped)
        return 2;
    out = new_bytes(L);
    json_quote_visible(out, text.data, text.size);
    push_bytes(L, out, lua_gettop(L));
    lua_remove(L, -2); /* the box */
    return 3;
}

int module_text(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"find", text_find},
        {"count", text_count},
        {"positions", text_positions},
        {"replace_all", text_replace_all},
        {"split", text_split},
        {"lines", text_lines},
        {"line_of", text_line_of},
        {"line_range", text_line_range},
        {"endings", text_endings},
        {"to_crlf", text_to_crlf},
        {"is_utf8", text_is_utf8},
        {"repair", text_repair},
        {"fit", text_fit},
        {"cut", text_cut},
        {"quote", text_quote},
        {"fill", text_fill},
        {"name", text_name},
        {NULL, NULL},
    };

    luaL_newlib(L, functions);
    return 1;
}
