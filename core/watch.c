/* SPDX-License-Identifier: MIT */
#include "watch.h"
#include "leave.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds. When the client has gone, what has been read may still be answered for GRACE; at a signal
 * what runs may be, for PATIENCE. Then it is cancelled and may clean up; then the process ends. Either
 * sum stays under a second. */
enum { GRACE = 700, PATIENCE = 100, CLEAN_UP = 200, STEP = 5, STACK_BYTES = 256 * 1024 };

static void close_descriptor(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Nothing new is begun. Every write is all or nothing, so that the process may end at any moment. */
static void end_process(struct watch *watch, int patience)
{
    const struct timespec step = {.tv_nsec = STEP * 1000000L};

    atomic_store(&watch->ending, true);
    crew_close(watch->crew);
    for (int waited = 0; waited < patience + CLEAN_UP && !crew_is_quiet(watch->crew);
         waited += STEP) {
        if (waited >= patience)
            crew_cancel_all(watch->crew);
        nanosleep(&step, NULL);
    }
    leave(EXIT_SUCCESS);
}

/* Whether the client has closed one of its ends. */
static bool is_alone(struct pollfd *ends, int count)
{
    bool alone = false;

    for (int i = 0; i < count; i++) {
        if ((ends[i].revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
            alone = true;
        if (ends[i].revents != 0)
            ends[i].fd = -1; /* no further news is to come from it */
        ends[i].revents = 0;
    }
    return alone;
}

static void *run(void *user)
{
    enum { STOP, SIGNALS, INPUT, OUTPUT, EVENTS };
    struct watch *watch = user;
    struct pollfd events[EVENTS] = {
        [STOP] = {.fd = watch->stop, .events = POLLIN},
        [SIGNALS] = {.fd = watch->signals, .events = POLLIN},
        [INPUT] = {.fd = watch->input, .events = POLLRDHUP},
        [OUTPUT] = {.fd = watch->output},
    };
    int patience = -1;

    for (;;) {
        int count = poll(events, EVENTS, patience);

        if (events[STOP].revents != 0)
            return NULL;
        if (count == 0)
            end_process(watch, 0);
        if (events[SIGNALS].revents != 0)
            end_process(watch, PATIENCE);
        if (is_alone(events + INPUT, EVENTS - INPUT))
            patience = GRACE;
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

static void close_all(struct watch *watch)
{
    close_descriptor(watch->signals);
    close_descriptor(watch->stop);
}

bool watch_start(struct watch *watch, struct crew *crew, int input, int output)
{
    sigset_t ends, before;

    watch->crew = crew;
    watch->input = input;
    watch->output = output;
    atomic_init(&watch->ending, false);
    (void)sigemptyset(&ends);
    (void)sigaddset(&ends, SIGTERM);
    (void)sigaddset(&ends, SIGINT);
    (void)sigaddset(&ends, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &ends, &before);
    watch->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
    watch->stop = eventfd(0, EFD_CLOEXEC);
    if (watch->signals >= 0 && watch->stop >= 0 && start_thread(watch))
        return true;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    close_all(watch);
    return false;
}

void watch_stop(struct watch *watch)
{
    while (eventfd_write(watch->stop, 1) != 0)
        continue;
    (void)pthread_join(watch->thread, NULL);
    close_all(watch);
}
