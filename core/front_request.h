/* SPDX-License-Identifier: MIT */
#ifndef CROFT_FRONT_REQUEST_H
#define CROFT_FRONT_REQUEST_H

#include <lua.h>

/*
 * (text) -> method, id, params, key: what a JSON-RPC request says that is as nearly all are: the id as it came,
 * params as a slice or nil, and what jsonrpc.key makes of the id. Nothing for any other text, a good one or not:
 * that is jsonrpc.lua's affair.
 */
int front_request(lua_State *L);

#endif
