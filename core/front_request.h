/* SPDX-License-Identifier: MIT */
#ifndef CROFT_FRONT_REQUEST_H
#define CROFT_FRONT_REQUEST_H

#include <lua.h>
#include <stdbool.h>

#include "json_scan.h"

/* A line that came, and what it says when it is a JSON-RPC request as nearly all are. The slices are of its text. */
struct request_line {
    struct json_slice text; /* first: Lua hands a line about as that of front_json_text() */
    bool is_common;
    struct json_slice id,
        method;               /* both stand for themselves: no escapes, no number over 64 bits */
    struct json_slice params; /* an object, or {NULL, 0} */
};

/* Looks at the text, and fills in the rest. */
void request_look(struct request_line *line);

/* Whether an id or a token can be sent back as it is, and spells itself as any other of its value: a string
 * without escapes, or a whole number that has 64 bits without a look at it. */
bool request_is_echoed(struct json_slice value);

/* Whether the first is there, and the same bytes as the other. */
bool request_is_same(struct json_slice one, struct json_slice other);

/* A member that is looked for: its name as JSON, with quotes, and where its value goes. */
struct request_member {
    struct json_slice name;
    struct json_slice *value;
};

/* A slice that is a text of the program's. */
#define REQUEST_TEXT(text) ((struct json_slice){text, sizeof(text) - 1})

/* Finds members in one pass; the last of several counts, as everywhere. False where the object has a name that is
 * spelled with escapes. */
bool request_find(struct json_slice object, const struct request_member *members, size_t count);

/*
 * (line) -> method, id, params, key: what a line says that is as nearly all are: the id as it came, params as a
 * slice or nil, and what jsonrpc.key makes of the id. Nothing for any other line, a good one or not: that is
 * jsonrpc.lua's affair.
 */
int front_request(lua_State *L);

#endif
