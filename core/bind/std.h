/* SPDX-License-Identifier: MIT */
/*
 * The standard library as tools see it: bounded. What can run long in one C call is ours or stands
 * behind a wrapper that charges first; what cannot be bounded is absent. Each function pushes a plain
 * table that the sandbox freezes.
 */
#ifndef CROFT_BIND_STD_H
#define CROFT_BIND_STD_H

#include "bind/bind.h"

int std_base(lua_State *L);   /* what stands at the top: assert, pairs, tostring, ... without require */
int std_string(lua_State *L); /* also gives strings their methods */
int std_table(lua_State *L);
int std_math(lua_State *L);
int std_utf8(lua_State *L);

/*
 * Replaces the table at the top of the stack by a proxy through which it can be read and never changed.
 * Reading a name that is not there gives nil, or, with `strict`, an error that names it.
 */
void std_freeze(lua_State *L, bool strict);

/* print(...): to the session's log. */
int std_print(lua_State *L);

/* Pushes the text that tostring() gives for the value at `index`: no address in it. */
const char *std_text(lua_State *L, int index, size_t *size);

#endif
