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
enum { FAULT_BYTES = 4000, MESSAGE_BYTES_KEPT = 1000, TRACE_BYTES = 1400, FAULT_STEPS = 1000 };

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
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        lua_pop(L, 1);
        lua_pushstring(L, luaL_typename(L, 1));
    }
    cut(L, MESSAGE_BYTES_KEPT);
}

/* Pushes the levels of `co` from `level` on: Lua shows 22 at the most. */
static void push_levels(lua_State *L, lua_State *co, int level)
{
    luaL_traceback(L, co, NULL, level);
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
