/* SPDX-License-Identifier: MIT */
/*
 * What every binding shares: the host behind an interpreter, the budget and its trap, what C owns on
 * behalf of Lua, and structured errors.
 *
 * A trap (bind_tick, any allocation) leaves the primitive by longjmp and the interpreter is never used
 * again. So a primitive keeps nothing in its own frame that must be given back: memory and descriptors
 * live in a box (bind_own), which the sandbox closes after a trap, and __gc otherwise.
 */
#ifndef CROFT_BIND_H
#define CROFT_BIND_H

#include <lauxlib.h>
#include <lua.h>
#include <setjmp.h>

#include "artifact.h"
#include "budget.h"
#include "ceilings.h"
#include "error.h"
#include "functions.h"
#include "json_scan.h"
#include "path.h"
#include "record.h"
#include "staging.h"
#include "ticker.h"
#include "turns.h"
#include "view.h"

struct match_room;
struct page_store;

struct box {
    struct box *next, **link;
    void (*close)(void *payload);
    void *payload;
    bool in_spare; /* the payload is, and not behind the box */
};

enum { LINKS_SEEN = 64 };

/* Metatables that were set in this call; `seen` are some of them. Each link of a chain of tables has one. */
struct links {
    unsigned count;
    const void *seen[LINKS_SEEN];
};

enum {
    BIND_PATHS = 2,        /* path arguments that a primitive may have */
    BIND_SPARE = 32 * KIB, /* for the payload of one box */
    BIND_SPARE_FROM = KIB
};

/* Too large for the C stack; and as garbage of every call they would have Lua collect all the time. */
struct bind_room {
    _Alignas(16) char spare[BIND_SPARE];
    struct path paths[BIND_PATHS];
    struct route link;               /* of a link that is shown */
    struct route routes[BIND_PATHS]; /* where those lead, of the primitives that asked last */
};

void bind_room_init(struct bind_room *room);
void bind_room_clear(struct bind_room *room); /* lets go of what the routes hold */

/* One for each interpreter; the sandbox fills it in. */
struct bind_host {
    const croft_view *view;
    const struct root *root; /* of the view, or a copy of it that has the permit of this call */
    const struct limits *limits;
    struct budget budget;
    struct turns *turns;           /* of the session */
    struct artifacts *artifacts;   /* of the session */
    const struct staging *staging; /* of the session */
    struct page_store *pages;      /* of the session */
    struct turn turn;          /* the file that this call changes; given back when the call ends */
    lua_State *running;        /* the thread of it that does, see pace.h */
    size_t large;              /* bytes of Lua's heap in blocks of more than PACE_LARGE */
    struct links links;        /* that a chain of __index may have */
    struct box *boxes;         /* all that are open */
    struct recorder *recorder; /* NULL: the host wants no records */
    struct croft_debug *debug; /* NULL: nobody debugs; else there is a recorder, too */
    const struct functions *functions; /* of the host; outlives the interpreter */
    croft_log_function *log;
    void *log_user;
    size_t log_left; /* bytes that this call may still log */
    struct bind_room *room;
    unsigned next_path;
    bool spare_is_taken;
    size_t held, held_collected;   /* bind_hold: now, and after the last collection for it */
    struct match_room *match_room; /* of expressions; made when the first one is tried */
    jmp_buf boundary;
    struct listener listener;  /* of the call, as the host gave it */
    struct ticker ticker;      /* see overrun.h */
    atomic_bool is_allocating; /* the allocator is at work */
    const char *loading;       /* the chunk whose body runs, while tools are loaded; else NULL */
    bool again;                /* it has run before: see loading_again in require.c */
    unsigned walks;            /* fs:walk()s that are open */
    unsigned files;            /* fs:open()s that are */
    const struct json_slice
        *args;          /* of the call, for core.json: no string, so that they are not copied */
    bool armed;         /* `boundary` is set, and Lua may run */
    bool wrote;         /* this call has changed something */
    bool is_evaluating; /* for a debugger: a breach of the budget is an error of Lua */
};

struct bind_host *bind_host(lua_State *L);

/* Charges steps before the work is done. Does not return after a breach. */
void bind_tick(lua_State *L, uint64_t steps);

/* The same with a look at the clock: what was done since the last one may have been long. */
void bind_look(lua_State *L, uint64_t steps);

/* Collects all garbage, for what holds more than memory; charges for what there is. */
void bind_collect(lua_State *L);

/*
 * C holds so many bytes more for something of Lua's, outside of Lua's heap, where they count as if they
 * were in it; and it has let go of so many. What gives them back must know of them before it is called.
 */
