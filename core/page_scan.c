/* SPDX-License-Identifier: MIT */
#include "page_scan.h"

#include "breach.h"
#include "lines.h"

#include <errno.h>
#include <string.h>

enum { BYTES_A_STEP = 64 };

/* Of a file that is as long as it was when it was opened no read is needed to see its end. */
static ssize_t read_to_end(const struct page_scan *scan, char *buffer, uint64_t offset, size_t size)
{
    const struct node *node = scan->node;
    size_t filled = 0;

    while (filled < size) {
        ssize_t count =
            scan->sys->pread(scan->fd, buffer + filled, size - filled, (off_t)(offset + filled));

        if (count < 0)
            return -1;
        filled += (size_t)count;
        if (count == 0 || (node != NULL && offset + filled == node->size))
            break;
    }
    return (ssize_t)filled;
}

static size_t copy_kept(const struct page_scan *scan, char *buffer, uint64_t offset, size_t size)
{
    size_t left = offset < scan->kept ? scan->kept - (size_t)offset : 0;

    if (size > left)
        size = left;
    if (size > 0)
        memcpy(buffer, scan->window + offset, size);
    return size;
}

croft_status page_scan_read(struct page_scan *scan, char *buffer, uint64_t offset, size_t size,
                            size_t *filled, croft_error *err)
{
    uint64_t a_step = scan->a_step == 0 ? BYTES_A_STEP : scan->a_step;
    ssize_t count;

    if (!budget_spend(scan->budget, 1 + size / a_step))
        return fail_breach(scan->budget, err);
    if (buffer == scan->window) {
        scan->kept = 0;
    } else if (scan->kept > 0) {
        *filled = copy_kept(scan, buffer, offset, size);
        return CROFT_OK;
    }
    count = read_to_end(scan, buffer, offset, size);
    if (count < 0)
        return fail_io(err, errno, "it cannot be read");
    *filled = (size_t)count;
    return CROFT_OK;
}

/* What the first pass knows. */
struct pass {
    struct page *page;
    uint64_t line; /* whose offset is wanted */
    uint64_t *offset;
    uint64_t ends; /* LF so far */
    char last;     /* byte of the last window */
};

/* Finds the wanted line when it begins in the piece, behind one of its LF. */
static void find_line(struct pass *pass, const char *piece, size_t size, uint64_t base,
                      uint64_t ends)
{
    uint64_t wanted = pass->line - 1; /* LF before it */

    if (wanted > pass->ends && wanted <= pass->ends + ends)
        *pass->offset = base + lines_behind(piece, size, (size_t)(wanted - pass->ends));
}

static void take_piece(struct pass *pass, const char *piece, size_t size, uint64_t base)
{
    uint64_t ends = lines_count(piece, size);
    uint64_t crlf = lines_count_crlf(piece, size, pass->last);

    find_line(pass, piece, size, base, ends);
    pass->ends += ends;
    pass->page->crlf += crlf;
    pass->page->lf += ends - crlf;
    pass->last = piece[size - 1];
}

static void take_window(const struct page_scan *scan, struct pass *pass, size_t size)
{
    for (size_t at = 0; at < size; at += PAGE_BLOCK) {
        if (scan->index != NULL)
            page_index_add(scan->index, scan->size + at, pass->ends);
        take_piece(pass, scan->window + at, size - at < PAGE_BLOCK ? size - at : PAGE_BLOCK,
                   scan->size + at);
    }
}

static void take_head(struct page_scan *scan, struct pass *pass, size_t size)
{
    struct page *page = pass->page;

    page->head_size = size < sizeof page->head ? size : sizeof page->head;
    memcpy(page->head, scan->window, page->head_size);
    page->binary = lines_binary(scan->window, size);
    scan->content = lines_mark(scan->window, size);
    page->bom = scan->content > 0 && !page->binary;
    *pass->offset = scan->content;
}

/* Of a binary file nothing but its size is told. */
static croft_status take_size(struct page_scan *scan, struct page *page, croft_error *err)
{
    struct node node;

    if (scan->sys->node(scan->fd, &node) != 0)
        return fail_io(err, errno, "it cannot be examined");
    page->size = node.size;
    return CROFT_OK;
}

static void sum_up(struct page_scan *scan, const struct pass *pass)
{
    struct page *page = pass->page;

    page->size = scan->size;
    if (scan->size == scan->content)
        return;
    page->final_newline = pass->last == '\n';
    page->total = pass->ends + !page->final_newline;
}

