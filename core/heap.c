/* SPDX-License-Identifier: MIT */
#include "heap.h"

#include <stdlib.h>

/* In front of each block; its size is what Lua says it is. */
struct block {
    struct block *next, *previous;
    _Alignas(16) char memory[];
};

enum {
    LITTLE = 16, /* its part of the limit */
    LAZY_PAUSE = 200
};

static struct block *block_of(void *pointer)
{
    return (struct block *)(void *)((char *)pointer - offsetof(struct block, memory));
}

static bool holds_little(const struct heap *heap)
{
    return heap->used < heap->limit / LITTLE;
}

/* Only stores the number, so the allocator may do it. */
static void set_pause(struct heap *heap, bool is_lazy)
{
    heap->is_lazy = is_lazy;
    lua_gc(heap->L, LUA_GCSETPAUSE, is_lazy ? LAZY_PAUSE : HEAP_PAUSE);
}

void heap_relax(struct heap *heap)
{
    if (heap->is_lazy != holds_little(heap))
        set_pause(heap, !heap->is_lazy);
}

static void unlink_block(struct heap *heap, struct block *block, size_t size)
{
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        heap->blocks = block->next;
    if (block->next != NULL)
        block->next->previous = block->previous;
    heap->used -= size;
}

static void *link_block(struct heap *heap, struct block *block, size_t size)
{
    block->previous = NULL;
    block->next = heap->blocks;
    if (block->next != NULL)
        block->next->previous = block;
    heap->blocks = block;
    heap->used += size;
    if (heap->used > heap->most)
        heap->most = heap->used;
    if (heap->is_lazy && !holds_little(heap))
        set_pause(heap, false);
    return block->memory;
}

/* Bytes cost steps too: 64 of them one. */
static void charge(struct heap *heap, size_t more)
{
    struct bind_host *host = heap->host;

    if (!host->armed)
        return;
    if (heap->used + more > heap->limit)
        bind_trap(host, BREACH_MEMORY);
    if (!budget_spend(&host->budget, more >> 6))
        bind_trap(host, host->budget.breach);
}

static void *give_up(const struct heap *heap)
{
    if (heap->host->armed)
        bind_trap(heap->host, BREACH_MEMORY);
    return NULL;
}

void *heap_allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    struct heap *heap = user;
    struct block *block = pointer == NULL ? NULL : block_of(pointer);
    size_t whole = size + sizeof(struct block);
    size_t old = block == NULL ? 0 : old_size + sizeof(struct block); /* else it is a type */
    struct block *moved;

    if (size == 0) {
        if (block != NULL)
            unlink_block(heap, block, old);
        free(block);
        return NULL;
    }
    if (whole < size)
        return give_up(heap);
    if (whole > old)
        charge(heap, whole - old);
    if (block != NULL)
        unlink_block(heap, block, old);
    moved = realloc(block, whole);
    if (moved == NULL) {
        if (block != NULL)
            link_block(heap, block, old);
        return give_up(heap);
    }
    return link_block(heap, moved, whole);
}

void heap_drop(struct heap *heap)
{
    struct block *block = heap->blocks;

    while (block != NULL) {
        struct block *next = block->next;

        free(block);
        block = next;
    }
    heap->blocks = NULL;
    heap->used = 0;
}
