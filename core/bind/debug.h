/* SPDX-License-Identifier: MIT */
/*
 * A call that can be stopped and looked into. Interpreters made for a debugger have a hook for lines and
 * calls, and tell it of coroutines, primitives and errors; all others have host->debug NULL and no more
 * than that test, where a primitive begins or an error is raised.
 *
 * While a call stands still its trap is disarmed and its clock does not run. What is evaluated then runs
 * in a thread of its own, whose hook counts and whose budget ends in an error of Lua.
 */
#ifndef CROFT_BIND_DEBUG_H
#define CROFT_BIND_DEBUG_H

#include "bind/bind.h"
#include "bytes.h"
#include "croft_debug.h"

enum {
    DEBUG_POINTS = 256,
    DEBUG_THREADS = 256, /* coroutines that resumed each other; Lua ends at 200 */
    DEBUG_FILE = RECORD_FILE,
    DEBUG_MASK = LUA_MASKLINE | LUA_MASKCALL /* for the hook, besides its count */
};

struct debug_point {
    int number;
    croft_debug_kind kind;
    char *name, *condition; /* the condition may be NULL */
    int line;
};

struct profile_row {
    char file[DEBUG_FILE]; /* "": a free row */
    int line;
    uint64_t hits, ns;
};

struct debug_profile {
    bool is_on;
    struct profile_row *rows; /* a hash table */
    struct profile_row *last; /* whose time runs */
    uint64_t since_ns;
};

struct croft_debug {
    croft_debug_callbacks callbacks;
    struct record_watch watch; /* gives records to the callback */
    struct debug_point points[DEBUG_POINTS];
    size_t point_count;
    int last_number;

    struct bind_host *host; /* of the call that runs; NULL: none does */
    lua_State *threads
        [DEBUG_THREADS]; /* the call's own, and coroutines: each was resumed by the one before */
    size_t thread_count;
    uint64_t paused_ns; /* of this call */
    struct debug_profile profile;

    /* where it goes next */
    croft_debug_move move;
    size_t move_threads;
    int move_depth;
    bool move_inside; /* files of croft's own are not passed over */
    char until_file[DEBUG_FILE];
    int until_line;
    int entered;            /* the breakpoint of a function whose first line comes next; 0: none */
    const void *last_error; /* that it stood still at, so that a table raised again is passed by */

    /* while it stands still */
    lua_State *stopped; /* NULL: it does not */
    int hidden;         /* innermost frames that are ours */
    bool has_run;       /* something was evaluated */
    struct bytes fault; /* of a condition; ours and not a caller's: :abort comes back to none */
    struct bytes error; /* that it stands still at */
};

/* A call begins in the interpreter of `host`, whose main thread is L, or has ended. */
void debug_begin_call(struct croft_debug *debug, struct bind_host *host, lua_State *L);
void debug_end_call(struct croft_debug *debug);

/* The part of the hook that is not about the count. */
void debug_hook(lua_State *L, lua_Debug *event);

/* The rest does nothing where nobody debugs. */

/* A primitive is about to begin. */
void debug_primitive(lua_State *L, const char *name);

/* An error, at the top of L, was raised; `hidden` innermost frames are ours. */
void debug_error(lua_State *L, int hidden);

/* A coroutine is resumed, or came back. */
void debug_enter(lua_State *co);
void debug_leave(lua_State *co);

/* pcall and xpcall that tell of errors before the stack is unwound, in the place of Lua's own. */
int debug_pcall(lua_State *L);
int debug_xpcall(lua_State *L);

/* Stands still. `text` may be "". */
void debug_stop(struct croft_debug *debug, lua_State *L, const char *why, int point,
                const char *text, int hidden);

/* The time since then is not the call's: its clocks did not run. */
void debug_pass_time(struct croft_debug *debug, uint64_t since_ns);

/* The breakpoint for what is at hand whose condition, if it has one, holds; NULL for none. A condition that
 * fails counts as true, and *fault gets its error. */
const struct debug_point *debug_find_point(struct croft_debug *debug, lua_State *L,
                                           croft_debug_kind kind, const char *name, int line,
                                           struct bytes *fault);

/* Whether there is a breakpoint for that line or function at all, conditions aside. Cheap. */
bool debug_may_stop(const struct croft_debug *debug, croft_debug_kind kind, int line);

/* What a chunk that Lua calls `source` is called: "lua/x.lua", or the first line of a text. Cut to `size`. */
void debug_copy_file(const char *source, char *file, size_t size);

/* The Lua that runs: in the frame at `level`; where that is C, in the first one that is a tool's, or else in any.
 * False where there is none. */
bool debug_site(lua_State *L, int level, char *file, size_t size, int *line);

/* Finds a frame, counted from the innermost one that is not ours over all coroutines. */
bool debug_frame(const struct croft_debug *debug, size_t index, lua_State **L, lua_Debug *ar);

/* The frame of that place. */
size_t debug_first_frame(const struct croft_debug *debug);

/* A thread for our own work, and that work, protected. False when it failed. */
bool debug_protected(lua_State *L, lua_CFunction body, void *job);

/* Runs Lua in a frame, as croft_debug_run has it; the text goes to *out. */
bool debug_run(struct croft_debug *debug, size_t frame, const char *text, size_t size, size_t most,
               bool *cut, struct bytes *out);

/* Pushes the text compiled, as an expression if it can be, else as statements. False: it pushes why not. */
bool debug_compile(lua_State *L, const char *text, size_t size);

/* Adds the value as a reader sees it, at most about `most` bytes. Returns whether it was cut. No code runs. */
bool debug_show(lua_State *L, int index, size_t most, struct bytes *out);

/* Adds those from index `from` on, with commas between. */
bool debug_show_all(lua_State *L, int from, size_t most, struct bytes *out);

void debug_profile_line(struct debug_profile *profile, const char *source, int line);
void debug_profile_end(struct debug_profile *profile); /* the call has ended */

#endif
