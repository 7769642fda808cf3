/* SPDX-License-Identifier: MIT */
/*
 * Where the lines of a large file begin, found on demand and kept: a mark for each stretch of it that was
 * counted. Marks are few however large the file is: when they get many, every other one goes. A plain
 * value; whoever holds it sees to a lock.
 */
#ifndef CROFT_ARTIFACT_LINES_H
#define CROFT_ARTIFACT_LINES_H

#include "budget.h"
#include "bytes.h"
#include "error.h"
#include "sys.h"

enum {
    LINE_MARKS = 4096, /* most of them */
    LINE_STRETCH =
        256 * 1024, /* bytes between two, at first; and the window that is read at once */
    LINE_BYTES_A_STEP = 4 * 1024
};

struct line_index {
    uint64_t *ends; /* LF in the first (i + 1) * stretch bytes; NULL while there is none */
    size_t count;
    uint64_t stretch; /* 0: nothing is known */
    uint64_t total;   /* lines, when `is_whole` */
    bool is_whole;    /* all of the file was counted */
    bool final_newline;
};

void line_index_free(struct line_index *index); /* and back to the empty state */

/* Where to begin to count, to find line `line` (from 1): *offset bytes hold *ends LF, fewer than line. */
void line_index_before(const struct line_index *index, uint64_t line, uint64_t *offset,
                       uint64_t *ends);

/* Notes that the first `offset` bytes hold `ends` LF. Only what follows the last mark is kept. */
void line_index_add(struct line_index *index, uint64_t offset, uint64_t ends);

/* The way to one line of an open file. */
struct line_walk {
    const struct sys *sys;
    int fd;
    struct budget *budget;
    uint64_t offset, ends; /* in: where to begin; out: how far it came */
    uint64_t size;         /* out, with `at_end`: bytes of the file */
    bool at_end;
    bool is_short; /* the budget ends before the line was found */
    bool found;    /* offset is where the line begins */
    char last;     /* with at_end: the last byte that was read; 0 where none was */
};

/* Goes on to line `line`; UINT64_MAX goes to the end. `note` is told of each stretch on the way. */
typedef void line_note(void *user, uint64_t offset, uint64_t ends);
croft_status line_walk_to(struct line_walk *walk, uint64_t line, line_note *note, void *user,
                          croft_error *err);

#endif
