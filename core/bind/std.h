/* SPDX-License-Identifier: MIT */
/*
 * The standard library as tools see it: bounded. What can run long in one C call is ours or stands
 * behind a wrapper that charges first; what cannot be bounded is absent. Each function pushes a plain
 * table that the sandbox freezes.
 */
#ifndef CROFT_BIND_STD_H
#define CROFT_BIND_STD_H

#include "bind/bind.h"

int std_base(
    lua_State *L); /* what stands at the top: assert, pairs, tostring, ... without require */
int std_string(lua_State *L); /* also gives strings their methods */
int std_table(lua_State *L);
int std_math(lua_State *L);
int std_utf8(lua_State *L);
int std_coroutine(lua_State *L);

void std_pattern(lua_State *L); /* adds find, match, gmatch and gsub to the table at the top */
int std_load(lua_State *L);     /* load; its upvalue is the environment of what it loads */

/* Makes math.random begin anew, as at the start of every call: it tells nothing about other calls. */
void std_reseed(lua_State *L);

/* Puts the stock function `name` of the table at `library` behind `wrapper` (NULL: as it is) into the
 * table at the top. */
void std_take(lua_State *L, int library, const char *name, lua_CFunction wrapper);

/* The same where nothing that the function does, the C library's part in it included, takes anything but memory
 * of Lua's: it may be ended in its midst, see overrun.h. */
void std_take_bare(lua_State *L, int library, const char *name, lua_CFunction wrapper);

/* Puts the stock function at the top behind `wrapper`. */
void std_wrap(lua_State *L, lua_CFunction wrapper);

/* What a wrapper ends with: the stock function, with the arguments on the stack. */
int std_stock(lua_State *L);

/* Charges for all arguments from `from` on, which are numbers, or texts that are taken for such. */
void std_charge_numbers(lua_State *L, int from);

/* A wrapper for functions that take nothing but numbers. */
int std_of_numbers(lua_State *L);

/* How many bytes of the text at 1 lie between the places at `from` and behind it; where these are absent
 * they are `first` and `last` (0: the first one). */
uint64_t std_slice(lua_State *L, int from, lua_Integer first, lua_Integer last);

/*
 * Replaces the table at the top of the stack by a proxy through which it can be read and never changed.
 * Reading a name that is not there gives nil, or, with `strict`, an error that names it.
 */
void std_freeze(lua_State *L, bool strict);

/* Replaces the function at the top by such a proxy of the table that it will return: it is called when
 * something of the table is used for the first time, and again if it raised. */
void std_freeze_later(lua_State *L);

/* Pushes the real table behind the frozen one at `index`. False, with nothing pushed, when that is not
 * frozen, or not frozen well. */
bool std_look_through(lua_State *L, int index);

/* print(...): to the session's log. */
int std_print(lua_State *L);

/* Pushes the text that tostring() gives for the value at `index`: no address in it. */
const char *std_text(lua_State *L, int index, size_t *size);

#endif
