/* SPDX-License-Identifier: MIT */
/* Faults are gathered in plain memory, and become tables when the walk is over: Lua raises when it has
 * no memory, and must not jump out of a walk that holds descriptors. */
#include "host_links.h"

#include <string.h>

#include <lauxlib.h>

#include "host.h"
#include "host_options.h"

#define FAULTS "croft.link_faults"

enum { FAULTS_KEPT = 1000 };

static void keep(struct bytes *texts, const char *text)
{
    bytes_add(texts, text, strlen(text) + 1);
}

void host_keep_fault(void *user, const croft_link_fault *fault)
{
    struct faults *faults = user;

    if (++faults->count > FAULTS_KEPT)
        return;
    keep(&faults->texts, fault->path);
    keep(&faults->texts, fault->shown);
    keep(&faults->texts, croft_status_word(fault->kind));
    keep(&faults->texts, fault->reason);
}

static int faults_free(lua_State *L)
{
    struct faults *faults = luaL_checkudata(L, 1, FAULTS);

    bytes_free(&faults->texts);
    return 0;
}

struct faults *host_new_faults(lua_State *L)
{
    struct faults *faults = lua_newuserdatauv(L, sizeof *faults, 0);

    memset(faults, 0, sizeof *faults);
    if (luaL_newmetatable(L, FAULTS)) {
        lua_pushcfunction(L, faults_free);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return faults;
}

/* Sets the next text as a field of the table on the top of the stack; returns what comes behind it. */
static const char *set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
    return text + strlen(text) + 1;
}

void host_add_faults(lua_State *L, const struct faults *faults)
{
    const char *text = faults->texts.data;
    const char *end = text + faults->texts.size;

    for (lua_Integer i = 1; text != end; i++) {
        lua_createtable(L, 0, 4);
        text = set_text(L, "path", text);
        text = set_text(L, "shown", text);
        text = set_text(L, "code", text);
        text = set_text(L, "reason", text);
        lua_rawseti(L, -2, i);
    }
    lua_pushinteger(L, faults->count);
    lua_setfield(L, -2, "count");
}

int host_verify_links(lua_State *L)
{
    const char *checkout = host_check_text(L, 1);
    const char *const *names = NULL;
    size_t count = 0;
    struct faults *faults;
    croft_error err = {0};
    croft_status status;

    lua_settop(L, 2);
    if (!lua_isnil(L, 2)) {
        luaL_checktype(L, 2, LUA_TTABLE);
        names = host_get_strings(L, 2, "read_only_names", &count);
    }
    faults = host_new_faults(L);
    status = croft_verify_links(checkout, names, count, host_keep_fault, faults, &err);
    if (status == CROFT_OK) {
        lua_pushboolean(L, true);
        return 1;
    }
    if (faults->texts.failed)
        return luaL_error(L, "out of memory");
    host_push_error(L, status, &err);
    if (status == CROFT_DENIED)
        host_add_faults(L, faults);
    return 2;
}
