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

croft_status dump_text(const char *text, size_t size, const char *chunk, struct bytes *out,
                       croft_error *err)
{
    lua_State *L = lua_newstate(allocate, NULL); /* nothing runs in it */
    croft_status status = CROFT_OK;

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
