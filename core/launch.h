/* SPDX-License-Identifier: MIT */
/* Starting bubblewrap, with nothing of this process but what it needs, and learning how it ended. */
#ifndef CROFT_LAUNCH_H
#define CROFT_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "croft.h"

/* The descriptors under which bubblewrap finds what it is given. */
enum { LAUNCH_ARGS_FD = 3, LAUNCH_SECCOMP_FD = 4, LAUNCH_STATUS_FD = 5 };

enum { LAUNCH_PATH = 4096, LAUNCH_REASON = 512 };

/* Whether this process can start anything in a view. */
struct launch_probe {
    char program[LAUNCH_PATH]; /* bubblewrap */
    unsigned version;          /* as in croft_wrap_options */
    bool works;
    char reason[LAUNCH_REASON]; /* why it does not: one line without a full stop */
};

/* Looks for bubblewrap on the PATH and tries what a view needs of it, for 5 s at most. One that is setuid is
 * refused. */
void launch_probe(struct launch_probe *probe);

/* Fills in what launch_start expects of a command. */
void launch_options(const struct launch_probe *probe, croft_wrap_options *options);

struct launch {
    pid_t pid;
    int status; /* where bubblewrap tells how it ended */
};

/*
 * Starts `argv`, which was made with launch_options: its options go through a file in memory, unseen by
 * others. stdin, stdout and stderr are those of `standard`, or ours where it is -1; all other descriptors
 * are closed, no signal is ignored or blocked. `prepare`, unless it is NULL, is called in the child. False
 * with errno.
 */
bool launch_start(const croft_argv *argv, const int standard[3], void (*prepare)(void *user),
                  void *user, struct launch *launch);

/* Waits for the end. The exit status of the program, 128 and the number where a signal ended it; -1 when it
 * was never started, as bubblewrap has said on its stderr. */
int launch_finish(struct launch *launch);

#endif
