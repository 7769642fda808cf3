/* SPDX-License-Identifier: MIT */
/* core.fault: a handler that adds to an error where it happened, and what writes it to the log. */
#include "bind/fault.h"

#include <string.h>

#include "bind/modules.h"
#include "bind/std.h"

/* Registry keys. */
#define THREAD "croft.fault.thread"
#define ERROR "croft.fault.error" /* that ended it */

/* The log takes this much of one fault, also when what the tool printed has filled it up. */
enum {
    FAULT_BYTES = 4000,
    MESSAGE_BYTES_KEPT = 1000,
    TRACE_BYTES = 1400,
    LEVELS = 10, /* the first ones, and as many of the last */
    FAULT_STEPS = 1000
};

/* ---- coroutines -------------------------------------------------------------------------------- */

/* Whether the error at `index` is the one that is kept, perhaps with a place in front of it. */
static bool is_kept(lua_State *L, int index)
{
    size_t size, kept_size;
    const char *text, *kept;
    bool is;

    index = lua_absindex(L, index);
    if (lua_getfield(L, LUA_REGISTRYINDEX, ERROR) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    is = lua_rawequal(L, -1, index);
    if (!is && lua_type(L, -1) == LUA_TSTRING && lua_type(L, index) == LUA_TSTRING) {
        text = lua_tolstring(L, index, &size);
        kept = lua_tolstring(L, -1, &kept_size);
        is = kept_size <= size && memcmp(text + (size - kept_size), kept, kept_size) == 0;
    }
    lua_pop(L, 1);
    return is;
}

/* Of coroutines that resumed each other, the innermost is where it happened. */
void fault_keep(lua_State *L, lua_State *co)
{
    if (is_kept(L, -1) || !lua_checkstack(co, 1))
        return;
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, ERROR);
    lua_pushthread(co);
    lua_xmove(co, L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, THREAD);
}

void fault_forget(lua_State *L)
{
    bool is_there = lua_getfield(L, LUA_REGISTRYINDEX, THREAD) != LUA_TNIL;

    lua_pop(L, 1);
    if (!is_there)
        return;
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, THREAD);
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, ERROR);
}

/* ---- where it happened ------------------------------------------------------------------------- */

static int describe(lua_State *L)
{
    (void)std_text(L, 1, NULL);
    return 1;
}

/* Pushes at most `most` bytes of the text at the top in its place. */
static void cut(lua_State *L, size_t most)
{
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);

    if (size <= most)
        return;
    lua_pushlstring(L, text, most);
    lua_pushliteral(L, " ...");
    lua_concat(L, 2);
    lua_remove(L, -2);
}

/* Pushes the message of the error at 1, whose __tostring may fail. */
static void push_message(lua_State *L)
{
    lua_pushcfunction(L, describe);
    lua_pushvalue(L, 1);
    if (bind_pcall(L, 1, 1) != LUA_OK) {
        lua_pop(L, 1);
        lua_pushstring(L, luaL_typename(L, 1));
    }
    cut(L, MESSAGE_BYTES_KEPT);
}

/* The number of levels that the stack of `co` has. lua_getstack takes a step for each. */
static int count_levels(lua_State *co)
{
    lua_Debug frame;
    int least = 0, most = 1;

    while (lua_getstack(co, most, &frame) != 0) {
        least = most;
        most *= 2;
    }
    while (least < most) {
        int middle = (least + most) / 2;

        if (lua_getstack(co, middle, &frame) != 0)
            least = middle + 1;
        else
            most = middle;
    }
    return least;
}

/* Whether the level has nothing to do with a tool: a module of croft's, or C. */
static bool is_own(lua_State *co, int level)
{
    lua_Debug frame;

    return lua_getstack(co, level, &frame) != 0 && lua_getinfo(co, "S", &frame) != 0 &&
           (frame.what[0] == 'C' || strncmp(frame.source, OWN_CHUNKS, strlen(OWN_CHUNKS)) == 0);
}

/* Where the levels of a tool end: those from which it was called are the same in each call. */
static int end_of_levels(lua_State *co, int from)
{
    int count = count_levels(co), end = count;

    while (end > from && is_own(co, end - 1))
        end--;
    return end > from ? end : count;
}

/* Pushes what is known of the function of a level. */
static void push_function(lua_State *L, const lua_Debug *frame)
{
    if (frame->namewhat[0] != '\0')
        lua_pushfstring(L, "%s '%s'", frame->namewhat, frame->name);
    else if (frame->what[0] == 'm')
        lua_pushliteral(L, "main chunk");
    else if (frame->what[0] == 'C')
        lua_pushliteral(L, "?");
    else
        lua_pushfstring(L, "function <%s:%d>", frame->short_src, frame->linedefined);
}

/* Pushes one, as Lua shows it. */
static void push_level(lua_State *L, lua_State *co, int level)
{
    lua_Debug frame;

    if (lua_getstack(co, level, &frame) == 0 || lua_getinfo(co, "Slnt", &frame) == 0) {
        lua_pushliteral(L, "");
        return;
    }
    if (frame.currentline > 0)
        lua_pushfstring(L, "\n\t%s:%d: in ", frame.short_src, frame.currentline);
    else
        lua_pushfstring(L, "\n\t%s: in ", frame.short_src);
    push_function(L, &frame);
    lua_pushstring(L, frame.istailcall ? "\n\t(...tail calls...)" : "");
    lua_concat(L, 3);
}

/* Pushes the levels of `co` from `level` on: where there are many, the first and the last. */
static void push_levels(lua_State *L, lua_State *co, int level)
{
    int end = end_of_levels(co, level), last = end - LEVELS;

    lua_pushliteral(L, "stack traceback:");
    for (int at = level; at < end; at++) {
        if (at == level + LEVELS && at < last) {
            lua_pushfstring(L, "\n\t...\t(skipping %d levels)", last - at);
            at = last - 1;
        } else {
            push_level(L, co, at);
        }
        lua_concat(L, 2);
    }
    cut(L, TRACE_BYTES);
}

/*
 * trace(err): a handler for xpcall. Gives a structured error, which is no fault, as it is; of all others
 * their text and the levels of the stack.
 */
static int fault_trace(lua_State *L)
{
    lua_settop(L, 1);
    if (bind_is_error(L, 1))
        return 1;
    bind_tick(L, FAULT_STEPS);
    push_message(L);
    lua_pushliteral(L, "\n");
    push_levels(L, L, 1);
    if (is_kept(L, 1) && lua_getfield(L, LUA_REGISTRYINDEX, THREAD) == LUA_TTHREAD) {
        lua_pushliteral(L, "\nin the coroutine that it ended, ");
        push_levels(L, lua_tothread(L, -2), 0);
        lua_remove(L, -3);
    }
    lua_concat(L, lua_gettop(L) - 1);
    return 1;
}

/* log(name, text) */
static int fault_log(lua_State *L)
{
    size_t size;
    const char *text;

    lua_pushfstring(L, "%s: %s", luaL_checkstring(L, 1), std_text(L, 2, NULL));
    cut(L, FAULT_BYTES);
    text = lua_tolstring(L, -1, &size);
    bind_log(bind_host(L), text, size);
    return 0;
}

int module_fault(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"trace", fault_trace},
        {"log", fault_log},
        {NULL, NULL},
    };

    luaL_newlib(L, functions);
    return 1;
}
