/* SPDX-License-Identifier: MIT */
#include "dump.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

static void *allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    (void)user;
    (void)old_size;
    if (size > 0)
        return realloc(pointer, size);
    free(pointer);
    return NULL;
}

static int add_piece(lua_State *L, const void *piece, size_t size, void *out)
{
    (void)L;
    bytes_add(out, piece, size);
    return 0;
}

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* Compiled Lua is not verified by anybody. Lua's own words for it do not name the file. */
static bool is_compiled(const char *text, size_t size)
{
    return size > 0 && *text == LUA_SIGNATURE[0];
}

croft_status dump_text(const char *text, size_t size, const char *chunk, struct bytes *out,
                       croft_error *err)
{
    lua_State *L;
    croft_status status = CROFT_OK;

    if (is_compiled(text, size))
        return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                           "%.900s:1: it is compiled Lua, and croft takes its source alone",
                           chunk + 1);
    L = lua_newstate(allocate, NULL); /* nothing runs in it */
    if (L == NULL)
        return out_of_memory(err);
    switch (luaL_loadbufferx(L, text, size, chunk, "t")) {
    case LUA_OK: lua_dump(L, add_piece, out, false); break;
    case LUA_ERRMEM: status = out_of_memory(err); break;
    default:
        status = fail_format(err, CROFT_BAD_ARGUMENT, 0, "%.1000s", lua_tostring(L, -1));
        break;
    }
    if (status == CROFT_OK && out->failed)
        status = out_of_memory(err);
    lua_close(L);
    return status;
}
