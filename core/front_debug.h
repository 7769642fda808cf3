/* SPDX-License-Identifier: MIT */
/* croft_debug.h for the program's Lua. */
#ifndef CROFT_FRONT_DEBUG_H
#define CROFT_FRONT_DEBUG_H

#include <lua.h>

/*
 * debugger(stopped) -> a debugger; `stopped` is called when a call stands still, with {why, point, text, file,
 * line}, and returns "continue", "step", "next", "out", "until" with a line, or "abort". Its methods:
 *
 *   open(view, options) -> session | nil, error     as view:session(options)
 *   evaluate(session, text, most, id) -> result     of Lua, as of a call; `id` is for core.interrupts
 *   records() -> lines of JSON since the last time, of the first megabyte: as session:trace(), and with
 *                "at" ("file:line"), and of a refused path "blamed", "steps" ({name, what, from_link, target})
 *                and "read_only"
 *   paused() -> microseconds
 *   add(kind, name, line, condition) -> number | nil    kinds: "line", "function", "primitive", "error",
 *   delete(number) -> boolean                           "refusal"
 *   frames() -> JSON | nil, variables(frame, most) -> JSON | nil, run(frame, text, most) -> good, text, cut
 *                                                    while a call stands still; frames count from 0
 *   profile(on), profiled() -> JSON
 *   sources(session) -> JSON, source(session, file) -> text | nil, tools(session) -> JSON
 *   complete(view, path, most) -> list of names (directories end in "/"), whether these are all
 *   confine(view, directories) -> as view:confine()
 */
int front_debugger(lua_State *L);

#endif
