/* SPDX-License-Identifier: MIT */
/* Throw-away directories, in which `croft check` runs examples. */
#ifndef CROFT_FRONT_SCRATCH_H
#define CROFT_FRONT_SCRATCH_H

#include <lua.h>

/* All return nil and a reason when they fail. */
int scratch_new(lua_State *L); /* scratch() -> path of a new, empty directory */
int scratch_put(
    lua_State *L); /* scratch_put(directory, path, text): a file, with the directories to it; a
                                    * directory alone where `path` ends in "/" */
int scratch_link(lua_State *L); /* scratch_link(directory, path, target): a symbolic link */
int scratch_get(lua_State *L);  /* scratch_get(directory, path) -> what the file holds */
int scratch_drop(lua_State *L); /* scratch_drop(directory): it and all that is in it are removed */
int scratch_program(lua_State *L); /* program() -> path of the running program */

#endif
