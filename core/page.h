/* SPDX-License-Identifier: MIT */
/* Some lines of a file, numbered, as `read` shows them (tools.md, "read"). Bounded memory at any size. */
#ifndef CROFT_PAGE_H
#define CROFT_PAGE_H

#include "budget.h"
#include "bytes.h"
#include "error.h"
#include "sys.h"

struct page_store;

struct page_options {
    int64_t first;  /* line, counted from 1; negative: that many from the end; 0 means 1 */
    uint64_t limit; /* lines; 0: as many as fit */
    /* Byte in the first line from which it is shown, counted from 1 (0 means 1) and moved back to the
     * begin of its character; a byte order mark does not count. */
    uint64_t column;
    uint64_t bytes;    /* of text; at least 32 */
    struct node *node; /* of the file as it was opened, and then as it was read; NULL: unknown */
    struct page_store *store; /* for the index of a large file; or NULL. With `node` only */
    struct budget *budget;    /* a step for each 64 bytes */
};

enum page_end {
    PAGE_FILE_END,  /* the last line was shown, or there is none and the first was asked for */
    PAGE_LIMIT,     /* `limit` lines were */
    PAGE_BYTES,     /* the next line does not fit */
    PAGE_LONG_LINE, /* the first line alone does not fit: bytes column..last_byte of it were shown */
    PAGE_PAST_END,  /* there is no such line; text is empty */
    PAGE_PAST_LINE  /* there is no such column in it */
};

/*
 * Lines end at LF. A byte order mark at the start of the file is no part of line 1: a file that holds
 * nothing else has no lines. A last line without LF counts; its CR, if it ends in one, is text.
 */

struct page {
    /* `N|text` a line, without the last newline; UTF-8 (U+FFFD for bytes that are not); a CR before LF
     * is not shown. */
    struct bytes text;
    uint64_t first, last; /* lines shown */
    uint64_t total; /* lines in the file; one empty piece behind a final newline is none (S0-69) */
    uint64_t size;  /* bytes of the file as read */
    uint64_t crlf, lf; /* line ends of each kind in the file (lf: those without CR) */
    bool bom, final_newline;
    bool binary;   /* a NUL in the first 8 KiB: nothing else is filled but size and head */
    char head[16]; /* first bytes */
    size_t head_size;
    bool unsettled; /* it changed each time it was read: the text may be of more than one moment */
    uint64_t invalid;    /* bytes shown as U+FFFD */
    uint64_t line_bytes; /* of line `first`, without its end (PAGE_LONG_LINE, PAGE_PAST_LINE) */
    uint64_t last_byte;  /* PAGE_LONG_LINE: of it shown, counted from 1 */
    enum page_end end;
};

void page_free(struct page *page);

/* Reads from `fd`, a regular file, from its start to its end (the total is always told) where no index of it is
 * there. With `options->node` a page of a file that changes meanwhile is read again, a few times. */
croft_status page_read(const struct sys *sys, int fd, const struct page_options *options,
                       struct page *page, croft_error *err);

/* Where a page of a large file begins. */
struct page_start {
    uint64_t offset, line; /* the byte at which that line begins, and its number */
    uint64_t size;         /* of the file */
    uint64_t line_ceiling; /* of a line that is longer, line_bytes is only that it is */
};

/*
 * The same from a line that was found before (options->first is not looked at), without a look at the rest
 * of the file: page->total is UINT64_MAX, and what else is told of the whole of it is not filled in.
 */
croft_status page_read_from(const struct sys *sys, int fd, const struct page_options *options,
                            const struct page_start *start, struct page *page, croft_error *err);

#endif
