/* SPDX-License-Identifier: MIT */
#include "bind/pace.h"

#include <stdint.h>

#include "bind/overrun.h"
#include "sys.h"

/*
 * What an instruction may go over: what is large, in each table of the longest chain of __index that
 * there may be. Lua follows no more than 2000 links.
 */
static uint64_t most_bytes(const struct bind_host *host)
{
    enum { MOST_TABLES = 2001 };
    uint64_t tables = (uint64_t)host->links.count + 1;

    return (host->large + PACE_LARGE) * (tables < MOST_TABLES ? tables : MOST_TABLES);
}

static bool may_be_long(const struct bind_host *host)
{
    return host->large > 0 || host->links.count > 0;
}

/* For each byte of that it takes less than a nanosecond. */
static int steps_to_look(const struct bind_host *host)
{
    enum { LEAST_NS = 20 * 1000 * 1000 }; /* what a call may be late */
    uint64_t now, deadline = host->budget.deadline_ns, left = LEAST_NS, steps;

    if (!may_be_long(host))
        return PACE_MOST;
    now = clock_ns();
    if (deadline > now + LEAST_NS)
        left = deadline - now;
    steps = left / most_bytes(host);
    return steps == 0 ? 1 : steps > PACE_MOST ? PACE_MOST : (int)steps;
}

/* The count begins anew, and Lua goes over all frames of the stack: what is nearly the same stays. */
static void set(lua_State *L, int steps)
{
    int now = lua_gethookcount(L);

    if (steps <= now / 2 || steps / 2 >= now)
        lua_sethook(L, lua_gethook(L), lua_gethookmask(L), steps);
}

void pace_tick(lua_State *L, uint64_t steps)
{
    if (may_be_long(bind_host(L)))
        bind_look(L, steps);
    else
        bind_tick(L, steps);
}

void pace_next(lua_State *L)
{
    set(L, steps_to_look(bind_host(L)));
}

void pace_enter(lua_State *L)
{
    overrun_unwatch();
    bind_host(L)->running = L;
    pace_next(L);
}

void pace_more(struct bind_host *host)
{
    int steps = steps_to_look(host);

    if (host->running != NULL && steps < lua_gethookcount(host->running))
        set(host->running, steps);
}

/* One that is not among the last that were seen counts, also when it was before them. */
void pace_link(lua_State *L, const void *metatable)
{
    struct bind_host *host = bind_host(L);
    const void **seen = &host->links.seen[(uintptr_t)metatable / 64 % LINKS_SEEN];

    if (*seen == metatable)
        return;
    *seen = metatable;
    host->links.count++;
    pace_more(host);
}
