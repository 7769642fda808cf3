/* SPDX-License-Identifier: MIT */
/* Filling a croft_error. Every function that can fail returns a croft_status and takes one. */
#ifndef CROFT_ERROR_H
#define CROFT_ERROR_H

#include "croft.h"

/*
 * Fills *err and returns `kind`, so that a caller can write `return fail(err, CROFT_MISSING, errno,
 * "it does not exist")`. `what` is a constant sentence part without any path. `err` may be NULL.
 */
croft_status fail(croft_error *err, croft_status kind, int sys_errno, const char *what);

/* The same with a format; what is inserted must not be a host path. */
croft_status fail_format(croft_error *err, croft_status kind, int sys_errno, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));

/* The same without an errno, with `detail`: which of the things that `kind` can mean it is. */
croft_status fail_detail(croft_error *err, croft_status kind, const char *detail, const char *what);

/* Whether a tool, or a function of the host, may answer with it. The others say what became of the call itself,
 * or that nothing ran. */
bool status_is_answer(croft_status status);

/* The kind that stands for errno `number` after a file system call (paths.md 3.9's table). */
croft_status status_of_errno(int number);

/* Fails with that kind, and with the detail "long" where a file system takes no name of that length, "limit" where
 * a file may not be as large. */
croft_status fail_errno(croft_error *err, int number, const char *what);

/* The same after a call on what is open, where nearly all of them mean that the disk fails: CROFT_IO, unless the
 * host is short of something. */
croft_status fail_io(croft_error *err, int number, const char *what);

#endif
