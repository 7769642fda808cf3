/* SPDX-License-Identifier: MIT */
/* Answers about a path as a text, for hosts that open it themselves. The tools never ask: what is true of a
 * text now need not be when it is opened. */
#ifndef CROFT_VIEW_CHECK_H
#define CROFT_VIEW_CHECK_H

#include "view.h"

enum view_access { VIEW_READ, VIEW_WRITE };

/*
 * Whether the absolute `path` may be read or written: a path of the host's in the root, in `global` or in a
 * bind, or one as a subprocess has it. CROFT_DENIED otherwise. Where a text means both, both must be
 * allowed. What does not exist is judged by where it would be.
 */
croft_status view_check(const croft_view *view, const char *path, enum view_access access,
                        croft_error *err);

/* Whether the host's file `path`, which need not exist, lies in a tree of the view. */
bool view_holds(const croft_view *view, const char *path);

/* As croft_view_covered. */
size_t view_covered(const croft_view *view, const char **names, size_t count);

/* Writes the host's path behind `path`, one as a subprocess has it; `out` has PATH_BYTES + 1 bytes. False
 * when it is to be used as it is. The longest name wins. */
bool view_translate(const croft_view *view, const char *path, char *out);

#endif
