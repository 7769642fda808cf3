/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <stdint.h>
#include <string.h>

#define EACH_BYTE(c) ((uint64_t)(unsigned char)(c)*UINT64_C(0x0101010101010101))

enum { LANE_FULL = 255 }; /* words after which a counter of one byte may be full */

static uint64_t load(const char *text)
{
    uint64_t word;

    memcpy(&word, text, sizeof word);
    return word;
}

/* 1 in each byte of `word` that equals the byte in `wanted`, 0 in all others. */
static uint64_t equal_bytes(uint64_t word, uint64_t wanted)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t differ = word ^ wanted;

    return (~(((differ & low) + low) | differ | low)) >> 7;
}

static size_t sum_bytes(uint64_t lanes)
{
    const uint64_t even = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t pairs = (lanes & even) + ((lanes >> 8) & even);

    return (size_t)((pairs * UINT64_C(0x0001000100010001)) >> 48);
}

size_t lines_count(const char *text, size_t size)
{
    size_t count = 0, at = 0;

    while (size - at >= sizeof(uint64_t)) {
        uint64_t lanes = 0;

        for (int i = 0; i < LANE_FULL && size - at >= sizeof(uint64_t); i++) {
            lanes += equal_bytes(load(text + at), EACH_BYTE('\n'));
            at += sizeof(uint64_t);
        }
        count += sum_bytes(lanes);
    }
    for (; at < size; at++)
        count += text[at] == '\n';
    return count;
}

/* The word one byte further back shows the byte before each. */
static size_t count_pairs(const char *text, size_t size)
{
    size_t count = 0, at = 1;

    while (size - at >= sizeof(uint64_t)) {
        uint64_t lanes = 0;

        for (int i = 0; i < LANE_FULL && size - at >= sizeof(uint64_t); i++) {
            lanes += equal_bytes(load(text + at), EACH_BYTE('\n')) &
                     equal_bytes(load(text + at - 1), EACH_BYTE('\r'));
            at += sizeof(uint64_t);
        }
        count += sum_bytes(lanes);
    }
    for (; at < size; at++)
        count += text[at] == '\n' && text[at - 1] == '\r';
    return count;
}

size_t lines_count_crlf(const char *text, size_t size, char before)
{
    size_t first;

    if (size == 0)
        return 0;
    first = text[0] == '\n' && before == '\r';
    if (memchr(text, '\r', size) == NULL)
        return first;
    return first + count_pairs(text, size);
}

size_t lines_end(const char *text, size_t size, size_t from)
{
    const char *end = from < size ? memchr(text + from, '\n', size - from) : NULL;

    return end == NULL ? size : (size_t)(end - text);
}

size_t lines_start(const char *text, size_t from, size_t at)
{
    const char *end = at > from ? memrchr(text + from, '\n', at - from) : NULL;

    return end == NULL ? from : (size_t)(end - text) + 1;
}

size_t lines_trim(const char *text, size_t size, size_t start, size_t end)
{
    return end < size && end > start && text[end - 1] == '\r' ? end - 1 : end;
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
