/* SPDX-License-Identifier: MIT */
/*
 * Where a process may give its files no more than a size (RLIMIT_FSIZE), the kernel sends SIGXFSZ to the thread
 * that would, beside the EFBIG of its call: the end of the process, unless that has made something else of it.
 * What that is belongs to the host. So the thread holds the signal back during the call, and takes away the one
 * that the call caused.
 */
#ifndef CROFT_SIZE_SIGNAL_H
#define CROFT_SIZE_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

struct size_signal {
    sigset_t mask;   /* of the thread, as it was */
    bool is_pending; /* one is already, and is the host's */
};

/* Around one call that makes a file larger; `failed`: it did, with errno, which stays. */
void size_signal_hold(struct size_signal *held);
void size_signal_release(const struct size_signal *held, bool failed);

#endif