static croft_status scan_all(struct page_scan *scan, uint64_t line, struct page *page,
                             uint64_t *offset, croft_error *err)
{
    struct pass pass = {.page = page, .line = line, .offset = offset};
    size_t filled = scan->room;

    for (scan->size = 0; filled == scan->room; scan->size += filled) {
        croft_status status =
            page_scan_read(scan, scan->window, scan->size, scan->room, &filled, err);

        if (status != CROFT_OK)
            return status;
        if (scan->size == 0)
            take_head(scan, &pass, filled);
        if (page->binary)
            return take_size(scan, page, err);
        if (filled > 0)
            take_window(scan, &pass, filled);
    }
    if (scan->size < scan->room)
        scan->kept = (size_t)scan->size;
    sum_up(scan, &pass);
    if (scan->index != NULL)
        scan->index->page = *page;
    return CROFT_OK;
}

/* The wanted line of a file whose index is there, in the block that the index names. */
static croft_status find_in_block(struct page_scan *scan, uint64_t line, uint64_t *offset,
                                  croft_error *err)
{
    uint64_t ends, at = page_index_find(scan->index, line - 1, &ends);

    for (size_t filled = PAGE_BLOCK; filled == PAGE_BLOCK; at += filled) {
        croft_status status = page_scan_read(scan, scan->window, at, PAGE_BLOCK, &filled, err);
        uint64_t more;

        if (status != CROFT_OK)
            return status;
        more = lines_count(scan->window, filled);
        if (ends + more >= line - 1) {
            *offset = at + lines_behind(scan->window, filled, (size_t)(line - 1 - ends));
            return CROFT_OK;
        }
        ends += more;
    }
    *offset = at; /* the file shrank meanwhile */
    return CROFT_OK;
}

static croft_status use_index(struct page_scan *scan, uint64_t line, struct page *page,
                              uint64_t *offset, croft_error *err)
{
    *page = scan->index->page;
    scan->size = page->size;
    scan->content = page->bom ? BYTE_ORDER_MARK_SIZE : 0;
    *offset = scan->content;
    if (line == 1 || line > page->total)
        return CROFT_OK;
    return find_in_block(scan, line, offset, err);
}

croft_status page_scan_all(struct page_scan *scan, uint64_t line, struct page *page,
                           uint64_t *offset, croft_error *err)
{
    bool is_large = scan->store != NULL && scan->node->size > PAGE_WINDOW;

    scan->index = is_large ? page_store_find(scan->store, scan->node) : NULL;
    if (scan->index != NULL)
        return use_index(scan, line, page, offset, err);
    if (is_large)
        scan->index = page_index_new(scan->node); /* a page can be had without it */
    return scan_all(scan, line, page, offset, err);
}

croft_status page_scan_back(struct page_scan *scan, uint64_t count, bool final_newline,
                            uint64_t *offset, croft_error *err)
{
    uint64_t wanted = count + final_newline; /* the LF from the end that ends the line before */
    uint64_t stop = scan->size;

    while (stop > scan->content) {
        uint64_t start = stop - scan->content > scan->room ? stop - scan->room : scan->content;
        size_t filled = 0, ends;
        croft_status status =
            page_scan_read(scan, scan->window, start, (size_t)(stop - start), &filled, err);

        if (status != CROFT_OK)
            return status;
        ends = lines_count(scan->window, filled);
        if (ends >= wanted) {
            size_t at = filled + 1;

            for (; wanted > 0; wanted--)
                at = lines_start(scan->window, 0, at - 1);
            *offset = start + at;
            return CROFT_OK;
        }
        wanted -= ends;
        stop = start;
    }
    *offset = scan->content;
    return CROFT_OK;
}

/* A hole in a large file is part of a line. Its last window is read like any other. */
static void skip_hole(const struct page_scan *scan, uint64_t offset, uint64_t *size)
{
    off_t next;

    if (scan->line_ceiling == 0)
        return;
    next = scan->sys->next_data(scan->fd, (off_t)(offset + *size));
    if (next > (off_t)(offset + *size + scan->room))
        *size = (uint64_t)next - offset - scan->room;
}

croft_status page_scan_line(struct page_scan *scan, uint64_t offset, uint64_t *size,
                            croft_error *err)
{
    char last = '\0'; /* byte before the window */

    for (*size = 0;;) {
        size_t filled = 0, end;
        croft_status status;

        skip_hole(scan, offset, size);
        status = page_scan_read(scan, scan->window, offset + *size, scan->room, &filled, err);

        if (status != CROFT_OK)
            return status;
        end = lines_end(scan->window, filled, 0);
        *size += end;
        if (end > 0)
            last = scan->window[end - 1];
        if (end < filled) /* at the LF */
            *size -= *size > 0 && last == '\r';
        if (filled < scan->room || end < filled ||
            (scan->line_ceiling != 0 && *size >= scan->line_ceiling))
            return CROFT_OK;
    }
}
