/* SPDX-License-Identifier: MIT */
#include "needle.h"

#include <string.h>

enum { BUCKETS = 8, BYTES_AN_ALARM = 16 * 1024 };

/* How many of 16384 bytes are this one, in C headers, Python and documentation; all others are rare. */
static const uint16_t byte_weights[128] = {
    1,   1,   1,   1,   1,   1,   1,    1,   1,   45,  417, 1,  1,   1,    1,   1,   1,   1,   1,
    1,   1,   1,   1,   1,   1,   1,    1,   1,   1,   1,   1,  1,   2900, 4,   91,  63,  4,   4,
    13,  107, 163, 163, 107, 11,  205,  77,  130, 149, 97,  75, 58,  34,   22,  34,  19,  15,  19,
    33,  89,  51,  62,  62,  69,  4,    11,  106, 41,  117, 56, 164, 53,   47,  27,  126, 7,   22,
    113, 56,  121, 114, 92,  6,   109,  196, 141, 43,  22,  14, 44,  21,   7,   16,  21,  16,  2,
    611, 10,  535, 137, 364, 319, 1041, 236, 142, 224, 611, 11, 97,  384,  213, 577, 532, 310, 16,
    568, 624, 803, 232, 78,  71,  88,   133, 18,  18,  9,   18, 3,   1,
};

enum { WEIGHT_BITS = 14, WORD_FACTOR = 8 };

#define LETTERS UINT64_C(0x07FFFFFE07FFFFFE) /* of the bytes from 64 on */

int needle_set(struct needle *needle, const struct byte_set *set)
{
    for (unsigned i = 0; i < needle->set_count; i++) {
        if (memcmp(&needle->sets[i], set, sizeof *set) == 0)
            return (int)i;
    }
    if (needle->set_count == NEEDLE_SETS)
        return -1;
    needle->sets[needle->set_count] = *set;
    return (int)needle->set_count++;
}

/* ---- chance ---- */

static uint64_t weight(const struct byte_set *set)
{
    uint64_t sum = 0;

    for (unsigned byte = 0; byte < 256; byte++) {
        if (set_has(set, (unsigned char)byte))
            sum += byte < 128 ? byte_weights[byte] : 1;
    }
    return sum;
}

static uint64_t weight_at(const struct needle *needle, const struct fragment *fragment, unsigned at)
{
    return weight(&needle->sets[fragment->set[at]]);
}

/* Neighbours in a text are not independent: what is behind the second rarest byte is not counted. */
static uint64_t chance_of(const struct needle *needle, const struct fragment *fragment)
{
    uint64_t first = 1 << WEIGHT_BITS, second = 1 << WEIGHT_BITS;

    for (unsigned at = 0; at < fragment->size; at++) {
        uint64_t here = weight_at(needle, fragment, at);

        if (here < first) {
            second = first;
            first = here;
        } else if (here < second) {
            second = here;
        }
    }
    return first * second;
}

uint64_t needle_chance(const struct needle *needle, const struct fragments *fragments)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < fragments->count; i++)
        sum += chance_of(needle, &fragments->list[i]);
    return sum;
}

/* ---- how it is looked for ---- */

/* A set that is one byte, or two that differ in one bit: (byte | *fold) == *value. */
static bool is_known(const struct byte_set *set, unsigned char *value, unsigned char *fold)
{
    unsigned count = 0, all = 0, common = 0xFF;

    for (unsigned byte = 0; byte < 256; byte++) {
        if (set_has(set, (unsigned char)byte)) {
            count++;
            all |= byte;
            common &= byte;
        }
    }
    *value = (unsigned char)all;
    *fold = (unsigned char)(all ^ common);
    return count == 1 || (count == 2 && (*fold & (*fold - 1)) == 0);
}

/* The two rarest of the bytes that are known, in the order of their places. */
static bool choose_pair(struct needle *needle)
{
    const struct fragment *fragment = &needle->any.list[0];
    uint64_t best[2] = {UINT64_MAX, UINT64_MAX};
    unsigned char value, fold, place[2] = {0, 0};

    for (unsigned at = 0; at < fragment->size; at++) {
        uint64_t here = weight_at(needle, fragment, at);

        if (!is_known(&needle->sets[fragment->set[at]], &value, &fold) || here >= best[1])
            continue;
        if (here < best[0]) {
            best[1] = best[0];
            place[1] = place[0];
            best[0] = here;
            place[0] = (unsigned char)at;
        } else {
            best[1] = here;
            place[1] = (unsigned char)at;
        }
    }
    if (best[1] == UINT64_MAX)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        needle->place[i] = place[i];
        is_known(&needle->sets[fragment->set[place[i]]], &needle->value[i], &needle->fold[i]);
    }
    return true;
}

/* Letters that follow each other are no accident: "ock" is in many words, "k_n" in few. */
static bool is_word_inside(const struct needle *needle, const struct fragment *fragment,
                           unsigned at)
{
    const struct byte_set *before = &needle->sets[fragment->set[at - 1]];
    const struct byte_set *here = &needle->sets[fragment->set[at]];

    return (before->bits[1] & LETTERS) != 0 && (here->bits[1] & LETTERS) != 0;
}

