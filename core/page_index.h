/* SPDX-License-Identifier: MIT */
/*
 * What one pass over a large file found, for the pages that are read after it: its totals, and how many lines end
 * before each block. 64 KiB a block, more where there would be over PAGE_BLOCKS of them: 128 KiB at most for any
 * file. Never changed once it is built; freed when nobody holds it.
 */
#ifndef CROFT_PAGE_INDEX_H
#define CROFT_PAGE_INDEX_H

#include <stdatomic.h>

#include "page.h"

enum { PAGE_BLOCKS = 16 * 1024, PAGE_BLOCK_SHIFT = 16, PAGE_BLOCK = 1 << PAGE_BLOCK_SHIFT };

struct page_index {
    struct node node; /* of the file that was read: nothing below is true of another */
    struct page page; /* total, size, crlf, lf, bom, final_newline, head; the rest is empty */
    unsigned shift;   /* a block has 1 << shift bytes */
    atomic_uint holders;
    size_t count;
    uint64_t before[]; /* line ends before each block */
};

/* An empty one for a file that is like `node`; one holder. NULL when memory ran out. */
struct page_index *page_index_new(const struct node *node);

/* While it is built: `ends` lines end before `offset`, a multiple of PAGE_BLOCK; called for each in order. */
void page_index_add(struct page_index *index, uint64_t offset, uint64_t ends);

/* Where the block begins in which line end `number` (from 1) stands; *before: the line ends before that block. */
uint64_t page_index_find(const struct page_index *index, uint64_t number, uint64_t *before);

/* NULL does nothing. */
void page_index_release(struct page_index *index);

#endif
