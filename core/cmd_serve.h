/* SPDX-License-Identifier: MIT */
/* The server: lines in, lines out. What they mean is said in lua/front; who reads and who calls tools,
 * in serve_crew.h. */
#ifndef CROFT_CMD_SERVE_H
#define CROFT_CMD_SERVE_H

#include <lua.h>

/*
 * serve(session, calls, handlers) -> exit status
 *
 * Reads stdin line by line until it ends and writes the answers to stdout, with up to `calls` tools
 * running at once. Handlers are functions that return the pieces of one answer, up to 12, or nothing:
 *   line(text)    a line, without its line end
 *   too_long()    a line over the ceiling was met; its rest is skipped
 *   finish()      stdin has ended; called until it returns nothing
 * `plain` among them, or nil, says which calls are taken without Lua, as plain_take() has it.
 * With `verbose` among them each call leaves a line in the log; with a `recorder`, in its file.
 * They run one at a time, in any thread. SIGTERM, SIGINT and SIGHUP end the process with status 0, and
 * so does the end of stdin or stdout; a call that still runs is cancelled, at the latest 0.7 s after
 * stdin has ended.
 */
int cmd_serve(lua_State *L);

/* start(job): for the handler `line`, which then returns nothing: the tool that it asks for is called
 * once it has returned. See job_new() for the fields. */
int cmd_serve_start(lua_State *L);

/* plain(calls): for the handler `line`: from now on these are taken without Lua, as plain_take() has it. */
int cmd_serve_plain(lua_State *L);

/* answer(question, verdict): what the client answered to an elicitation/create with the id
 * "croft-gate-QUESTION", as job_take_verdict() takes it. */
int cmd_serve_answer(lua_State *L);

/* cancel(key): calls off every job with that key. */
int cmd_serve_cancel(lua_State *L);

#endif
