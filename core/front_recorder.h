/* SPDX-License-Identifier: MIT */
/*
 * Keeps what calls were given and what they answered, a line each, in a file; lua/front/recording.lua says
 * in which form. The lines are made by Lua, in an interpreter of the recorder's own under its lock, so that
 * any thread may add a call while another uses the program's interpreter.
 *
 * When the file cannot be written any more, the disk is full say, recording stops with one line in the
 * log. Calls go on.
 */
#ifndef CROFT_FRONT_RECORDER_H
#define CROFT_FRONT_RECORDER_H

#include <lua.h>

#include "croft.h"

struct recorder;

/* One call that has ended. */
struct recorded {
    uint64_t id;
    const char *tool; /* as it was asked for */
    const char *args; /* JSON, or no bytes at all */
    size_t args_size;
    const char *outcome, *code; /* the words for what came of it */
    bool is_error;
    const char *text; /* NULL where there is none */
    size_t text_size;
    uint64_t steps, heap_bytes, microseconds;
};

/* What croft_call answered, with id, tool and args left to be filled in. It lives as long as `result`. */
struct recorded recorder_result(croft_status status, const croft_result *result);

/* Others wait with their calls from the one to the other: between them a call is added and its answer sent, so
 * that the lines stand in the order of the answers. NULL for a recorder, here and below, does nothing. */
void recorder_hold(struct recorder *recorder);
void recorder_release(struct recorder *recorder);

/* For the one who holds it. */
void recorder_add(struct recorder *recorder, const struct recorded *call);

/*
 * recorder(view, path, head, module, ...) -> recorder | nil, reason
 *
 * Opens the file for appending, as host_append_open() does, keeps others from recording to it, and appends the
 * line `head`. Further lines are made by the `module` of lua/front: a function that is given the further
 * arguments, strings, numbers and booleans, and returns a function from a call, the fields of struct recorded
 * without their sizes, to its line. Methods: add(call), where `call` is a result of session:call with `id`,
 * `tool` and `args` in it; begin(head), which appends the head of
 * a further part; and close().
 */
int recorder_open(lua_State *L);

/* The recorder at `index`; NULL for nil or none; raises for anything else. It lives as long as that. */
struct recorder *recorder_optional(lua_State *L, int index);

#endif
