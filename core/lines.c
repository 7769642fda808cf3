/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <string.h>

enum {
    LANES = 16,
    STRIDE = 4 * LANES, /* bytes a step */
    LANE_FULL = 127     /* steps after which a counter of one byte may be full */
};

/* The compilers make one instruction of each operation where the machine has it. */
typedef signed char lanes __attribute__((vector_size(LANES)));

static inline lanes load(const char *text)
{
    lanes bytes;

    memcpy(&bytes, text, sizeof bytes);
    return bytes;
}

/* -1 in each lane whose byte is LF and, for `pairs`, has a CR before it. */
static inline lanes hits(const char *text, bool pairs)
{
    lanes found = load(text) == '\n';

    return pairs ? found & (load(text - 1) == '\r') : found;
}

static inline size_t negative_sum(lanes counters)
{
    size_t sum = 0;

    for (int i = 0; i < LANES; i++)
        sum += (size_t)-counters[i];
    return sum;
}

/* With `pairs` the byte before `text` is looked at. */
static inline size_t count(const char *text, size_t size, bool pairs)
{
    size_t total = 0, at = 0;

    while (size - at >= STRIDE) {
        lanes a = {0}, b = {0}, c = {0}, d = {0};

        for (int i = 0; i < LANE_FULL && size - at >= STRIDE; i++, at += STRIDE) {
            a += hits(text + at, pairs);
            b += hits(text + at + LANES, pairs);
            c += hits(text + at + 2 * LANES, pairs);
            d += hits(text + at + 3 * LANES, pairs);
        }
        total += negative_sum(a) + negative_sum(b) + negative_sum(c) + negative_sum(d);
    }
    for (; at < size; at++)
        total += text[at] == '\n' && (!pairs || text[at - 1] == '\r');
    return total;
}

size_t lines_count(const char *text, size_t size)
{
    return count(text, size, false);
}

size_t lines_count_crlf(const char *text, size_t size, char before)
{
    size_t first;

    if (size == 0)
        return 0;
    first = text[0] == '\n' && before == '\r';
    if (memchr(text, '\r', size) == NULL)
        return first;
    return first + count(text + 1, size - 1, true);
}

size_t lines_behind(const char *text, size_t size, size_t number)
{
    enum { STRETCH = 4096 }; /* counting them is faster than finding each */
    size_t at = 0;

    while (size - at > STRETCH) {
        size_t ends = lines_count(text + at, STRETCH);

        if (ends >= number)
            break;
        number -= ends;
        at += STRETCH;
    }
    for (; number > 0; number--)
        at = lines_end(text, size, at) + 1;
    return at;
}

size_t lines_start(const char *text, size_t from, size_t at)
{
    const char *end = at > from ? memrchr(text + from, '\n', at - from) : NULL;

    return end == NULL ? from : (size_t)(end - text) + 1;
}

bool lines_binary(const char *text, size_t size)
{
    return size > 0 && memchr(text, '\0', size < TEXT_PROBE ? size : TEXT_PROBE) != NULL;
}

size_t lines_mark(const char *text, size_t size)
{
    bool marked =
        size >= BYTE_ORDER_MARK_SIZE && memcmp(text, BYTE_ORDER_MARK, BYTE_ORDER_MARK_SIZE) == 0;

    return marked ? BYTE_ORDER_MARK_SIZE : 0;
}
