/* SPDX-License-Identifier: MIT */
/* What `croft repl` needs of the system besides the tools' files. */
#ifndef CROFT_FRONT_FILES_H
#define CROFT_FRONT_FILES_H

#include <lua.h>

/* terminal() -> whether stdin and stdout are one, its width. Characters are UTF-8 from here on, where the machine
 * can. */
int files_terminal(lua_State *L);

/* private_file(path) -> a file for reading and appending that is the user's alone; its directories are made. nil and
 * why not: also for what is no regular file, or another's. */
int files_private(lua_State *L);

/* fingerprint(directory) -> a text that differs when one of its *.lua files does; nil when it cannot be read */
int files_fingerprint(lua_State *L);

#endif
