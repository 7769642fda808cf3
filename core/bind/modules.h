/* SPDX-License-Identifier: MIT */
/* The C modules that the Lua files of lua/croft require by name. Each function pushes the module's table. */
#ifndef CROFT_BIND_MODULES_H
#define CROFT_BIND_MODULES_H

#include "bind/bind.h"

int module_text(lua_State *L);    /* core.text: bytes and lines */
int module_json(lua_State *L);    /* core.json: check and decode */
int module_limits(lua_State *L);  /* core.limits: the ceilings of this session */
int module_host(lua_State *L);    /* core.host: the functions of the host */
int module_context(lua_State *L); /* core.context: progress and cancelled */
int module_view(lua_State *L);    /* core.view: read_only_names, a list, and check_path */
int module_staging(lua_State *L); /* core.staging: toolset, write_root, trust_tier */
int module_fault(lua_State *L);   /* core.fault: trace, a handler for xpcall, and log */
int module_errors(lua_State *L);  /* core.errors: what getmetatable gives for a structured error */
int module_codes(lua_State *L);   /* core.codes: the codes that a tool may give to one, as a set */

#endif
