/* SPDX-License-Identifier: MIT */
/* A sentence with slots, of croft.template, filled in. */
#ifndef CROFT_BIND_TEXT_FILL_H
#define CROFT_BIND_TEXT_FILL_H

#include "bind/bind.h"

/* fill(pieces, values) -> the sentence; nil where that is more than texts and whole numbers in the places of
 * their names, and croft.template has to do it. */
int text_fill(lua_State *L);

#endif
