/* SPDX-License-Identifier: MIT */
#include "serve_form.h"

#include <lauxlib.h>

#define FORM "croft.answer_form"

/* A text field of the table at 1, which the form keeps. */
static const char *take(lua_State *L, const char *name, bool optional)
{
    int type = lua_getfield(L, 1, name);
    const char *text = lua_tostring(L, -1);

    if (type != LUA_TSTRING && !(optional && type == LUA_TNIL))
        luaL_error(L, "a form needs \"%s\", a string", name);
    lua_pop(L, 1); /* it stays in the table */
    return text;
}

int form_new(lua_State *L)
{
    struct answer_form *form;

    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    form = lua_newuserdatauv(L, sizeof *form, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    (void)luaL_newmetatable(L, FORM);
    lua_setmetatable(L, -2);
    *form = (struct answer_form){
        .done = take(L, "done", false),
        .after_done = take(L, "after_done", false),
        .failed = take(L, "failed", false),
        .after_failed = take(L, "after_failed", false),
        .refused = take(L, "refused", false),
        .broken = take(L, "broken", false),
        .question = take(L, "question", true),
    };
    (void)lua_getfield(L, 1, "links");
    form->has_links = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return 1;
}

const struct answer_form *form_check(lua_State *L, int index)
{
    return luaL_checkudata(L, index, FORM);
}
