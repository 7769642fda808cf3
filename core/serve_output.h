/* SPDX-License-Identifier: MIT */
/* What goes to the client: whole lines, in the order in which they are put, from any thread. */
#ifndef CROFT_SERVE_OUTPUT_H
#define CROFT_SERVE_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>

#include "bytes.h"

enum output_state {
    OUTPUT_OPEN,
    OUTPUT_GONE,  /* nobody reads it any more */
    OUTPUT_BROKEN /* writing failed */
};

struct output {
    int fd;
    pthread_mutex_t
        writing; /* taken before the other: whoever writes, so that lines go in their order */
    struct bytes going;   /* what is written now */
    pthread_mutex_t lock; /* of what follows, never held while something is written */
    struct bytes held;    /* lines that wait for others to go with them */
    enum output_state state;
};

struct output_piece {
    const char *data;
    size_t size;
    bool is_text; /* goes out as a JSON string */
};

void output_init(struct output *output, int fd);
void output_free(struct output *output);

/*
 * Puts the pieces as one line. With `hold` it may wait in memory until output_flush, so that answers to
 * requests that came together leave in one write; without, everything is written before it returns.
 */
void output_put(struct output *output, const struct output_piece *pieces, int count, bool hold);

/* The same; false when memory ran out for it, and nothing was put. */
bool output_try(struct output *output, const struct output_piece *pieces, int count, bool hold);
void output_flush(struct output *output);

/* Whether nothing is held, and nobody is writing. Never waits for the client. */
bool output_is_flushed(struct output *output);

enum output_state output_state(struct output *output);

#endif
