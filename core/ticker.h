/* SPDX-License-Identifier: MIT */
/* A signal that comes to one thread again and again, for what has to be stopped in its midst. */
#ifndef CROFT_TICKER_H
#define CROFT_TICKER_H

#include <stdbool.h>
#include <time.h>

#include "error.h"

enum { TICKER_NS = 20 * 1000 * 1000 }; /* between two ticks */

struct ticker {
    timer_t timer;
    bool runs;
};

/* Has `handler` called for the signal `number` from now on. CROFT_BAD_ARGUMENT when there is no such
 * signal, or something of the process handles it. */
croft_status ticker_take_signal(int number, void (*handler)(int number), croft_error *err);

/* A handler that is left by longjmp calls this before: the signal would not come again. */
void ticker_unblock(int number);

/* Sends the signal to the calling thread, which does not block it then. Does nothing when it runs already, and
 * when the kernel has no timer left. Keeps errno. */
void ticker_start(struct ticker *ticker, int number);

/* By the same thread; what has come by then was handled. Does nothing when it does not run. */
void ticker_stop(struct ticker *ticker);

#endif
