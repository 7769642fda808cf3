/* SPDX-License-Identifier: MIT */
#include "heap_small.h"

#include <stdlib.h>

struct small_chunk {
    struct small_chunk *next;
    _Alignas(SMALL_GRAIN) char memory[];
};

struct small_piece {
    struct small_piece *next;
};

enum { CHUNK = 16 * 1024 };

static size_t class_of(size_t size)
{
    return (size - 1) / SMALL_GRAIN;
}

/* What is left of the chunk before, less than a piece, is lost until the end. */
static int add_chunk(struct small_heap *heap, size_t most)
{
    struct small_chunk *chunk = heap->held + CHUNK > most ? NULL : malloc(CHUNK);

    if (chunk == NULL)
        return 0;
    heap->held += CHUNK;
    chunk->next = heap->chunks;
    heap->chunks = chunk;
    heap->next = chunk->memory;
    heap->end = (char *)chunk + CHUNK;
    return 1;
}

void *small_take(struct small_heap *heap, size_t size, size_t most)
{
    size_t class = class_of(size), rounded = (class + 1) * SMALL_GRAIN;
    struct small_piece *piece = heap->given_back[class];
    char *cut;

    if (piece != NULL) {
        heap->given_back[class] = piece->next;
        return piece;
    }
    if ((size_t)(heap->end - heap->next) < rounded && !add_chunk(heap, most))
        return NULL;
    cut = heap->next;
    heap->next += rounded;
    return cut;
}

void small_give(struct small_heap *heap, void *piece, size_t size)
{
    struct small_piece **first = &heap->given_back[class_of(size)];
    struct small_piece *given = piece;

    given->next = *first;
    *first = given;
}

void small_drop(struct small_heap *heap)
{
    struct small_chunk *chunk = heap->chunks;

    while (chunk != NULL) {
        struct small_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    *heap = (struct small_heap){0};
}
