/* SPDX-License-Identifier: MIT */
#ifndef CROFT_BIND_REGEX_BOX_H
#define CROFT_BIND_REGEX_BOX_H

#include "bind/bind.h"
#include "regex.h"

/* ctx.regex(pattern, {ignore_case, literal}) -> regex; raises bad_pattern with detail, reason, position. */
int regex_make(lua_State *L);

/* The compiled pattern at `index`. */
const struct regex *regex_check(lua_State *L, int index);

#endif
