/* SPDX-License-Identifier: MIT */
/* core.context: how far a call has come, and whether it should end. */
#include "bind/modules.h"

/* progress(done): tells the client how much is done, which only ever rises; often is fine. */
static int context_progress(lua_State *L)
{
    struct budget *budget = &bind_host(L)->budget;
    lua_Integer done = bind_integer(L, 1);

    luaL_argcheck(L, done >= 0, 1, "it is negative");
    bind_tick(L, 10);
    if ((uint64_t)done > budget->done)
        budget->done = (uint64_t)done;
    (void)budget_look(budget);
    bind_tick(L, 0); /* a breach ends the call here */
    return 0;
}

/* cancelled() -> false; or true and "cancelled" or "short": the client wants no answer any more, or nine
 * tenths of the time or of the steps are gone. */
static int context_cancelled(lua_State *L)
{
    struct budget *budget = &bind_host(L)->budget;
    bool is_over;

    bind_tick(L, 10);
    is_over = budget_is_short(budget);
    lua_pushboolean(L, is_over);
    if (!is_over)
        return 1;
    lua_pushstring(L, budget->breach == BREACH_CANCELLED ? "cancelled" : "short");
    return 2;
}

int module_context(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"progress", context_progress},
        {"cancelled", context_cancelled},
        {NULL, NULL},
    };

    luaL_newlib(L, functions);
    return 1;
}
