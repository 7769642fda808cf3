/* SPDX-License-Identifier: MIT */
/* croft_verify_links for Lua. */
#ifndef CROFT_HOST_LINKS_H
#define CROFT_HOST_LINKS_H

#include <lua.h>

/* verify_links(checkout, options), as host.h has it. */
int host_verify_links(lua_State *L);

#endif
