/* SPDX-License-Identifier: MIT */
/* Gathering sources; nobody else needs it. */
#ifndef CROFT_SOURCES_PARTS_H
#define CROFT_SOURCES_PARTS_H

#include "root.h"
#include "sources.h"

/* Adds a source that is compiled for this session. CROFT_BAD_ARGUMENT with file, line and reason when it
 * does not parse. */
croft_status sources_add_text(struct sources *sources, const char *module, const char *chunk,
                              const char *text, size_t size, croft_error *err);

croft_status sources_open_directory(const char *path, struct root **root, croft_error *err);

/* Reads `name` (relative, cleaned) below `root`. */
croft_status sources_read_file(const struct root *root, const char *name, struct bytes *out,
                               croft_error *err);

/* Adds the files of the tool directory `path`, the one of that `number` from 1. */
croft_status sources_add_dir(struct sources *sources, const char *path, size_t number,
                             struct problems *problems, croft_error *err);

#endif
