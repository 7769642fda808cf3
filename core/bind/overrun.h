/* SPDX-License-Identifier: MIT */
/*
 * Ends a call in the middle of one instruction of Lua. The hook that counts runs between instructions, and one alone
 * may take minutes: a table that grows puts all its keys in anew, and those can be made to collide.
 *
 * Before it is long an instruction asks for a large block, and that begins a watch. It lasts until a function
 * is entered or left, which hooks tell: as long as it does, nothing runs but Lua itself, which holds nothing
 * but its own memory. So there, and nowhere else, a timer's signal may leave by the trap.
 *
 * That needs a signal, of which a process has few: without one that the host lends there is no watch.
 */
#ifndef CROFT_BIND_OVERRUN_H
#define CROFT_BIND_OVERRUN_H

#include "bind/bind.h"

enum {
    OVERRUN_LARGE = 128 * KIB, /* what goes over less than that takes less than 20 ms */
    OVERRUN_MASK = LUA_MASKCALL | LUA_MASKRET /* for the hook, while a watch lasts */
};

/* As croft_lend_signal has it. */
croft_status overrun_take_signal(int number, croft_error *err);

/* The allocator works, and must not be left. */
static inline void overrun_hold(struct bind_host *host)
{
    atomic_store_explicit(&host->is_allocating, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
}

static inline void overrun_release(struct bind_host *host)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&host->is_allocating, false, memory_order_relaxed);
}

/* It is about to give Lua a block that is large; or what is bare may take long. */
void overrun_watch(struct bind_host *host);

/* Whether the signal may leave it at any moment. */
bool overrun_is_watched(const struct bind_host *host);

/* Whether what runs now in L, whose allocator asks, is Lua or bare. */
bool overrun_holds_nothing(lua_State *L);

/* C runs from now on, or may hold something: nothing is left by the signal any more. */
void overrun_unwatch(void);

/* The same in the hook, of the thread of Lua that it was called for. */
void overrun_hooked(lua_State *L);

/* The call has ended. */
void overrun_end(struct bind_host *host);

/* A function of C that holds nothing but memory of Lua's, nor calls one of the C library that may, is one part with
 * the instruction that called it: its upvalue OVERRUN_BARE is what this pushes. */
enum { OVERRUN_BARE = 3 };
void overrun_push_bare(lua_State *L);

#endif