/* How often by chance the bytes of a window of this size fit; *offset is the best place for it. */
static uint64_t choose_offset(const struct needle *needle, const struct fragment *fragment,
                              unsigned window, unsigned char *offset)
{
    uint64_t best = UINT64_MAX;

    for (unsigned from = 0; from + window <= fragment->size; from++) {
        uint64_t product = 1;

        for (unsigned at = 0; at < NEEDLE_WINDOW; at++)
            product *= at < window ? weight_at(needle, fragment, from + at) : 1 << WEIGHT_BITS;
        for (unsigned at = 1; at < window; at++)
            product *= is_word_inside(needle, fragment, from + at) ? WORD_FACTOR : 1;
        if (product < best) {
            best = product;
            *offset = (unsigned char)from;
        }
    }
    return best >> WEIGHT_BITS;
}

/* The same for all fragments together. */
static uint64_t choose_offsets(struct needle *needle, unsigned window)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < needle->any.count; i++)
        sum += choose_offset(needle, &needle->any.list[i], window, &needle->offset[i]);
    return sum;
}

/* The smallest that has few false alarms, since each byte of it costs. */
static void choose_window(struct needle *needle)
{
    unsigned most = NEEDLE_WINDOW;

    for (unsigned i = 0; i < needle->any.count; i++) {
        if (needle->any.list[i].size < most)
            most = needle->any.list[i].size;
    }
    needle->window = 1;
    while (choose_offsets(needle, needle->window) > NEEDLE_CERTAIN / BYTES_AN_ALARM &&
           needle->window < most)
        needle->window++;
}

static void add_to_bucket(struct needle *needle, unsigned at, const struct byte_set *set,
                          unsigned bucket)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        if (set_has(set, (unsigned char)byte)) {
            needle->low[at][byte & 15] |= (unsigned char)(1u << bucket);
            needle->high[at][byte >> 4] |= (unsigned char)(1u << bucket);
        }
    }
}

static void fill_buckets(struct needle *needle)
{
    memset(needle->low, 0, sizeof needle->low);
    memset(needle->high, 0, sizeof needle->high);
    for (unsigned i = 0; i < needle->any.count; i++) {
        const struct fragment *fragment = &needle->any.list[i];

        for (unsigned at = 0; at < needle->window; at++)
            add_to_bucket(needle, at, &needle->sets[fragment->set[needle->offset[i] + at]],
                          i % BUCKETS);
    }
    for (unsigned at = 0; at < needle->window; at++) {
        for (unsigned byte = 0; byte < 256; byte++)
            needle->buckets[at][byte] = needle->low[at][byte & 15] & needle->high[at][byte >> 4];
    }
}

void needle_prepare(struct needle *needle, bool plain)
{
    needle_search *quick = NULL;

    needle->window = 0;
    if (needle->any.count == 1 && choose_pair(needle)) {
        needle->search = needle_find_pair;
        quick = needle_quick_pair();
    } else {
        choose_window(needle);
        fill_buckets(needle);
        needle->search = needle_find_window;
        quick = needle_quick_window();
    }
    if (!plain && quick != NULL)
        needle->search = quick;
}

/* ---- looking, on any machine ---- */

static bool fits(const struct needle *needle, const struct fragment *fragment, const char *text)
{
    for (unsigned at = 0; at < fragment->size; at++) {
        if (!set_has(&needle->sets[fragment->set[at]], (unsigned char)text[at]))
            return false;
    }
    return true;
}

bool needle_check(const struct needle *needle, const char *text, size_t from, size_t end, size_t at,
                  unsigned buckets, size_t *start)
{
    for (unsigned i = 0; i < needle->any.count; i++) {
        const struct fragment *fragment = &needle->any.list[i];
        unsigned offset = needle->window == 0 ? 0 : needle->offset[i];

        if ((buckets >> i % BUCKETS & 1) == 0 || at - from < offset ||
            end - (at - offset) < fragment->size || !fits(needle, fragment, text + at - offset))
            continue;
        *start = at - offset;
        return true;
    }
    return false;
}

/* The first byte in [at, end) that is `value` but for the bits of `fold`; NULL: none is. */
static const char *find_byte(const char *at, const char *end, unsigned char value,
                             unsigned char fold)
{
    if (fold == 0)
        return at < end ? memchr(at, value, (size_t)(end - at)) : NULL;
    while (at < end && ((unsigned char)*at | fold) != value)
        at++;
    return at < end ? at : NULL;
}

bool needle_find_pair(const struct needle *needle, const char *text, size_t from, size_t end,
                      size_t *start)
{
    size_t size = needle->any.list[0].size, place = needle->place[0];
    const char *at, *last;

    if (end - from < size)
        return false;
    at = text + from + place;
    last = text + end - size + place + 1;
    while ((at = find_byte(at, last, needle->value[0], needle->fold[0])) != NULL) {
        if (needle_check(needle, text, from, end, (size_t)(at - text) - place, 1, start))
            return true;
        at++;
    }
    return false;
}

bool needle_find_window(const struct needle *needle, const char *text, size_t from, size_t end,
                        size_t *start)
{
    for (size_t at = from; end - at >= needle->window; at++) {
        unsigned buckets = needle->buckets[0][(unsigned char)text[at]];

        for (unsigned i = 1; buckets != 0 && i < needle->window; i++)
            buckets &= needle->buckets[i][(unsigned char)text[at + i]];
        if (buckets != 0 && needle_check(needle, text, from, end, at, buckets, start))
            return true;
    }
    return false;
}
