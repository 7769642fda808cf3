/* SPDX-License-Identifier: MIT */
#include "bind/overrun.h"

#include <errno.h>

#include "sys.h"

static _Atomic int lent; /* the signal; 0: there is none */
static char bare;        /* its address is the mark of what holds nothing */

/* Whose interpreter this thread runs, and may leave at any moment. A handler must not have to make room for it. */
static _Thread_local struct bind_host *volatile watched __attribute__((tls_model("initial-exec")));

static void leave_if_over(int number)
{
    struct bind_host *host = watched;
    enum breach breach;
    int before = errno;

    if (host == NULL || host->is_allocating)
        return;
    breach = budget_breach_at(&host->budget, clock_ns());
    errno = before;
    if (breach == BREACH_NONE)
        return;
    watched = NULL;
    ticker_unblock(number);
    bind_trap(host, breach);
}

croft_status overrun_take_signal(int number, croft_error *err)
{
    croft_status status = ticker_take_signal(number, leave_if_over, err);

    if (status == CROFT_OK)
        lent = number;
    return status;
}

/* Whether the allocator was called by an instruction, and not by a function that may hold something. */
bool overrun_holds_nothing(lua_State *L)
{
    lua_Debug frame;

    if (lua_getstack(L, 0, &frame) == 0 || lua_getinfo(L, "S", &frame) == 0)
        return false;
    return frame.what[0] != 'C' || lua_touserdata(L, lua_upvalueindex(OVERRUN_BARE)) == &bare;
}

/* A debugger's own hooks run Lua, and it may wait in them. */
void overrun_watch(struct bind_host *host)
{
    lua_State *L = host->running;

    if (lent == 0 || L == NULL || !host->armed || host->debug != NULL || watched == host ||
        !overrun_holds_nothing(L))
        return;
    ticker_start(&host->ticker, lent);
    if (!host->ticker.runs)
        return;
    lua_sethook(L, lua_gethook(L), lua_gethookmask(L) | OVERRUN_MASK, lua_gethookcount(L));
    watched = host;
}

bool overrun_is_watched(const struct bind_host *host)
{
    return watched == host;
}

void overrun_unwatch(void)
{
    watched = NULL;
    atomic_signal_fence(memory_order_seq_cst);
}

/* The count of instructions has begun anew with the watch: a look makes up for that. */
void overrun_hooked(lua_State *L)
{
    int mask = lua_gethookmask(L);

    overrun_unwatch();
    if ((mask & OVERRUN_MASK) == 0)
        return;
    lua_sethook(L, lua_gethook(L), mask & ~OVERRUN_MASK, lua_gethookcount(L));
    bind_look(L, 0);
}

void overrun_end(struct bind_host *host)
{
    overrun_unwatch();
    ticker_stop(&host->ticker);
}

void overrun_push_bare(lua_State *L)
{
    lua_pushlightuserdata(L, &bare);
}
