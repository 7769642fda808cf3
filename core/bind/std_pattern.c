/* SPDX-License-Identifier: MIT */
/*
 * find, match, gmatch and gsub over core/pattern. Between two matches Lua code may run, so a pattern
 * holds pointers into strings that stay on the stack (or in upvalues), and nothing else.
 */
#include "pattern.h"

#include <string.h>

#include "bind/pace.h"
#include "bind/std.h"

/* What find, match and the others begin with: the subject at 1, the pattern at 2. */
static void check_texts(lua_State *L, struct pattern *pattern)
{
    size_t subject_size, size;
    const char *subject = luaL_checklstring(L, 1, &subject_size);
    const char *text = luaL_checklstring(L, 2, &size);

    pattern_init(pattern, text, size, subject, subject_size, &bind_host(L)->budget);
}

/* Takes the "^" off; it has a meaning in front alone. */
static bool take_anchor(struct pattern *pattern)
{
    if (pattern->text == pattern->text_end || *pattern->text != '^')
        return false;
    pattern->text++;
    return true;
}

/* Where to begin: argument `index`, counted from 1, or from the end when it is negative. NULL: behind
 * the end. */
static const char *check_start(lua_State *L, int index, const struct pattern *pattern)
{
    lua_Integer start = bind_opt_integer(L, index, 1);
    size_t size = (size_t)(pattern->subject_end - pattern->subject);

    if (start < 0)
        start = (lua_Unsigned)0 - (lua_Unsigned)start > size ? 1 : start + (lua_Integer)size + 1;
    if (start < 1)
        start = 1;
    return (lua_Unsigned)start - 1 > size ? NULL : pattern->subject + (start - 1);
}

static bool is_match(lua_State *L, const struct pattern *pattern, enum pattern_answer answer)
{
    if (answer == PATTERN_STOPPED)
        bind_tick(L, 0); /* the breach is known: this is the trap */
    if (answer == PATTERN_FAULT)
        luaL_error(L, "%s", pattern->fault);
    return answer == PATTERN_MATCH;
}

/* The match at or, unless it is anchored, after `from`. */
static bool find_from(lua_State *L, struct pattern *pattern, bool is_anchored, const char *from,
                      const char **start, const char **end)
{
    *start = from;
    return is_match(L, pattern,
                    is_anchored ? pattern_match(pattern, from, end)
                                : pattern_find(pattern, from, start, end));
}

/* ---- captures ---------------------------------------------------------------------------------- */

/* Pushes capture `index` from 0 of the match between `start` and `end`. Without captures the match is
 * capture 0. */
static void push_capture(lua_State *L, const struct pattern *pattern, unsigned index,
                         const char *start, const char *end)
{
    const struct pattern_capture *capture = &pattern->captures[index];

    if (index == 0 && pattern->count == 0)
        lua_pushlstring(L, start, (size_t)(end - start));
    else if (index >= pattern->count)
        luaL_error(L, "invalid capture index %%%d", (int)index + 1);
    else if ((pattern->open >> index & 1) != 0)
        luaL_error(L, "unfinished capture");
    else if (capture->size == PATTERN_POSITION)
        lua_pushinteger(L, capture->start - pattern->subject + 1);
    else
        lua_pushlstring(L, capture->start, capture->size);
}

/* Pushes them all. */
static int push_captures(lua_State *L, const struct pattern *pattern, const char *start,
                         const char *end)
{
    unsigned count = pattern->count == 0 ? 1 : pattern->count;

    luaL_checkstack(L, (int)count, "too many captures");
    for (unsigned i = 0; i < count; i++)
        push_capture(L, pattern, i, start, end);
    return (int)count;
}

/* ---- find and match ---------------------------------------------------------------------------- */

static int push_range(lua_State *L, const struct pattern *pattern, const char *start,
                      const char *end)
{
    lua_pushinteger(L, start - pattern->subject + 1);
    lua_pushinteger(L, end - pattern->subject);
    return 2;
}

