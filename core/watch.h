/* SPDX-License-Identifier: MIT */
/* A thread that ends the server in time: at a signal, and when the client has gone while nobody reads. */
#ifndef CROFT_WATCH_H
#define CROFT_WATCH_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve_crew.h"

struct watch {
    struct crew *crew;
    atomic_bool ending; /* set by the watch: no further message is to be handled */
    int input, output;  /* the descriptors whose other ends the client closes when it goes */
    int signals, stop;  /* a signalfd and an eventfd */
    pthread_t thread;
};

/* Starts to watch. False when the system gives no thread or descriptor: signals then do what they do. */
bool watch_start(struct watch *watch, struct crew *crew, int input, int output);

/* Ends the watch; the process goes on to its end, where signals change nothing any more: they stay
 * blocked. To be called when watch_start was true. */
void watch_stop(struct watch *watch);

#endif
