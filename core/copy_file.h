/* SPDX-License-Identifier: MIT */
/* The bytes of one open file into another. */
#ifndef CROFT_COPY_FILE_H
#define CROFT_COPY_FILE_H

#include "error.h"
#include "sys.h"

/*
 * Copies the `size` bytes of `from` to `to`, which is empty: the two share their blocks where the file system
 * can do that (*shared), else the kernel copies, else we do. Holes stay holes. CROFT_CHANGED when `from`
 * is shorter by then.
 */
croft_status copy_file(const struct sys *sys, int from, int to, uint64_t size, bool *shared,
                       croft_error *err);

/* Whether the first `size` bytes of both can be read and are the same. */
bool copy_is_same(const struct sys *sys, int a, int b, uint64_t size);

#endif
