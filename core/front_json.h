/* SPDX-License-Identifier: MIT */
/* JSON for the program's Lua: a text is checked once and then handed about in slices. */
#ifndef CROFT_FRONT_JSON_H
#define CROFT_FRONT_JSON_H

#include <lua.h>

#include "json_scan.h"

/*
 * Adds to the table on the top of the stack
 *   parse(text) -> slice | nil, reason, byte     the whole text is one JSON value, at most 128 deep
 *   quote(text) -> string                        as a JSON string with its quotes
 * and makes the methods of slices
 *   slice:type() -> "null" "false" "true" "number" "string" "array" "object"
 *   slice:pick(name, ...) -> slice or nil for each   members of an object, in one pass; of several
 *                                                that are called the same the last counts
 *   slice:each() -> iterator of value, key       elements, or members in their order
 *   slice:text() -> string, whole                of a string; whole is false where U+FFFD stands for
 *                                                a lone surrogate. nil for anything else
 *   slice:raw() -> string                        the bytes as they came
 * A slice keeps the text alive.
 */
void front_json_add(lua_State *L);

/* The slice at `index`, {NULL, 0} for nil or none; raises for anything else. */
struct json_slice front_json_optional(lua_State *L, int index);

/* The text at `index`: a string, or a line of the server (front_request.h), which is none; slices of that are good
 * while it is handled. */
struct json_slice front_json_text(lua_State *L, int index);

/* Pushes a slice of the text at `anchor`; nil for {NULL, 0}. */
void front_json_push(lua_State *L, struct json_slice slice, int anchor);

/* Pushes `text` as a JSON string. */
void front_json_push_quoted(lua_State *L, const char *text, size_t size);

#endif
