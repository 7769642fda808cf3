/* SPDX-License-Identifier: MIT */
/* What is kept of an error that is a fault of a tool: its message and where it happened, for the log. */
#ifndef CROFT_BIND_FAULT_H
#define CROFT_BIND_FAULT_H

#include "bind/bind.h"

/* How the names of the chunks of croft's own modules begin; no other chunk's does. */
#define OWN_CHUNKS "@lua/croft/"

/* The error at the top has ended the coroutine `co`, whose stack is still there: should it come to be a
 * fault of the tool, it is told where in the coroutine it was. */
void fault_keep(lua_State *L, lua_State *co);

/* Forgets that coroutine. */
void fault_forget(lua_State *L);

#endif
