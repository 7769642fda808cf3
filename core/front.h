/* SPDX-License-Identifier: MIT */
/*
 * The program's own interpreter: an ordinary Lua with its standard libraries, the modules of lua/front
 * and one C module, `front.core`, made of croft.h and the JSON scanner alone. Tools never run in it.
 */
#ifndef CROFT_FRONT_H
#define CROFT_FRONT_H

#include <lua.h>

/* Opens the libraries and makes the modules of lua/front ready to be required; raises. */
void front_open(lua_State *L);

/* Runs the program with its arguments; returns its exit status. */
int front_run(int argc, char **argv);

#endif
