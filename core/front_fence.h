/* SPDX-License-Identifier: MIT */
/* What the program itself cannot do any more once all is open. */
#ifndef CROFT_FRONT_FENCE_H
#define CROFT_FRONT_FENCE_H

#include <lua.h>

/* fence() -> true; or nil and why there is none. Puts this process, with all of its threads, behind
 * seccomp_own_filter for ever. */
int front_fence(lua_State *L);

#endif
