/* SPDX-License-Identifier: MIT */
/* The passes over a file that a page needs: one from start to end, and short ones for what it then
 * lacks. Private to core/page*.c. */
#ifndef CROFT_PAGE_SCAN_H
#define CROFT_PAGE_SCAN_H

#include "page_store.h"

/* The file, with one buffer for all passes. */
struct page_scan {
    const struct sys *sys;
    int fd;
    const struct node *node;  /* of fd when it was opened, or NULL */
    struct page_store *store; /* or NULL */
    struct page_index *index; /* held: of this file, found or being built; or NULL */
    struct budget *budget;
    char *window;
    size_t room;      /* of the window: PAGE_WINDOW, or less where the file is small */
    uint64_t content; /* offset of line 1: behind the byte order mark */
    uint64_t size;    /* as the first pass found it */
    size_t kept;      /* the window still holds the whole file, so many bytes; 0: it does not */
    uint64_t line_ceiling; /* page_scan_line looks no further; 0: to the end of the line */
    uint64_t a_step;       /* bytes of a step of the budget; 0: 64 */
};

enum { PAGE_WINDOW = 256 * 1024 };

/* Fills what `page` tells of the whole file: by its index, or reading it from start to end, and then an index of a
 * large file is left in scan->index. *offset: where line `line` (from 1) begins, where there is one. A binary file
 * is left after its first bytes. */
croft_status page_scan_all(struct page_scan *scan, uint64_t line, struct page *page,
                           uint64_t *offset, croft_error *err);

/* Where the line begins that has `count` lines behind its begin, itself included; count is at least 1
 * and at most the number of lines. */
croft_status page_scan_back(struct page_scan *scan, uint64_t count, bool final_newline,
                            uint64_t *offset, croft_error *err);

/* The size of the line at `offset`, without its end; the ceiling or more where that ended it. */
croft_status page_scan_line(struct page_scan *scan, uint64_t offset, uint64_t *size,
                            croft_error *err);

/* Reads up to `size` bytes (`room` at most where `buffer` is the window) into `buffer`; of a file that
 * fits into the window what the first pass has read. */
croft_status page_scan_read(struct page_scan *scan, char *buffer, uint64_t offset, size_t size,
                            size_t *filled, croft_error *err);

#endif
