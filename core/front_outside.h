/* SPDX-License-Identifier: MIT */
/*
 * Files that the person at the REPL names while the second wall is up already: recordings. A thread that was
 * started before the wall, and is not held by it, opens them. Nothing but that is done there, and no tool
 * can ask for it.
 */
#ifndef CROFT_FRONT_OUTSIDE_H
#define CROFT_FRONT_OUTSIDE_H

#include <lua.h>

typedef void outside_action(void *user);

/* outside(): starts the thread, which ends with the interpreter. To be called before the wall is up. */
int outside_start(lua_State *L);

/* Runs the action in that thread and waits until it has returned; in this one where there is none. */
void outside_run(lua_State *L, outside_action *action, void *user);

/* file(path, only_regular) -> a file to be read; nil and why not */
int outside_file(lua_State *L);

#endif
