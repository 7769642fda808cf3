/* SPDX-License-Identifier: MIT */
#include "bind/pace.h"

#include "sys.h"

/* What an instruction takes for each byte that it may go over is less than a nanosecond. */
static int steps_to_look(const struct bind_host *host)
{
    enum { LEAST_NS = 20 * 1000 * 1000 }; /* what a call may be late */
    uint64_t now, deadline = host->budget.deadline_ns, left = LEAST_NS, steps;

    if (host->large == 0)
        return PACE_MOST;
    now = clock_ns();
    if (deadline > now + LEAST_NS)
        left = deadline - now;
    steps = left / host->large;
    return steps == 0 ? 1 : steps > PACE_MOST ? PACE_MOST : (int)steps;
}

/* The count begins anew, so only what is another is set. */
static void set(lua_State *L, int steps)
{
    if (steps != lua_gethookcount(L))
        lua_sethook(L, lua_gethook(L), lua_gethookmask(L), steps);
}

void pace_next(lua_State *L)
{
    set(L, steps_to_look(bind_host(L)));
}

void pace_enter(lua_State *L)
{
    bind_host(L)->running = L;
    pace_next(L);
}

void pace_more(struct bind_host *host)
{
    int steps = steps_to_look(host);

    if (host->running != NULL && steps < lua_gethookcount(host->running))
        set(host->running, steps);
}