/* Whether the pattern has no character with a meaning, for which it is looked through. */
static bool is_plain(lua_State *L, const struct pattern *pattern)
{
    size_t size = (size_t)(pattern->text_end - pattern->text);

    bind_tick(L, size / 8);
    return pattern_is_plain(pattern->text, size);
}

static int find_plain(lua_State *L, const struct pattern *pattern, const char *from)
{
    size_t left = (size_t)(pattern->subject_end - from);
    size_t size = (size_t)(pattern->text_end - pattern->text);
    const char *hit;

    hit = memmem(from, left, pattern->text, size);
    /* what it took, not what it might have: a long text is walked from hit to hit */
    bind_tick(L, ((hit == NULL ? left : (size_t)(hit - from)) + size) / 64 + 1);
    if (hit != NULL)
        return push_range(L, pattern, hit, hit + size);
    lua_pushnil(L);
    return 1;
}

static int find_pattern(lua_State *L, bool gives_range)
{
    struct pattern pattern;
    const char *from, *start, *end;
    bool is_anchored;
    int range = 0;

    check_texts(L, &pattern);
    from = check_start(L, 3, &pattern);
    if (from != NULL && gives_range && (lua_toboolean(L, 4) || is_plain(L, &pattern)))
        return find_plain(L, &pattern, from);
    is_anchored = take_anchor(&pattern);
    if (from == NULL || !find_from(L, &pattern, is_anchored, from, &start, &end)) {
        lua_pushnil(L);
        return 1;
    }
    if (!gives_range)
        return push_captures(L, &pattern, start, end);
    range = push_range(L, &pattern, start, end);
    return range + (pattern.count == 0 ? 0 : push_captures(L, &pattern, start, end));
}

/* find(subject, pattern, start, plain) -> first, last, captures...; or nil */
static int string_find(lua_State *L)
{
    return find_pattern(L, true);
}

/* match(subject, pattern, start) -> captures...; or nil */
static int string_match(lua_State *L)
{
    return find_pattern(L, false);
}

/* ---- gmatch ------------------------------------------------------------------------------------ */

enum {
    SUBJECT = 1,
    PATTERN,
    NEXT,
    LAST
}; /* upvalues; NEXT and LAST are offsets, LAST -1 at first */

/* The next match that is not empty at the end of the one before. */
static bool next_match(lua_State *L, struct pattern *pattern, const char *from, const char *last,
                       const char **start, const char **end)
{
    while (find_from(L, pattern, false, from, start, end)) {
        if (*end != last)
            return true;
        if (*start == pattern->subject_end)
            return false;
        from = *start + 1;
    }
    return false;
}

static int gmatch_next(lua_State *L)
{
    size_t size, text_size;
    const char *subject = lua_tolstring(L, lua_upvalueindex(SUBJECT), &size);
    const char *text = lua_tolstring(L, lua_upvalueindex(PATTERN), &text_size);
    lua_Integer next = lua_tointeger(L, lua_upvalueindex(NEXT));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(LAST));
    struct pattern pattern;
    const char *start, *end;

    pattern_init(&pattern, text, text_size, subject, size, &bind_host(L)->budget);
    if ((size_t)next > size ||
        !next_match(L, &pattern, subject + next, last < 0 ? NULL : subject + last, &start, &end))
        return 0;
    lua_pushinteger(L, end - subject);
    lua_pushvalue(L, -1);
    lua_replace(L, lua_upvalueindex(NEXT));
    lua_replace(L, lua_upvalueindex(LAST));
    return push_captures(L, &pattern, start, end);
}

/* gmatch(subject, pattern, start) -> iterator. "^" is no anchor here. */
static int string_gmatch(lua_State *L)
{
    struct pattern pattern;
    const char *from;

    check_texts(L, &pattern);
    from = check_start(L, 3, &pattern);
    if (from == NULL)
        from = pattern.subject_end + 1; /* an offset that gives nothing */
    lua_settop(L, 2);
    lua_pushinteger(L, from - pattern.subject);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_next, 4);
    return 1;
}

/* ---- gsub -------------------------------------------------------------------------------------- */

