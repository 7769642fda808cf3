/* SPDX-License-Identifier: MIT */
/* The server's loop: lines in, lines out. What they mean is said in lua/front. */
#ifndef CROFT_CMD_SERVE_H
#define CROFT_CMD_SERVE_H

#include <lua.h>

/* The croft_call_options.call_id of the one call that runs at a time. */
#define SERVE_CALL 1

/*
 * serve(session, handlers) -> exit status
 *
 * Reads stdin line by line until it ends and writes the answers to stdout, one write each. Handlers are
 * functions that return the pieces of one answer, up to 12, or nothing:
 *   line(text)    a line, without its line end
 *   too_long()    a line over the ceiling was met; its rest is skipped
 *   finish()      stdin has ended; called until it returns nothing
 * SIGTERM, SIGINT and SIGHUP end the process with status 0, and so does the end of stdin or stdout; a
 * call that still runs is cancelled, at the latest 0.7 s after stdin has ended.
 */
int cmd_serve(lua_State *L);

#endif
