/* SPDX-License-Identifier: MIT */
/* The headings of an artifact that holds Markdown. */
#ifndef CROFT_ARTIFACT_OUTLINE_H
#define CROFT_ARTIFACT_OUTLINE_H

#include "artifact.h"

struct artifact_outline_options {
    uint64_t first; /* line to begin with, from 1 */
    uint64_t bytes; /* of the text */
    struct budget *budget;
};

struct artifact_outline {
    /* A row for each heading: `12|## Text`, at most 200 bytes of a text. Those underlined with = and - have
     * "#" and "##". What stands in fenced code is none. */
    struct bytes text;
    uint64_t headings; /* shown */
    uint64_t lines;    /* looked at */
    uint64_t next;     /* line to go on with; 0: all was looked at */
    bool is_short;     /* the budget ended it there */
    enum artifact_change change;
};

void artifact_outline_free(struct artifact_outline *outline);

/* Reads from the start of the file, whatever the first line is: what is code says the text before it. */
croft_status artifact_outline_read(struct artifacts *artifacts, struct artifact *artifact,
                                   const struct artifact_outline_options *options,
                                   struct artifact_outline *outline, croft_error *err);

#endif