void bind_hold(lua_State *L, size_t bytes);
void bind_let_go(struct bind_host *host, size_t bytes);

/* Gives a line to the log of the session's host, if there is one. */
void bind_log(struct bind_host *host, const char *text, size_t size);

/* lua_pcall, for what runs code of a tool: an error comes back without a word to the hooks, see overrun.h. */
int bind_pcall(lua_State *L, int arguments, int results);

/* Ends the call: nothing of this interpreter runs any more. */
_Noreturn void bind_trap(struct bind_host *host, enum breach breach);

/*
 * Pushes a box with `size` zeroed bytes, and one user value for what these point into; `close` is called once with them. What is put into it before
 * the next call of the Lua API is safe.
 */
void *bind_own(lua_State *L, size_t size, void (*close)(void *payload));

/* The same with the metatable called `type` (its __gc must be bind_gc) in place of the private one. */
void *bind_own_as(lua_State *L, size_t size, void (*close)(void *payload), const char *type);

/* The payload of argument `index`, which must be a box of that type. */
void *bind_check(lua_State *L, int index, const char *type);

/* Closes the box at `index` now; again does nothing. */
void bind_release(lua_State *L, int index);
int bind_gc(lua_State *L);

/* Makes the metatable `type` with `methods`, closed against Lua code. Pushes nothing. */
void bind_type(lua_State *L, const char *type, const luaL_Reg *methods);

/* Raises {code, path, at, detail, errno, op}. `path` stands at stack index `path_index` (0: none). */
int bind_raise(lua_State *L, const croft_error *err, const char *op, int path_index);

/* Whether the value at `index` is such an error. */
bool bind_is_error(lua_State *L, int index);

/* Pushes that table, so that the caller can add to it before lua_error(). What the primitive at work
 * does ends with it. */
void bind_push_error(lua_State *L, const croft_error *err, const char *op, int path_index);

/* A primitive that a recorder follows begins, or has ended. Does not return when that could not be
 * recorded. */
void bind_record_begin(struct bind_host *host, const char *operation, const char *path,
                       size_t size);
void bind_record_end(struct bind_host *host, const char *verdict, const char *rule);

/* Notes how many bytes of a file the primitive at work has read or written. */
static inline void bind_note_bytes(lua_State *L, uint64_t bytes)
{
    struct recorder *recorder = bind_host(L)->recorder;

    if (recorder != NULL && !recorder->is_muted)
        recorder->bytes = bytes;
}

/* The registry keys of the errors' metatable, and of the globals of tools. */
#define BIND_ERROR "croft.error"
#define BIND_TOOL_ENV "croft.env.tool"

/* Keeps the text at the top, which is UTF-8, until bind_forget_valid: what is made of a file is not looked
 * through once more on its way out. */
void bind_keep_valid(lua_State *L);
void bind_forget_valid(lua_State *L);

/* Whether the text at `index` is UTF-8; it is charged for by the caller. */
bool bind_is_valid(lua_State *L, int index);

/* A path argument, parsed; it is good until the primitive returns. The stack is then the `count` arguments
 * of the primitive (nil for those that are absent). Raises. */
const struct path *bind_path(lua_State *L, int index, int count, const char *op);

/* The same, and in which tree of the view it lies. */
const struct route *bind_route(lua_State *L, int index, int count, const char *op);

/* An integer argument. Lua takes texts for numbers, which cost what they are long: they are charged. */
lua_Integer bind_integer(lua_State *L, int index);
lua_Integer bind_opt_integer(lua_State *L, int index, lua_Integer fallback);

/* Charges for the value at `index` in case it is a text that will be taken for a number. */
void bind_charge_number(lua_State *L, int index);

/* Fields of an options table at `index` (nil or none: the fallback). */
lua_Integer bind_field_integer(lua_State *L, int index, const char *name, lua_Integer fallback);
const char *bind_field_string(lua_State *L, int index, const char *name,
                              size_t *size); /* stays on the stack; NULL: absent */
bool bind_field_boolean(lua_State *L, int index, const char *name);

/* Setters for the table at the top of the stack. */
void bind_set_integer(lua_State *L, const char *name, uint64_t value);
void bind_set_boolean(lua_State *L, const char *name, bool value);
void bind_set_text(lua_State *L, const char *name, const char *text, size_t size);
/* A path of the view, so that it can be sent back: with "./" before what would name a drive. */
void bind_push_path(lua_State *L, const char *text, size_t size);
void bind_set_path(lua_State *L, const char *name, const char *text, size_t size);
/* short_of = "time" or "steps": of what ended because its budget ran short. */
void bind_set_short_of(lua_State *L);

#endif
