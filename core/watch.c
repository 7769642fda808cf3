/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds: what has been read may still be answered after the client has gone; then the call that
 * runs is cancelled and may clean up; then the process ends. The sum stays under a second. */
enum { GRACE = 700, CLEAN_UP = 200, STEP = 10, STACK_BYTES = 256 * 1024 };

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Every write is all or nothing, so that the process may end at any moment. */
static void end_process(struct watch *watch)
{
    const struct timespec step = {.tv_nsec = STEP * 1000000L};

    atomic_store(&watch->ending, true);
    for (int waited = 0; waited < CLEAN_UP && crew_count(watch->crew) > 0; waited += STEP) {
        crew_cancel_all(watch->crew);
        nanosleep(&step, NULL);
    }
    _exit(EXIT_SUCCESS);
}

static void *run(void *user)
{
    struct watch *watch = user;
    struct pollfd events[] = {
        {.fd = watch->stop, .events = POLLIN},
        {.fd = watch->signals, .events = POLLIN},
        {.fd = watch->input, .events = POLLRDHUP},
    };
    int patience = -1;

    for (;;) {
        int count = poll(events, 3, patience);

        if (events[0].revents != 0)
            return NULL;
        if (count == 0 || events[1].revents != 0)
            end_process(watch);
        if (events[2].revents != 0) {
            events[2].fd = -1; /* no further news is to come from it */
            events[2].revents = 0;
            patience = GRACE;
        }
    }
}

static bool start_thread(struct watch *watch)
{
    pthread_attr_t attributes;
    bool started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    started = pthread_create(&watch->thread, &attributes, run, watch) == 0;
    (void)pthread_attr_destroy(&attributes);
    return started;
}

static void give_back(struct watch *watch)
{
    (void)pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
    close_descriptor(watch->signals);
    close_descriptor(watch->stop);
}

bool watch_start(struct watch *watch, struct crew *crew, int input)
{
    sigset_t ends;

    watch->crew = crew;
    watch->input = input;
    atomic_init(&watch->ending, false);
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, &watch->before);
    watch->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    watch->stop = eventfd(0, EFD_CLOEXEC);
    if (watch->signals >= 0 && watch->stop >= 0 && start_thread(watch))
        return true;
    give_back(watch);
    return false;
}

void watch_stop(struct watch *watch)
{
    while (eventfd_write(watch->stop, 1) != 0)
        continue;
    (void)pthread_join(watch->thread, NULL);
    give_back(watch);
}
