/* SPDX-License-Identifier: MIT */
#include "ticker.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id /* glibc has the field, and no name for it yet */
#define sigev_notify_thread_id _sigev_un._tid
#endif

static bool is_free(const struct sigaction *action, void (*handler)(int number))
{
    if ((action->sa_flags & SA_SIGINFO) != 0)
        return false;
    return action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN ||
           action->sa_handler == handler;
}

croft_status ticker_take_signal(int number, void (*handler)(int number), croft_error *err)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigaction before;

    if (sigaction(number, NULL, &before) != 0)
        return fail(err, CROFT_BAD_ARGUMENT, errno, "there is no such signal");
    if (!is_free(&before, handler))
        return fail(err, CROFT_BAD_ARGUMENT, 0, "something handles this signal already");
    if (sigaction(number, &action, NULL) != 0)
        return fail(err, CROFT_BAD_ARGUMENT, errno, "this signal cannot be handled");
    return CROFT_OK;
}

void ticker_unblock(int number)
{
    sigset_t ours;

    sigemptyset(&ours);
    sigaddset(&ours, number);
    (void)pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
}

void ticker_start(struct ticker *ticker, int number)
{
    static const struct itimerspec ticks = {{0, TICKER_NS}, {0, TICKER_NS}};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
    int before = errno;

    if (ticker->runs)
        return;
    event.sigev_notify_thread_id = gettid();
    ticker->runs = timer_create(CLOCK_MONOTONIC, &event, &ticker->timer) == 0;
    if (ticker->runs) {
        ticker_unblock(number);
        (void)timer_settime(ticker->timer, 0, &ticks, NULL);
    }
    errno = before;
}

void ticker_stop(struct ticker *ticker)
{
    if (ticker->runs)
        (void)timer_delete(ticker->timer);
    ticker->runs = false;
}
