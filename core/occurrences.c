/* SPDX-License-Identifier: MIT */
/*
 * memmem is linear, but it begins anew at each place: where these lie closer together than the needle is
 * long, that is their number times its length. Two places that overlap differ by a period of the needle.
 *
 * - Without a period of at most half the needle they are at least that half apart, and memmem will do.
 * - With one, the least being q, the place q behind another is there when the q bytes that the needle adds
 *   are: nothing else is looked at. When it is not there, the next period that could give one is greater
 *   than the needle's size less q (two periods that fit into the needle together have their greatest common
 *   divisor for a period, so it would be a multiple of q, and the place q behind would be there), which is
 *   at least half of it again.
 */
#include "occurrences.h"

#include <string.h>

/* The least period of the needle if that is at most half of it, else 0. Its first half comes again no
 * earlier than after a period: it would be a power of something shorter, which were the period then. */
static size_t short_period(const char *needle, size_t size)
{
    size_t half = size / 2, period;
    const char *again = memmem(needle + 1, size - 1, needle, size - half);

    period = again == NULL ? 0 : (size_t)(again - needle);
    if (period > half || memcmp(needle, needle + period, size - period) != 0)
        return 0;
    return period;
}

void occurrences_init(struct occurrences *all, const char *text, size_t text_size,
                      const char *needle, size_t size, bool overlap)
{
    *all = (struct occurrences){.at = text, .end = text + text_size};
    all->needle = needle;
    all->size = size;
    all->period = overlap ? short_period(needle, size) : 0;
    all->stride = !overlap ? size : all->period == 0 ? 1 : size - all->period + 1;
}

/* Whether there is a place one period behind the last one. */
static bool comes_again(struct occurrences *all)
{
    const char *more = all->hit + all->size;
    size_t period = all->period;

    all->looked = period;
    return (size_t)(all->end - more) >= period &&
           memcmp(more, all->needle + all->size - period, period) == 0;
}

const char *occurrences_next(struct occurrences *all)
{
    const char *from = all->at;

    if (all->hit != NULL && all->period != 0 && comes_again(all))
        return all->hit += all->period;
    if (all->hit != NULL)
        from = all->hit + all->stride;
    all->hit = memmem(from, (size_t)(all->end - from), all->needle, all->size);
    all->looked = (size_t)((all->hit == NULL ? all->end : all->hit) - from) + all->size;
    all->at = all->end;
    return all->hit;
}
