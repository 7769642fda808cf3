/* SPDX-License-Identifier: MIT */
/* The view of a subprocess: the command that starts bubblewrap so that a program sees what the plan says. */
#ifndef CROFT_BWRAP_H
#define CROFT_BWRAP_H

#include "bytes.h"
#include "view_plan.h"

#include "croft.h"

/* Where a program starts, and what it has of its own. */
#define BWRAP_WORKSPACE "/workspace"
#define BWRAP_HOME "/home/agent"

struct bwrap_command {
    struct bytes text; /* each argument ended by NUL */
    size_t count;
    size_t split; /* the index of "--"; those from 1 up to it may be given by --args */
};

/* The names at the top of the root that nobody may change. */
struct bwrap_names {
    const char *const *items;
    size_t count;
};

/*
 * The command for `argv` (ended by NULL, not empty), started in `workdir`: an absolute path of the host's
 * that can be seen, or NULL for the root. Everything is looked at now, and nothing that could not hold is
 * rendered: see croft_wrap_argv for what is refused. The caller frees command->text, also on failure.
 */
croft_status bwrap_render(const struct view_plan *plan, const char *workdir,
                          const char *const *argv, struct bwrap_names read_only,
                          const croft_wrap_options *options, const struct sys *sys,
                          struct bwrap_command *command, croft_error *err);

/* Where a subprocess sees the host's `path`, which is absolute and without links: for the caller to free. NULL
 * when it cannot see it, or memory is out. */
char *bwrap_inside(const struct view_plan *plan, const char *path);

#endif
