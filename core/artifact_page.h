/* SPDX-License-Identifier: MIT */
/* Some lines of an artifact, however large it is: what was counted on the way is kept for the next page. */
#ifndef CROFT_ARTIFACT_PAGE_H
#define CROFT_ARTIFACT_PAGE_H

#include "artifact.h"
#include "page.h"

/* What page_read tells, as far as it is known without reading all of the file. */
struct artifact_page {
    struct page page; /* .total: UINT64_MAX while nobody knows */
    enum artifact_change change;
    bool is_short; /* the line was not found in the time that there was: asked again, it goes on */
    uint64_t counted_lines, counted_bytes; /* with is_short: how far it came */
};

void artifact_page_free(struct artifact_page *page);

/* The artifact is in use. */
croft_status artifact_page_read(struct artifacts *artifacts, struct artifact *artifact,
                                const struct page_options *options, struct artifact_page *page,
                                croft_error *err);

#endif
