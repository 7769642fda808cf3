/* SPDX-License-Identifier: MIT */
#include "size_signal.h"

#include <errno.h>
#include <time.h>

static void name_it(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGXFSZ);
}

void size_signal_hold(struct size_signal *held)
{
    sigset_t ours, pending;

    name_it(&ours);
    (void)pthread_sigmask(SIG_BLOCK, &ours, &held->mask);
    held->is_pending = sigismember(&held->mask, SIGXFSZ) == 1 && sigpending(&pending) == 0 &&
                       sigismember(&pending, SIGXFSZ) == 1;
}

void size_signal_release(const struct size_signal *held, bool failed)
{
    static const struct timespec at_once = {0, 0};
    int number = errno;
    sigset_t ours;

    name_it(&ours);
    if (failed && number == EFBIG && !held->is_pending)
        while (sigtimedwait(&ours, NULL, &at_once) < 0 && errno == EINTR)
            ;
    (void)pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
    errno = number;
}
