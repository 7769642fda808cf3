/* SPDX-License-Identifier: MIT */
/* Where a line of an artifact begins. What was counted on the way is kept with it. */
#ifndef CROFT_ARTIFACT_FIND_H
#define CROFT_ARTIFACT_FIND_H

#include "artifact.h"

/* Where a line is; all of the file is behind a byte order mark, `content` bytes long. */
struct line_place {
    uint64_t size, content; /* in: of the file */
    uint64_t offset;        /* where it begins */
    uint64_t total;         /* lines of the file; UINT64_MAX where nobody knows yet */
    bool is_past_end;       /* there is no such line; total is known */
    bool is_short;          /* not found in the time that there was: asked again, it goes on */
    uint64_t counted_lines, counted_bytes; /* with is_short: how far it came */
};

/* Finds line `line` (from 1). The artifact is in use. */
croft_status artifact_find_line(struct artifacts *artifacts, struct artifact *artifact,
                                uint64_t line, struct budget *budget, struct line_place *place,
                                croft_error *err);

/* How many lines there are: place->total, unless place->is_short. */
croft_status artifact_count_lines(struct artifacts *artifacts, struct artifact *artifact,
                                  struct budget *budget, struct line_place *place,
                                  croft_error *err);

/* Notes how many lines there are, for whoever has come to the end. */
void artifact_note_total(struct artifacts *artifacts, struct artifact *artifact, uint64_t total);

#endif
