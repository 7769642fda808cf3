/* SPDX-License-Identifier: MIT */
/* ctx.artifacts: the primitives over what the session holds. artifacts.c has the table. */
#ifndef CROFT_BIND_ARTIFACTS_H
#define CROFT_BIND_ARTIFACTS_H

#include "artifact_json.h"
#include "artifact_outline.h"
#include "artifact_page.h"
#include "artifact_search.h"
#include "bind/bind.h"

/* Pushes a new ctx.artifacts; without `may_write` nothing can be saved. */
void artifacts_push(lua_State *L, bool may_write);

/* Raises unless argument 1 is a ctx.artifacts; whether that may write. */
bool artifacts_may_write(lua_State *L);

/* One handle in use, and what was found out by it: in a box, which lets go of both. */
struct handle_use {
    struct artifacts *artifacts; /* NULL: nothing to let go of */
    struct artifact *artifact;
    struct artifact_page page;
    struct artifact_found found;
    struct artifact_json json;
    struct artifact_outline outline;
    struct bytes bytes;
};

/* A box, on the stack, with nothing in use. */
struct handle_use *artifacts_own(lua_State *L);

/* Lets go of the handle now, so that it can give way to another; the box itself is garbage. */
void artifacts_done(struct handle_use *use);

/* Lets go and raises, as bind_raise does. */
int artifacts_raise(lua_State *L, struct handle_use *use, const croft_error *err, const char *op,
                    int path_index);

/* The same with the handle at argument 2 in use, and its path noted. Raises "missing" (detail "handle"). */
struct handle_use *artifacts_use(lua_State *L, const char *op);

int artifacts_page(lua_State *L);    /* artifacts:page(handle, options) */
int artifacts_search(lua_State *L);  /* artifacts:search(handle, regex, options) */
int artifacts_json(lua_State *L);    /* artifacts:json(handle, pointer, options) */
int artifacts_outline(lua_State *L); /* artifacts:outline(handle, options) */

int artifacts_stage(lua_State *L);    /* artifacts:stage(path) */
int artifacts_load(lua_State *L);     /* artifacts:load(handle, most) */
int artifacts_derive(lua_State *L);   /* artifacts:derive(handle, bytes) */
int artifacts_save(lua_State *L);     /* artifacts:save(handle, path, options) */
int artifacts_describe(lua_State *L); /* artifacts:describe(handle) */

/* Opens the file at argument 2 and holds it. The box is at the top of the stack then. */
struct handle_use *artifacts_hold(lua_State *L, const struct route *route, enum artifact_kind kind);

/* Pushes {handle, kind, path, size, ...} of one that is in use. */
void artifacts_push_info(lua_State *L, struct handle_use *use);

/* Adds to the table at the top what gave way: removed, first_removed. */
struct artifact_room artifacts_room(lua_State *L);
void artifacts_set_room(lua_State *L, const struct artifact_room *room);

/* Adds to the table at the top what became of the file: "same", "touched", "modified" or "removed". */
void artifacts_set_change(lua_State *L, enum artifact_change change);

#endif
