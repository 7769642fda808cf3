/* SPDX-License-Identifier: MIT */
#include "page_store.h"

#include <string.h>

#include "file.h"

enum { STAMP_NS = 20 * 1000 * 1000 }; /* longer than any kernel's clock for files stands still */

void page_store_init(struct page_store *store)
{
    memset(store, 0, sizeof *store);
    (void)pthread_mutex_init(&store->lock, NULL);
}

void page_store_destroy(struct page_store *store)
{
    for (size_t i = 0; i < PAGE_INDEXES; i++)
        page_index_release(store->indexes[i]);
    (void)pthread_mutex_destroy(&store->lock);
}

/* Puts `index` first in place of the one at `at`. */
static void put_first(struct page_store *store, size_t at, struct page_index *index)
{
    memmove(store->indexes + 1, store->indexes, at * sizeof *store->indexes);
    store->indexes[0] = index;
}

struct page_index *page_store_find(struct page_store *store, const struct node *node)
{
    struct page_index *found = NULL;

    (void)pthread_mutex_lock(&store->lock);
    for (size_t i = 0; i < PAGE_INDEXES && found == NULL; i++) {
        struct page_index *index = store->indexes[i];

        if (index != NULL && node_unchanged(&index->node, node)) {
            found = index;
            (void)atomic_fetch_add(&index->holders, 1);
            put_first(store, i, index);
        }
    }
    (void)pthread_mutex_unlock(&store->lock);
    return found;
}

/* The place of an older index of the same file, or of the one that was not used for longest. */
static size_t place_for(const struct page_store *store, const struct node *node)
{
    size_t at = 0;

    while (at < PAGE_INDEXES - 1 && store->indexes[at] != NULL &&
           !node_same(&store->indexes[at]->node, node))
        at++;
    return at;
}

void page_store_keep(struct page_store *store, struct page_index *index, int64_t begun_ns)
{
    struct page_index *old;
    size_t at;

    if (index->node.ctime_ns > begun_ns - STAMP_NS)
        return;
    (void)atomic_fetch_add(&index->holders, 1);
    (void)pthread_mutex_lock(&store->lock);
    at = place_for(store, &index->node);
    old = store->indexes[at];
    put_first(store, at, index);
    (void)pthread_mutex_unlock(&store->lock);
    page_index_release(old);
}

bool page_store_note(struct page_store *store, const char *path, const struct node *node)
{
    uint64_t hash = file_digest(path, strlen(path)) | 1;
    struct page_seen *seen = &store->seen[hash / 2 % PAGE_SEEN];
    bool changed;

    (void)pthread_mutex_lock(&store->lock);
    changed = seen->path == hash && !node_unchanged(&seen->node, node);
    *seen = (struct page_seen){hash, *node};
    (void)pthread_mutex_unlock(&store->lock);
    return changed;
}
