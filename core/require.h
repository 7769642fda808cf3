/* SPDX-License-Identifier: MIT */
/* `require` inside a session: registered names only, never a path. */
#ifndef CROFT_REQUIRE_H
#define CROFT_REQUIRE_H

#include "bind/bind.h"
#include "sources.h"

/* Makes the environments of the interpreter: one for croft's own modules, one for tools, alike but for
 * what `require` gives. */
void environment_make(lua_State *L, const struct sources *sources);

/* Raises if a tool could reach more than it may (sandbox_allow.h), or change what others see. The
 * modules are held to that when they are loaded. */
void environment_check(lua_State *L);

/* Pushes the module, loaded at its first use. Raises. */
void require_module(lua_State *L, const char *name);

#endif
