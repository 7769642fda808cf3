/* SPDX-License-Identifier: MIT */
/* Filling a fresh root from a checkout, and bringing home what a session made in one. */
#ifndef CROFT_FILL_H
#define CROFT_FILL_H

#include "sys.h"

#include "croft.h"

/* What croft_fill and croft_harvest promise, over `sys`. No field of `options` is NULL where its count is not
 * 0; `copied` is not NULL. */
croft_status fill_root(const char *from, const char *to, const croft_copy_options *options,
                       const struct sys *sys, croft_copied *copied, croft_error *err);
croft_status harvest_root(const char *root, const char *to, const croft_copy_options *options,
                          const struct sys *sys, croft_copied *copied, croft_error *err);

#endif
