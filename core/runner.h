/* SPDX-License-Identifier: MIT */
/*
 * Programs for the tool `run`, started in the view of its session. A process behind Landlock cannot start them,
 * so a child does that which was forked before: the runner. It hears of a run by a socket, forks a keeper for
 * it, and each keeper starts one program, holds it to its limits, and ends it when nobody waits any more.
 */
#ifndef CROFT_RUNNER_H
#define CROFT_RUNNER_H

#include <stdint.h>

#include "croft.h"
#include "launch.h"

struct runner_limits {
    uint64_t seconds;   /* that a program may run at most */
    uint64_t output;    /* bytes that it may write */
    uint64_t processes; /* that it may be at once, itself too */
    uint64_t memory;    /* bytes, where there are cgroups that can be written */
};

extern const struct runner_limits runner_defaults;

struct runner;

/*
 * Forks the runner for `view`, which must stay open. To be called before this process has other threads, and
 * before it is confined. NULL with errno.
 */
struct runner *runner_new(const croft_view *view, const struct launch_probe *probe,
                          const struct runner_limits *limits);

/* What still runs is ended. NULL is fine. */
void runner_free(struct runner *runner);

/*
 * A croft_host_function, whose `user` is the runner: {"command", "directory", "seconds"}, the directory as
 * the tools' tree has it. Replies {"head", "tail", "dropped", "exit", "ended"}: what it wrote first and last, and
 * the bytes between; its exit status; and "exited", or the name of the limit that ended it.
 */
void runner_call(void *user, const char *json, size_t size, croft_reply *reply);

#endif
