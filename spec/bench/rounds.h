/* SPDX-License-Identifier: MIT */
/* Things measured side by side: each runs once a round, all in alternation, and what is told of each is the
 * median of its times and of its ratios to the first, taken round by round. */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include <stddef.h>

struct rival {
    const char *name;
    void (*run)(void *user, size_t times); /* does it that often */
    void *user;
};

/* Prints a line for each: title, name, nanoseconds for one time, ratio; with tabs between. */
void rounds_run(const char *title, const struct rival *rivals, size_t count, size_t times);

/* Ends the program with a message. */
_Noreturn void bench_fail(const char *what);

#endif
