/* SPDX-License-Identifier: MIT */
/* croft_verify_links for Lua. */
#ifndef CROFT_HOST_LINKS_H
#define CROFT_HOST_LINKS_H

#include <lua.h>

#include "bytes.h"
#include "croft.h"

/* The first thousand entries that somebody was told of, in plain memory until the walk is over. */
struct faults {
    struct bytes texts; /* path, shown, code and reason of each, every one ended by NUL */
    lua_Integer count;  /* of all, also of those that are not kept */
};

/* Pushes an empty one. */
struct faults *host_new_faults(lua_State *L);

/* A croft_link_function, whose `user` is the faults. */
void host_keep_fault(void *user, const croft_link_fault *fault);

/* Adds them to the table on the top of the stack, as a list; and their number, as `count`. */
void host_add_faults(lua_State *L, const struct faults *faults);

/* verify_links(checkout, options), as host.h has it. */
int host_verify_links(lua_State *L);

#endif
