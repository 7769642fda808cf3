/* SPDX-License-Identifier: MIT */
/*
 * After how many instructions of Lua the clock is looked at. An instruction may go over all of a long
 * text or a large table, as the look for a key does: the nearer the deadline is, the fewer of them run
 * between two looks.
 */
#ifndef CROFT_BIND_PACE_H
#define CROFT_BIND_PACE_H

#include "bind/bind.h"

enum {
    PACE_MOST = 1000, /* instructions between two looks */
    PACE_LARGE =
        16 *
        KIB /* bytes of a block that is counted in bind_host.large; others are gone over at once */
};

/* L is the thread that runs from now on. */
void pace_enter(lua_State *L);

/* What is large has become more, while any thread ran. */
void pace_more(struct bind_host *host);

/* A table gets `metatable`, which is good until the next instruction: it may make a chain longer. */
void pace_link(lua_State *L, const void *metatable);

/* Charges for steps of C, each of which looks into tables of a tool's: the clock is read where that may be long. */
void pace_tick(lua_State *L, uint64_t steps);

/* In the hook, behind a look: what the next interval is. */
void pace_next(lua_State *L);

#endif
