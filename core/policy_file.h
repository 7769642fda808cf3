/* SPDX-License-Identifier: MIT */
/* The file of a policy: only what nobody else can change is believed. */
#ifndef CROFT_POLICY_FILE_H
#define CROFT_POLICY_FILE_H

#include "bytes.h"
#include "root.h"

enum { POLICY_BYTES = MIB };

/* Whether the file at `path` lies below `root`; also where that cannot be told. */
bool policy_file_is_below(const struct sys *sys, const char *path, const struct root *root);

/*
 * Reads the file at `path`, a path of the host's. CROFT_DENIED with the reason in err->message when it is a
 * link or no regular file, belongs to another than who runs this or root, can be written by its group or
 * others, is larger than POLICY_BYTES.
 */
croft_status policy_file_read(const struct sys *sys, const char *path, struct bytes *out,
                              croft_error *err);

#endif
