/* SPDX-License-Identifier: MIT */
/* Lines that a person types at a terminal. With libedit they can be edited; without (CROFT_EDIT=none) they are
 * read as the terminal gives them. */
#ifndef CROFT_FRONT_EDIT_H
#define CROFT_FRONT_EDIT_H

#include <lua.h>

/*
 * editor(complete) -> an editor of stdin and stdout. `complete(text)` is asked what may follow the text before the
 * cursor: it returns what is to be inserted, and a text to be shown, or nil. To be made before the wall: it reads
 * what is known of the terminal. Methods:
 *   read(prompt, descriptor) -> line | nil at the end of the input | false when it was interrupted; `descriptor` is
 *                               that of core.interrupts
 *   remember(line)      for going back to it
 *   kind() -> "libedit" or "none"
 */
int editor_new(lua_State *L);

#endif
