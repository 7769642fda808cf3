/* SPDX-License-Identifier: MIT */
#include "heap.h"

#include <stdlib.h>
#include <string.h>

#include "bind/overrun.h"
#include "bind/pace.h"

/* In front of each block that is not small; its size is what Lua says it is. */
struct block {
    struct block *next, *previous;
    _Alignas(16) char memory[];
};

#ifdef __SANITIZE_ADDRESS__
enum { SMALL = 0 }; /* it sees what is wrong with a block, and not with a piece of one */
#else
enum { SMALL = SMALL_MOST };
#endif

/* The pause, in per cent, while less is in use than this part of the limit. */
enum { LEAST = 64, LEAST_PAUSE = 400, LITTLE = 16, LITTLE_PAUSE = 200 };

static struct block *block_of(void *pointer)
{
    return (struct block *)(void *)((char *)pointer - offsetof(struct block, memory));
}

static int pause_of(const struct heap *heap)
{
    if (heap->used < heap->limit / LEAST)
        return LEAST_PAUSE;
    return heap->used < heap->limit / LITTLE ? LITTLE_PAUSE : HEAP_PAUSE;
}

/* Only stores the number, so the allocator may do it. */
static void set_pause(struct heap *heap, int pause)
{
    heap->pause = pause;
    lua_gc(heap->L, LUA_GCSETPAUSE, pause);
}

void heap_relax(struct heap *heap)
{
    if (heap->pause != pause_of(heap))
        set_pause(heap, pause_of(heap));
}

static void count_in(struct heap *heap, size_t size)
{
    heap->used += size;
    if (heap->used > heap->most)
        heap->most = heap->used;
    if (heap->pause > pause_of(heap))
        set_pause(heap, pause_of(heap));
}

static void unlink_block(struct heap *heap, struct block *block)
{
    if (block->previous != NULL)
        block->previous->next = block->next;
    else
        heap->blocks = block->next;
    if (block->next != NULL)
        block->next->previous = block->previous;
}

static void *link_block(struct heap *heap, struct block *block)
{
    block->previous = NULL;
    block->next = heap->blocks;
    if (block->next != NULL)
        block->next->previous = block;
    heap->blocks = block;
    return block->memory;
}

/* Bytes cost steps too: 64 of them one. */
static void charge(struct heap *heap, size_t more)
{
    struct bind_host *host = heap->host;

    if (!host->armed)
        return;
    if (heap->used + host->held + more > heap->limit)
        bind_trap(host, BREACH_MEMORY);
    if (more >= OVERRUN_LARGE)
        host->budget.next_look = UINT64_MAX; /* what comes may be long */
    if (!budget_spend(&host->budget, more >> 6))
        bind_trap(host, host->budget.breach);
}

static void *give_up(const struct heap *heap)
{
    if (heap->host->armed)
        bind_trap(heap->host, BREACH_MEMORY);
    return NULL;
}

static void *take(struct heap *heap, size_t size)
{
    struct block *block;

    if (size <= SMALL)
        return small_take(&heap->small, size, heap->limit);
    block = malloc(sizeof *block + size);
    return block == NULL ? NULL : link_block(heap, block);
}

static void give(struct heap *heap, void *pointer, size_t size)
{
    if (size <= SMALL) {
        small_give(&heap->small, pointer, size);
    } else {
        unlink_block(heap, block_of(pointer));
        free(block_of(pointer));
    }
}

/* The block as one of another size; NULL, and the block is as it was, when memory ran out. */
static void *resize(struct heap *heap, void *pointer, size_t old_size, size_t size)
{
    struct block *block, *moved;
    void *other;

    if (old_size > SMALL && size > SMALL) {
        block = block_of(pointer);
        unlink_block(heap, block);
        moved = realloc(block, sizeof *block + size);
        other = link_block(heap, moved == NULL ? block : moved);
        return moved == NULL ? NULL : other;
    }
    if (old_size <= SMALL && size <= SMALL && small_fits(old_size, size))
        return pointer;
    other = take(heap, size);
    if (other == NULL)
        return NULL;
    memcpy(other, pointer, old_size < size ? old_size : size);
    give(heap, pointer, old_size);
    return other;
}

static size_t large_part(size_t size)
{
    return size > PACE_LARGE ? size : 0;
}

static void count_large(struct bind_host *host, size_t old, size_t size)
{
    host->large += large_part(size) - large_part(old);
    if (large_part(size) > large_part(old))
        pace_more(host);
    if (size >= OVERRUN_LARGE && size > old)
        overrun_watch(host);
}

static void *allocate(struct heap *heap, void *pointer, size_t old_size, size_t size)
{
    size_t old = pointer == NULL ? 0 : old_size + sizeof(struct block); /* else it is a type */
    size_t whole = size + sizeof(struct block);
    void *result;

    if (size == 0) {
        if (pointer != NULL)
            give(heap, pointer, old_size);
        heap->used -= old;
        heap->host->large -= large_part(old);
        return NULL;
    }
    if (whole < size)
        return give_up(heap);
    if (whole > old)
        charge(heap, whole - old);
    result = pointer == NULL ? take(heap, size) : resize(heap, pointer, old_size, size);
    if (result == NULL)
        return give_up(heap);
    heap->used -= old;
    count_in(heap, whole);
    count_large(heap->host, old, whole);
    return result;
}

void *heap_allocate(void *user, void *pointer, size_t old_size, size_t size)
{
    struct heap *heap = user;
    void *result;

    overrun_hold(heap->host);
    result = allocate(heap, pointer, old_size, size);
    overrun_release(heap->host);
    return result;
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
    small_drop(&heap->small);
    heap->used = 0;
    heap->host->large = 0;
    heap->host->running = NULL;
}
