/* SPDX-License-Identifier: MIT */
/* What the files of the search share: one searcher is what one thread needs. Private to core/search*.c. */
#ifndef CROFT_SEARCH_PARTS_H
#define CROFT_SEARCH_PARTS_H

#include "search.h"

struct searcher {
    const struct root *root;
    const struct search_options *options;
    struct search_result *result;
    struct matcher *matcher;
    char *buffer; /* the file at hand; used again for the next */
    size_t capacity;
    struct bytes path;   /* of that file, with the prefix */
    struct bytes shown;  /* the same as it is shown; empty until it has to be */
    bool counts_lines;   /* lines_searched is wanted */
    bool done;           /* a ceiling, the time or an expensive line ends the search */
    croft_status status; /* of what cannot be a result: memory, a breach */
};

/* Searches the text of the file at hand, without a byte order mark (search_lines.c). */
void search_text(struct searcher *searcher, const char *text, size_t size);

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

/* The line `--` between groups, unless nothing stands before it. */
bool render_gap(struct searcher *searcher);

#endif
