/* SPDX-License-Identifier: MIT */
#include "artifact_page.h"

#include <errno.h>
#include <string.h>

#include "artifact_find.h"
#include "lines.h"

enum { LINE_CEILING = 16 * MIB }; /* how long a line is, is counted that far */

struct paging {
    struct artifacts *artifacts;
    struct artifact *artifact;
    const struct page_options *options;
    struct artifact_page *out;
    struct line_place place;
    char head[TEXT_PROBE];
    size_t head_size;
};

static croft_status read_head(struct paging *paging, croft_error *err)
{
    ssize_t count = read_fully(paging->artifact->sys, paging->artifact->fd, paging->head,
                               sizeof paging->head, 0);

    if (count < 0)
        return fail_io(err, errno, "it cannot be read");
    paging->head_size = (size_t)count;
    paging->place.content = lines_mark(paging->head, paging->head_size);
    return CROFT_OK;
}

/* The number of the first line: counted from the end, that needs all of them. */
static croft_status find_first(struct paging *paging, uint64_t *first, croft_error *err)
{
    int64_t wanted = paging->options->first;
    uint64_t back = 0 - (uint64_t)wanted, total;
    croft_status status;

    *first = wanted > 0 ? (uint64_t)wanted : 1;
    if (wanted >= 0)
        return CROFT_OK;
    status = artifact_count_lines(paging->artifacts, paging->artifact, paging->options->budget,
                                  &paging->place, err);
    total = paging->place.total;
    if (status == CROFT_OK && !paging->place.is_short && back < total)
        *first = total - back + 1;
    return status;
}

static croft_status fill(struct paging *paging, uint64_t first, croft_error *err)
{
    struct page *page = &paging->out->page;
    struct page_start start = {.offset = paging->place.offset,
                               .line = first,
                               .size = paging->place.size,
                               .line_ceiling = LINE_CEILING};
    croft_status status = page_read_from(paging->artifact->sys, paging->artifact->fd,
                                         paging->options, &start, page, err);

    if (status == CROFT_OK && page->end == PAGE_FILE_END) {
        paging->place.total = page->last;
        artifact_note_total(paging->artifacts, paging->artifact, page->last);
    }
    return status;
}

/* Finds the line and fills the page, as far as there is time. */
static croft_status turn_to(struct paging *paging, croft_error *err)
{
    const struct line_place *place = &paging->place;
    uint64_t first = 1;
    croft_status status = find_first(paging, &first, err);

    if (status == CROFT_OK && !place->is_short)
        status = artifact_find_line(paging->artifacts, paging->artifact, first,
                                    paging->options->budget, &paging->place, err);
    if (status != CROFT_OK || place->is_short)
        return status;
    if (!place->is_past_end)
        return fill(paging, first, err);
    paging->out->page.end = PAGE_PAST_END;
    return CROFT_OK;
}

static void describe(const struct paging *paging)
{
    struct artifact_page *out = paging->out;
    struct page *page = &out->page;

    out->is_short = paging->place.is_short;
    out->counted_lines = paging->place.counted_lines;
    out->counted_bytes = paging->place.counted_bytes;
    page->total = paging->place.total;
    page->size = paging->place.size;
    page->head_size = paging->head_size < sizeof page->head ? paging->head_size : sizeof page->head;
    memcpy(page->head, paging->head, page->head_size);
    page->binary = lines_binary(paging->head, paging->head_size);
    page->bom = paging->place.content > 0;
}

croft_status artifact_page_read(struct artifacts *artifacts, struct artifact *artifact,
                                const struct page_options *options, struct artifact_page *page,
                                croft_error *err)
{
    struct paging paging = {
        .artifacts = artifacts, .artifact = artifact, .options = options, .out = page};
    croft_status status;

    memset(page, 0, sizeof *page);
    status = artifact_look(artifacts, artifact, &page->change, &paging.place.size, err);
    if (status == CROFT_OK)
        status = read_head(&paging, err);
    if (status == CROFT_OK)
        status = turn_to(&paging, err);
    if (status == CROFT_OK)
        describe(&paging);
    return status;
}

void artifact_page_free(struct artifact_page *page)
{
    page_free(&page->page);
}
