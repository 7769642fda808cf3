/* SPDX-License-Identifier: MIT */
/* Tool sets for Lua: what is wrong with them, what they changed, what there is to say of them. */
#ifndef CROFT_HOST_TOOLSET_H
#define CROFT_HOST_TOOLSET_H

#include "host.h"

/* Reads enable (a list of names) and leave_out_broken from the table at `index`, or nil. What is wrong with
 * tools goes to box->problems. */
void host_toolset_options(lua_State *L, int index, struct host_session *box,
                          croft_session_options *options);

/* As host_push_error, with the field problems, a list of sentences. */
int host_toolset_error(lua_State *L, const struct host_session *box, croft_status status,
                       const croft_error *err);

int host_problems(lua_State *L);        /* session:problems() -> list of sentences */
int host_report(lua_State *L);          /* session:report() -> JSON, as croft_session_report */
int host_handles(lua_State *L);         /* session:handles() */
int host_read_only_names(lua_State *L); /* session:read_only_names() -> list */

#endif
