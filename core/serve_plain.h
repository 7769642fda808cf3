/* SPDX-License-Identifier: MIT */
/*
 * Calls that are taken without Lua: nearly all that come are good requests, and of the tools used most nothing has to
 * be known but their names. What mcp.lua would make of such a call it says once, in a table; all others are its own.
 */
#ifndef CROFT_SERVE_PLAIN_H
#define CROFT_SERVE_PLAIN_H

#include "front_request.h"
#include "serve_job.h"

enum { PLAIN_TOOLS = 8 };

struct plain_tool {
    struct json_slice name; /* as JSON */
    bool is_long;
};

/* All texts are in the table that was taken. Those that are compared with what comes are JSON. */
struct plain {
    bool is_given; /* else every call is Lua's */
    struct json_slice method;
    struct json_slice version_key, version; /* members of _meta: with one of them a request is */
    struct json_slice capabilities_key;     /* modern, and good with both */
    const struct answer_form *modern;       /* of the answers to such */
    const struct answer_form *legacy;       /* to all others; NULL: these are Lua's */
    struct json_slice before_id, after_id;  /* how an answer begins */
    struct json_slice before_token, after_token; /* and a notification of progress */
    struct plain_tool tools[PLAIN_TOOLS];
    size_t tool_count;
};

/* Takes the table at `index`, with fields named as those above; `tools` says of each name whether the call is long.
 * The table is kept. Raises. */
void plain_take(lua_State *L, int index, struct plain *plain);

/* The job of a call, the caller's, made as job_make does. NULL where it is Lua's affair. */
struct job *plain_job(const struct plain *plain, const struct request_line *line,
                      struct line_reader *reader);

#endif
