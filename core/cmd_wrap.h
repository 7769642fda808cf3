/* SPDX-License-Identifier: MIT */
/* Starting programs in a view, for the front. */
#ifndef CROFT_CMD_WRAP_H
#define CROFT_CMD_WRAP_H

#include <lua.h>

/* probe() -> {program =, version =} | nil, why nothing can be started in a view here */
int cmd_wrap_probe(lua_State *L);

/*
 * launch(view, workdir or nil, argv) -> exit status | nil, error
 *
 * Starts the program with our stdin, stdout and stderr, and waits for it. With the code "missing" in the
 * error it was not started: bubblewrap has said why.
 */
int cmd_wrap_launch(lua_State *L);

#endif
