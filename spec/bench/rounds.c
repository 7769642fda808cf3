/* SPDX-License-Identifier: MIT */
#include "rounds.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 31, RIVALS = 8 };

void bench_fail(const char *what)
{
    fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double median(const double *values)
{
    double sorted[ROUNDS];

    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof *sorted, by_size);
    return sorted[ROUNDS / 2];
}

static double run_once(const struct rival *rival, size_t times)
{
    double start = now_ns();

    rival->run(rival->user, times);
    return (now_ns() - start) / (double)times;
}

/* The order turns round each time, so that none always comes behind the same other. */
static void run_round(const struct rival *rivals, size_t count, size_t times, size_t round,
                      double taken[][ROUNDS])
{
    for (size_t i = 0; i < count; i++) {
        size_t at = round % 2 == 0 ? i : count - 1 - i;

        taken[at][round] = run_once(&rivals[at], times);
    }
}

void rounds_run(const char *title, const struct rival *rivals, size_t count, size_t times)
{
    double taken[RIVALS][ROUNDS], ratios[ROUNDS];

    for (size_t i = 0; i < count; i++)
        run_once(&rivals[i], times / 10 + 1); /* warm */
    for (size_t round = 0; round < ROUNDS; round++)
        run_round(rivals, count, times, round, taken);
    for (size_t i = 0; i < count; i++) {
        for (size_t round = 0; round < ROUNDS; round++)
            ratios[round] = taken[i][round] / taken[0][round];
        printf("%s\t%s\t%.1f\t%.3f\n", title, rivals[i].name, median(taken[i]), median(ratios));
    }
}
