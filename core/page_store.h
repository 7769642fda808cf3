/* SPDX-License-Identifier: MIT */
/*
 * What a session remembers of the files of which it showed pages: the indexes of the last large ones, and how each
 * file was when a page of it was shown. Bounded: 1 MiB and a little. Any thread.
 *
 * A file is known again by device, inode, size and times. Kernels stamp files by a clock that may stand still for
 * some milliseconds, so an index of a file that was changed just before it was read is not kept: a second change
 * might not be seen.
 */
#ifndef CROFT_PAGE_STORE_H
#define CROFT_PAGE_STORE_H

#include <pthread.h>

#include "page_index.h"

enum { PAGE_INDEXES = 8, PAGE_SEEN = 64 };

/* How the file at a path was when a page of it was shown. */
struct page_seen {
    uint64_t path; /* its hash; 0: nothing is here */
    struct node node;
};

struct page_store {
    pthread_mutex_t lock;
    struct page_index *indexes[PAGE_INDEXES]; /* the one that was used last first */
    struct page_seen seen[PAGE_SEEN];
};

void page_store_init(struct page_store *store);
void page_store_destroy(struct page_store *store);

/* The index of a file that is still like `node`, held for the caller; or NULL. */
struct page_index *page_store_find(struct page_store *store, const struct node *node);

/* Keeps an index that is built; the caller still holds it. `begun_ns`: when its file was opened, by
 * clock_stamp_ns. */
void page_store_keep(struct page_store *store, struct page_index *index, int64_t begun_ns);

/* Notes that a page of the file `path`, which is like `node`, is shown. Whether it was not so when one was shown
 * before. */
bool page_store_note(struct page_store *store, const char *path, const struct node *node);

#endif
