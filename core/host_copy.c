/* SPDX-License-Identifier: MIT */
#include "host_copy.h"

#include <lauxlib.h>

#include "croft.h"
#include "host.h"
#include "host_links.h"
#include "host_options.h"

typedef croft_status copy_function(const char *from, const char *to,
                                   const croft_copy_options *options, croft_copied *copied,
                                   croft_error *err);

/* Leaves values on the stack that the options point to. */
static void get_options(lua_State *L, int index, croft_copy_options *options)
{
    const char *const *names;

    croft_copy_options_init(options);
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    names = host_get_strings(L, index, "read_only_names", &options->read_only_count);
    if (names != NULL)
        options->read_only_names = names;
    options->skip = host_get_strings(L, index, "skip", &options->skip_count);
    lua_getfield(L, index, "no_fsync");
    options->no_fsync = lua_toboolean(L, -1);
}

static void push_copied(lua_State *L, const croft_copied *copied)
{
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {
        {"directories", copied->directories},
        {"files", copied->files},
        {"links", copied->links},
        {"bytes", copied->bytes},
        {"shared", copied->shared},
        {"kept", copied->kept},
        {"left_out", copied->left_out},
        {"unreadable", copied->unreadable},
    };

    lua_createtable(L, 0, 9);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        lua_pushinteger(L, (lua_Integer)fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
}

static int copy(lua_State *L, copy_function *function)
{
    const char *from = host_check_text(L, 1);
    const char *to = host_check_text(L, 2);
    croft_copy_options options;
    croft_copied copied;
    croft_error err = {0};
    struct faults *faults;
    croft_status status;
    int results = 1;

    lua_settop(L, 3);
    get_options(L, 3, &options);
    faults = host_new_faults(L);
    options.report = host_keep_fault;
    options.user = faults;
    status = function(from, to, &options, &copied, &err);
    if (faults->texts.failed)
        return luaL_error(L, "out of memory");
    if (status == CROFT_OK)
        push_copied(L, &copied);
    else
        results = host_push_error(L, status, &err);
    host_add_faults(L, faults);
    return results;
}

int host_fill(lua_State *L)
{
    return copy(L, croft_fill);
}

int host_harvest(lua_State *L)
{
    return copy(L, croft_harvest);
}
