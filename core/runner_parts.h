/* SPDX-License-Identifier: MIT */
/* What the runner is made of. Private to core/runner*.c. */
#ifndef CROFT_RUNNER_PARTS_H
#define CROFT_RUNNER_PARTS_H

#include "bytes.h"
#include "runner.h"

/* Sent in front of an answer: JSON, or a status (one byte) and a message. */
enum { ANSWER_JSON = 'j', ANSWER_ERROR = 'e' };

struct runner_job {
    const croft_view *view;
    struct launch_probe probe;
    struct runner_limits limits;
};

/* ---- runner_keep.c: one program ---- */

/* Reads one request from `caller`, does it, and answers. Ends early when the other end is closed. */
void runner_keep(const struct runner_job *job, int caller);

/* ---- runner_output.c: what it writes ---- */

enum { OUTPUT_HEAD = 8 * 1024, OUTPUT_TAIL = 16 * 1024 };

/* {0} is the empty state. */
struct output_kept {
    char head[OUTPUT_HEAD], tail[OUTPUT_TAIL];
    size_t head_size;
    uint64_t total;
};

void output_add(struct output_kept *output, const char *data, size_t size);

/* Appends `"head":"...","tail":"...","dropped":N`. */
void output_write(const struct output_kept *output, struct bytes *json);

/* ---- runner_limits.c: what it may take ---- */

/* How many processes `pid` and all that came of it are, as far as `most` and a few more. */
uint64_t limits_count(pid_t pid, uint64_t most);

enum { GROUPS = 2 };

/* What holds one program besides its keeper's eye. */
struct control_groups {
    char names[GROUPS][LAUNCH_PATH]; /* that were made for it; [i][0] is NUL where there is none */
    uint64_t
        tasks; /* that the user may have in all, a last dam for what the keeper is too slow for */
};

/* Makes them where this process may, with the limits. */
void groups_make(struct control_groups *groups, const struct runner_limits *limits);

/* The calling process joins: for launch_start's `prepare`. */
void groups_join(void *joined);

/* Removes them, once they are empty: they are so soon, as all that was in them has ended or been killed. */
void groups_remove(struct control_groups *groups);

#endif
