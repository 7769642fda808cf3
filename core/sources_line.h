/* SPDX-License-Identifier: MIT */
/* Where in the text of a source something stands, as far as can be seen without parsing: what is wrong with it is
 * told with a line. */
#ifndef CROFT_SOURCES_LINE_H
#define CROFT_SOURCES_LINE_H

#include <stddef.h>

/* The line of the first `tool.define`; of the last `return` where there is none, else of the last line. At least 1. */
unsigned sources_line(const char *text, size_t size);

/* The first line outside of comments on which a value is given to `word`, or else on which it stands; 0 when there
 * is none. */
unsigned sources_line_of(const char *text, size_t size, const char *word);

#endif
