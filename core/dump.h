/* SPDX-License-Identifier: MIT */
/* Lua text, compiled once. What comes out is for interpreters of this very process: Lua does not check
 * binary chunks, so none is ever taken from elsewhere, but those that the build made of the program's own sources
 * (core/embedded.h). */
#ifndef CROFT_DUMP_H
#define CROFT_DUMP_H

#include "bytes.h"
#include "error.h"

/* Adds the compiled text, lines included, to `out`. `chunk` is its name for errors ("@tools/x.lua").
 * A text that is no Lua is CROFT_BAD_ARGUMENT with Lua's own message. */
croft_status dump_text(const char *text, size_t size, const char *chunk, struct bytes *out,
                       croft_error *err);

#endif
