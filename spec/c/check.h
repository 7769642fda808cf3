/* SPDX-License-Identifier: MIT */
/* The whole test framework for C: count, name what failed, report. */
#ifndef CROFT_CHECK_H
#define CROFT_CHECK_H

#include <stdio.h>
#include <string.h>

static _Atomic int check_passed, check_failed; /* any thread may check */

static inline void check_that(int good, const char *what, const char *file, int line)
{
    if (good) {
        check_passed++;
        return;
    }
    check_failed++;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

static inline void check_text(const char *got, const char *wanted, const char *file, int line)
{
    int good = got != NULL && strcmp(got, wanted) == 0;

    check_that(good, wanted, file, line);
    if (!good)
        fprintf(stderr, "    got: %s\n", got == NULL ? "(null)" : got);
}

static inline int check_report(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, check_passed, check_failed);
    return check_failed == 0 ? 0 : 1;
}

#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_TEXT(got, wanted) check_text((got), (wanted), __FILE__, __LINE__)

#endif
