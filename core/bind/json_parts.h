/* SPDX-License-Identifier: MIT */
/* What the files of core.json share. */
#ifndef CROFT_BIND_JSON_PARTS_H
#define CROFT_BIND_JSON_PARTS_H

#include "bind/bind.h"
#include "json_scan.h"

enum { JSON_DECODE_DEPTH = 64 };

/* A text, or the arguments of the call; one reading of it is charged for. */
struct json_slice json_argument(lua_State *L, int index);

/* Pushes a box with an empty buffer. */
struct bytes *json_push_buffer(lua_State *L);

/* Pushes the text of a JSON string; `buffer` is overwritten. */
void json_push_text(lua_State *L, struct json_slice string, struct bytes *buffer);

/* fit(text, schema) -> the members of the object, where the schema takes each as it stands; else nil, and
 * croft.arguments has to see what it is. */
int json_fit(lua_State *L);

#endif
