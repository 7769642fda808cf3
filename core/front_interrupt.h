/* SPDX-License-Identifier: MIT */
/* Ctrl-C at a terminal: it ends the call that runs, and not the program. */
#ifndef CROFT_FRONT_INTERRUPT_H
#define CROFT_FRONT_INTERRUPT_H

#include <lua.h>

/*
 * interrupts() -> SIGINT is blocked in this thread and those that it starts from now on, and awaited by one of its own.
 * To be called behind the wall. Methods:
 *   arm(session, id)    the call of that id is about to run: SIGINT cancels it, also one that came since forget()
 *   disarm()            it has ended
 *   forget()            of SIGINT so far nothing is to come
 *   descriptor()        can be read from when SIGINT came while nothing was armed
 */
int interrupts_new(lua_State *L);

#endif
