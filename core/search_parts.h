/* SPDX-License-Identifier: MIT */
/* What the files of the search share: one searcher is what one thread needs. Private to
 * core/search*.c and core/artifact_search.c. */
#ifndef CROFT_SEARCH_PARTS_H
#define CROFT_SEARCH_PARTS_H

#include <pthread.h>

#include "search.h"

struct searcher {
    const struct root *root;
    const struct search_options *options;
    struct search_result *result;
    struct budget *budget;
    struct matcher *matcher;
    char *buffer; /* a window of the file at hand; used again for the next */
    size_t capacity;
    pthread_mutex_t
        *large; /* held while the buffer is larger than a window; NULL: nobody else has one */
    struct bytes path;    /* of the file at hand, with the prefix */
    struct bytes shown;   /* the same as it is shown; empty until it has to be */
    int fd;               /* of the file at hand */
    bool is_regular;      /* that was looked at */
    croft_status refused; /* why it is not searched any more, after all; or CROFT_OK */
    uint64_t bytes_read;  /* of all files so far */
    bool counts_lines;    /* lines_searched is wanted */
    bool done;            /* a ceiling, the time or an expensive line ends the search */
    croft_status status;  /* of what cannot be a result: memory, a breach */
};

/* ---- one searcher (search_file.c) ---- */

/* The fields above the matcher and `large` are the caller's to fill in before. */
bool searcher_open(struct searcher *searcher); /* false: out of memory */
void searcher_close(struct searcher *searcher);

/* Sets the path of the file at hand. */
void searcher_take_path(struct searcher *searcher, const char *prefix, const char *path);

/* Searches the open file at hand. `node` as it was found when it was opened, or NULL: it was not asked. */
void searcher_read(struct searcher *searcher, int fd, const struct node *node);

/* Opens the regular file `name`, as a directory was listed, searches it and closes it. */
void searcher_visit(struct searcher *searcher, const struct root *root, int dir, const char *name,
                    const char *path);

/* Asked before anything of the file at hand is shown: false when it is no regular file. The search of
 * it then ends. */
bool search_may_show(struct searcher *searcher);

/* ---- the lines of one file, window by window (search_lines.c) ---- */

struct pass {
    struct searcher *searcher;
    const char *text; /* the window */
    size_t size;      /* up to the end of a line */
    size_t from;      /* where the next match is looked for; the start of a line */
    size_t at;        /* the start of line `number` */
    uint64_t number;
    size_t shown_to;  /* where the first line that was not shown begins */
    uint64_t owed;    /* lines of context still to come behind the last match */
    uint64_t matches; /* in this file */
    size_t start, end, match_start, match_end; /* the match at hand and its line */
};

/* `mark`: where the first line begins in the first window. */
void pass_begin(struct pass *pass, struct searcher *searcher, size_t mark);

/* Searches whole lines. The window begins where pass_leave said; at first at the begin of the file.
 * False: the rest of the file does not matter. */
bool pass_search(struct pass *pass, const char *text, size_t size);

/* Returns what of the window the next one has to begin with, as its offset. */
size_t pass_leave(struct pass *pass);

/* Behind the last window, or the one that made pass_search say false. */
void pass_end(struct pass *pass);

/* ---- rows of the result (search_render.c). Each returns false, and takes back what it began, when
 * the row does not fit under the byte ceiling. ---- */

/* The path alone, or with `: count`. */
bool render_file(struct searcher *searcher);
bool render_count(struct searcher *searcher, uint64_t count);

/* A line and the match in it, as offsets in the line. */
struct shown_line {
    uint64_t number;
    const char *text;
    size_t size, match_start, match_end;
    char mark; /* '|' for a line that matches, '-' for context */
};

bool render_line(struct searcher *searcher, const struct shown_line *line);

/* Of the line all that is shown: what is around the match where it is long. */
void render_excerpt(struct bytes *out, const struct shown_line *line);

/* The line `--` between groups, unless nothing stands before it. */
bool render_gap(struct searcher *searcher);

#endif
