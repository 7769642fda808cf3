/* SPDX-License-Identifier: MIT */
/* Whether the links of a checkout can be trusted, before anybody uses it (S0-72 to S0-77). */
#ifndef CROFT_LINKS_H
#define CROFT_LINKS_H

#include "root.h"

#include "croft.h"

/* What croft_verify_links promises, over `sys`. `read_only` is not NULL where `count` is not 0. */
croft_status links_verify(const char *checkout, const char *const *read_only, size_t count,
                          const struct sys *sys, croft_link_function *report, void *user,
                          croft_error *err);

/* The same of a checkout that is open, which keeps to one file system and has read-only names. */
croft_status links_verify_root(const struct root *root, croft_link_function *report, void *user,
                               croft_error *err);

#endif
