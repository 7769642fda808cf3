/* SPDX-License-Identifier: MIT */
#include "page_index.h"

#include <stdlib.h>

struct page_index *page_index_new(const struct node *node)
{
    struct page_index *index;
    unsigned shift = PAGE_BLOCK_SHIFT;
    size_t room;

    while (node->size >> shift >= PAGE_BLOCKS)
        shift++;
    room = (size_t)(node->size >> shift) + 1;
    index = malloc(sizeof *index + room * sizeof *index->before);
    if (index == NULL)
        return NULL;
    *index = (struct page_index){.node = *node, .shift = shift};
    atomic_init(&index->holders, 1);
    return index;
}

/* A file that grew while it was read has more blocks than there is room for: such an index is not kept. */
void page_index_add(struct page_index *index, uint64_t offset, uint64_t ends)
{
    bool begins_block = (offset & ((UINT64_C(1) << index->shift) - 1)) == 0;

    if (begins_block && index->count <= index->node.size >> index->shift)
        index->before[index->count++] = ends;
}

uint64_t page_index_find(const struct page_index *index, uint64_t number, uint64_t *before)
{
    size_t low = 0, high = index->count; /* the last block with less before it is in [low, high) */

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (index->before[middle] < number)
            low = middle;
        else
            high = middle;
    }
    *before = index->before[low];
    return (uint64_t)low << index->shift;
}

void page_index_release(struct page_index *index)
{
    if (index != NULL && atomic_fetch_sub(&index->holders, 1) == 1)
        free(index);
}
