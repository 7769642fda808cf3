/* SPDX-License-Identifier: MIT */
/* Lines of an artifact that match, however large it is: it is read in pieces. */
#ifndef CROFT_ARTIFACT_SEARCH_H
#define CROFT_ARTIFACT_SEARCH_H

#include "artifact.h"
#include "regex.h"

struct artifact_search {
    const struct regex *regex;
    uint64_t first;         /* line to begin with, from 1 */
    uint64_t match_ceiling; /* matching lines */
    uint64_t byte_ceiling;  /* of the text */
    struct budget *budget;
};

struct artifact_found {
    struct bytes text;       /* rows `12|text`; of a long line what is around the match */
    uint64_t matches, lines; /* lines: how many were searched */
    uint64_t next;           /* the line to go on with; 0: all was searched */
    uint64_t
        long_lines; /* over 1 MiB: searched in pieces, so that what crosses a border may be missed */
    bool is_short;  /* the budget ended it at `next` */
    bool too_expensive; /* on line `next` */
    bool is_past_end;   /* there is no line `first` */
    enum artifact_change change;
};

void artifact_found_free(struct artifact_found *found);

croft_status artifact_search(struct artifacts *artifacts, struct artifact *artifact,
                             const struct artifact_search *search, struct artifact_found *found,
                             croft_error *err);

#endif
