/* SPDX-License-Identifier: MIT */
/* Small pieces of memory: they never overlap, come again when they were given back, and no order of sizes makes
 * them hold more than they may. S0-6 */
#include "heap_small.h"

#include <stdint.h>
#include <string.h>

#include "check.h"

enum { MOST = 256 * 1024, PIECES = MOST / SMALL_GRAIN };

static char *pieces[PIECES];

/* Takes pieces until there are none. */
static size_t take_all(struct small_heap *heap, size_t size)
{
    size_t count = 0;

    while (count < PIECES && (pieces[count] = small_take(heap, size, MOST)) != NULL)
        count++;
    return count;
}

static void pieces_never_overlap(void)
{
    struct small_heap heap = {0};

    for (size_t size = 1; size <= SMALL_MOST; size += 7) {
        size_t count = take_all(&heap, size), bad = 0;

        CHECK(count > 0);
        for (size_t i = 0; i < count; i++)
            memset(pieces[i], (int)(i & 0xFF), size);
        for (size_t i = 0; i < count; i++)
            for (size_t at = 0; at < size; at++)
                bad += pieces[i][at] != (char)(i & 0xFF) || (uintptr_t)pieces[i] % SMALL_GRAIN != 0;
        CHECK(bad == 0);
        small_drop(&heap);
        CHECK(heap.held == 0);
    }
}

static void pieces_come_again(void)
{
    struct small_heap heap = {0};
    char *first = small_take(&heap, 40, MOST);

    small_give(&heap, first, 40);
    CHECK(small_take(&heap, 33, MOST) == first); /* of the same rounded size */
    CHECK(small_take(&heap, 40, MOST) != first);
    small_drop(&heap);
}

/* What was given back serves one size only: the chunks are what is bounded. */
static void no_order_of_sizes_holds_more(void)
{
    struct small_heap heap = {0};

    for (size_t size = SMALL_GRAIN; size <= SMALL_MOST; size += SMALL_GRAIN) {
        size_t count = take_all(&heap, size);

        for (size_t i = 0; i < count; i++)
            small_give(&heap, pieces[i], size);
        CHECK(heap.held <= MOST);
    }
    CHECK(small_take(&heap, SMALL_MOST, MOST) == NULL);
    CHECK(small_take(&heap, SMALL_GRAIN, MOST) != NULL);
    small_drop(&heap);
}

int main(void)
{
    pieces_never_overlap();
    pieces_come_again();
    no_order_of_sizes_holds_more();
    return check_report("heap_small");
}