enum { REPLACEMENT = 3 }; /* its place on the stack */

/* Adds the replacement text with %0 to %9 filled in. */
static void add_text(lua_State *L, luaL_Buffer *out, const struct pattern *pattern,
                     const char *start, const char *end)
{
    size_t size;
    const char *text = lua_tolstring(L, REPLACEMENT, &size), *mark;
    const char *text_end = text + size;

    bind_tick(L, size / 64);
    while ((mark = memchr(text, '%', (size_t)(text_end - text))) != NULL) {
        luaL_addlstring(out, text, (size_t)(mark - text));
        text = mark + 2;
        if (mark + 1 == text_end || strchr("%0123456789", mark[1]) == NULL || mark[1] == '\0')
            luaL_error(L, "invalid use of '%%' in replacement string");
        if (mark[1] == '%') {
            luaL_addchar(out, '%');
        } else if (mark[1] == '0') {
            luaL_addlstring(out, start, (size_t)(end - start));
        } else {
            push_capture(L, pattern, (unsigned)(mark[1] - '1'), start, end);
            luaL_addvalue(out);
        }
    }
    luaL_addlstring(out, text, (size_t)(text_end - text));
}

/* Pushes what the table or the function says of the match. */
static void ask(lua_State *L, const struct pattern *pattern, const char *start, const char *end)
{
    if (lua_type(L, REPLACEMENT) == LUA_TTABLE) {
        push_capture(L, pattern, 0, start, end);
        pace_tick(L, 1);
        lua_gettable(L, REPLACEMENT);
    } else {
        lua_pushvalue(L, REPLACEMENT);
        lua_call(L, push_captures(L, pattern, start, end), 1);
    }
}

/* Adds what takes the place of the match: itself, when that is nil or false. */
static void add_replacement(lua_State *L, luaL_Buffer *out, const struct pattern *pattern,
                            const char *start, const char *end)
{
    int type = lua_type(L, REPLACEMENT);

    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        add_text(L, out, pattern, start, end);
        return;
    }
    ask(L, pattern, start, end);
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        lua_pushlstring(L, start, (size_t)(end - start));
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(out);
}

/* Fills `out` with the subject after at most `most` replacements. Returns how many matches there were. */
static lua_Integer replace_all(lua_State *L, luaL_Buffer *out, struct pattern *pattern,
                               lua_Integer most)
{
    bool is_anchored = take_anchor(pattern);
    const char *from = pattern->subject, *last = NULL, *start, *end;
    lua_Integer count = 0;

    while (count < most && find_from(L, pattern, is_anchored, from, &start, &end)) {
        luaL_addlstring(out, from, (size_t)(start - from));
        from = end;
        if (last == NULL || end != last) {
            count++;
            add_replacement(L, out, pattern, start, end);
            last = end;
        } else if (end < pattern->subject_end) { /* empty, where the one before ended */
            luaL_addchar(out, *from++);
        } else {
            break;
        }
        if (is_anchored)
            break;
    }
    luaL_addlstring(out, from, (size_t)(pattern->subject_end - from));
    return count;
}

/* gsub(subject, pattern, replacement, most) -> text, count */
static int string_gsub(lua_State *L)
{
    struct pattern pattern;
    luaL_Buffer out;
    lua_Integer most, count;
    int type = lua_type(L, REPLACEMENT);

    check_texts(L, &pattern);
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE ||
                         type == LUA_TFUNCTION,
                     REPLACEMENT, "string/function/table");
    most = bind_opt_integer(L, 4, LUA_MAXINTEGER);
    lua_settop(L, REPLACEMENT);
    luaL_buffinit(L, &out);
    count = replace_all(L, &out, &pattern, most);
    luaL_pushresult(&out);
    lua_pushinteger(L, count);
    return 2;
}

void std_pattern(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"find", string_find},
        {"match", string_match},
        {"gmatch", string_gmatch},
        {"gsub", string_gsub},
        {NULL, NULL},
    };

    luaL_setfuncs(L, functions, 0);
}
