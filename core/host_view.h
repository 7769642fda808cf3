/* SPDX-License-Identifier: MIT */
/* Views and templates as userdata of Lua. */
#ifndef CROFT_HOST_VIEW_H
#define CROFT_HOST_VIEW_H

#include <lauxlib.h>
#include <sys/stat.h>

#include "bytes.h"
#include "croft.h"

struct host_view {
    croft_view *view;      /* NULL once closed */
    struct stat root;      /* which directory it is */
    struct bytes problems; /* a line each, of a view that could not be opened */
};

/* The open view at index 1; raises when there is none. */
struct host_view *host_check_view_box(lua_State *L);

/* Makes the types. `session` is the method that opens one. */
void host_view_make(lua_State *L, lua_CFunction session);

/* open, template and disabled, as host_push has them. */
int host_view_open(lua_State *L);
int host_view_template(lua_State *L);
int host_view_disabled(lua_State *L);

/* Makes a type whose objects are closed by `close`. */
void host_make_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction close);

/* What Lua does not know the size of is collected in time none the less: a step as for that many KiB. */
void host_collect(lua_State *L, int size);

#endif
