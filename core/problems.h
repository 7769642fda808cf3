/* SPDX-License-Identifier: MIT */
/* What is wrong with the files of tool sets: gathered, so that all of it can be told at once. */
#ifndef CROFT_PROBLEMS_H
#define CROFT_PROBLEMS_H

#include "bytes.h"
#include "error.h"

struct problems {
    struct bytes lines; /* one sentence each, ended by LF */
    size_t count;
    bool
        are_fatal; /* one is of a manifest: what it restricts is not known, and nothing goes on without */
    const char *culprit; /* the chunk that was being loaded when a limit ended that, or NULL */
};

void problems_free(struct problems *problems);

/* Adds the lines of `text`, each but what would stand there twice in a row. */
void problems_add(struct problems *problems, const char *text, size_t size);
void problems_add_format(struct problems *problems, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Forgets those after the first `count`. */
void problems_cut(struct problems *problems, size_t count);

/* Fails with CROFT_BAD_ARGUMENT and as many of them as there is room for, and the number of the others. */
croft_status problems_fail(const struct problems *problems, croft_error *err);

/* Tells each of them. */
void problems_tell(const struct problems *problems, croft_problem_function *tell, void *user);

#endif
