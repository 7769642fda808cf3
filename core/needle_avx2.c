/* SPDX-License-Identifier: MIT */
/*
 * needle_find_pair and needle_find_window, 32 places at a time. Chosen when the program runs, where the
 * processor has AVX2; needle.c does the same everywhere.
 */
#include "needle.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define WITH_AVX2 __attribute__((target("avx2")))
#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { LANES = 32 };

/* What the places from `at` on are compared with. */
struct pair {
    __m256i value[2], fold[2];
    bool folds;
};

WITH_AVX2 static inline __m256i load(const char *text)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)text);
}

WITH_AVX2 static inline __m256i fits_byte(const struct pair *pair, unsigned i, const char *text)
{
    __m256i bytes = load(text);

    if (pair->folds)
        bytes = _mm256_or_si256(bytes, pair->fold[i]);
    return _mm256_cmpeq_epi8(bytes, pair->value[i]);
}

/* -1 for each of the 32 fragments from `text` on of which both bytes fit. */
WITH_AVX2 static inline __m256i fits_pair(const struct needle *needle, const struct pair *pair,
                                          const char *text)
{
    return _mm256_and_si256(fits_byte(pair, 0, text + needle->place[0]),
                            fits_byte(pair, 1, text + needle->place[1]));
}

static bool check_pairs(const struct needle *needle, const char *text, size_t from, size_t end,
                        size_t at, unsigned mask, size_t *start)
{
    for (; mask != 0; mask &= mask - 1) {
        if (needle_check(needle, text, from, end, at + (unsigned)__builtin_ctz(mask), 1, start))
            return true;
    }
    return false;
}

/* The blocks of 32 places from *at on, as long as all that is looked at lies before `end`. */
WITH_AVX2 static inline bool find_pairs(const struct needle *needle, const struct pair *pair,
                                        const char *text, size_t from, size_t end, size_t span,
                                        size_t *at, size_t *start)
{
    for (; end - *at >= 2 * LANES + span; *at += 2 * LANES) {
        __m256i low = fits_pair(needle, pair, text + *at);
        __m256i high = fits_pair(needle, pair, text + *at + LANES);

        if (_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_set1_epi8(-1)))
            continue;
        if (check_pairs(needle, text, from, end, *at, (unsigned)_mm256_movemask_epi8(low), start) ||
            check_pairs(needle, text, from, end, *at + LANES, (unsigned)_mm256_movemask_epi8(high),
                        start))
            return true;
    }
    for (; end - *at >= LANES + span; *at += LANES) {
        unsigned mask = (unsigned)_mm256_movemask_epi8(fits_pair(needle, pair, text + *at));

        if (mask != 0 && check_pairs(needle, text, from, end, *at, mask, start))
            return true;
    }
    return false;
}

WITH_AVX2 static bool quick_pair(const struct needle *needle, const char *text, size_t from,
                                 size_t end, size_t *start)
{
    size_t at = from;
    size_t span = needle->place[0] > needle->place[1] ? needle->place[0] : needle->place[1];
    const struct pair pair = {
        .value = {_mm256_set1_epi8((char)needle->value[0]),
                  _mm256_set1_epi8((char)needle->value[1])},
        .fold = {_mm256_set1_epi8((char)needle->fold[0]), _mm256_set1_epi8((char)needle->fold[1])},
        .folds = (needle->fold[0] | needle->fold[1]) != 0};

    if (find_pairs(needle, &pair, text, from, end, span, &at, start))
        return true;
    if (end - at <= span)
        return false;
    if (end - from < LANES + span)
        return needle_find_pair(needle, text, at, end, start);
    at = end - LANES - span; /* some places again */
    return check_pairs(needle, text, from, end, at,
                       (unsigned)_mm256_movemask_epi8(fits_pair(needle, &pair, text + at)), start);
}

/* ---- windows ---- */

struct tables {
    __m256i low[NEEDLE_WINDOW], high[NEEDLE_WINDOW];
};

WITH_AVX2 static inline __m256i twice(const unsigned char *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* The buckets of each of the 32 bytes from `text` on. */
WITH_AVX2 static inline __m256i buckets_of(const struct tables *tables, unsigned i,
                                           const char *text)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i bytes = load(text);
    __m256i low = _mm256_shuffle_epi8(tables->low[i], _mm256_and_si256(bytes, nibble));
    __m256i high =
        _mm256_shuffle_epi8(tables->high[i], _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));

    return _mm256_and_si256(low, high);
}

/* Of the 32 windows from `text` on. */
WITH_AVX2 static inline __m256i buckets_at(const struct tables *tables, unsigned window,
                                           const char *text)
{
    __m256i found = buckets_of(tables, 0, text);

    if (window > 1)
        found = _mm256_and_si256(found, buckets_of(tables, 1, text + 1));
    if (window > 2)
        found = _mm256_and_si256(found, buckets_of(tables, 2, text + 2));
    return found;
}

WITH_AVX2 static bool check_windows(const struct needle *needle, const char *text, size_t from,
                                    size_t end, size_t at, __m256i found, size_t *start)
{
    unsigned char buckets[LANES];
    unsigned mask =
        ~(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()));

    _mm256_storeu_si256((__m256i *)(void *)buckets, found);
    for (; mask != 0; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);

        if (needle_check(needle, text, from, end, at + lane, buckets[lane], start))
            return true;
    }
    return false;
}

WITH_AVX2 static ALWAYS_INLINE bool find_windows(const struct needle *needle, const char *text,
                                                 size_t from, size_t end, unsigned window,
                                                 size_t *start)
{
    struct tables tables;
    size_t at = from, span = window - 1u;

    for (unsigned i = 0; i < window; i++) {
        tables.low[i] = twice(needle->low[i]);
        tables.high[i] = twice(needle->high[i]);
    }
    for (; end - at >= 2 * LANES + span; at += 2 * LANES) {
        __m256i low = buckets_at(&tables, window, text + at);
        __m256i high = buckets_at(&tables, window, text + at + LANES);
        __m256i both = _mm256_or_si256(low, high);

        if (!_mm256_testz_si256(both, both) &&
            (check_windows(needle, text, from, end, at, low, start) ||
             check_windows(needle, text, from, end, at + LANES, high, start)))
            return true;
    }
    for (; end - at >= LANES + span; at += LANES) {
        __m256i found = buckets_at(&tables, window, text + at);

        if (!_mm256_testz_si256(found, found) &&
            check_windows(needle, text, from, end, at, found, start))
            return true;
    }
    if (end - at <= span)
        return false;
    if (end - from < LANES + span)
        return needle_find_window(needle, text, from, end, start);
    at = end - LANES - span;
    return check_windows(needle, text, from, end, at, buckets_at(&tables, window, text + at),
                         start);
}

WITH_AVX2 static bool quick_window(const struct needle *needle, const char *text, size_t from,
                                   size_t end, size_t *start)
{
    switch (needle->window) {
    case 1: return find_windows(needle, text, from, end, 1, start);
    case 2: return find_windows(needle, text, from, end, 2, start);
    default: return find_windows(needle, text, from, end, 3, start);
    }
}

needle_search *needle_quick_pair(void)
{
    return __builtin_cpu_supports("avx2") ? quick_pair : NULL;
}

needle_search *needle_quick_window(void)
{
    return __builtin_cpu_supports("avx2") ? quick_window : NULL;
}

#else

needle_search *needle_quick_pair(void)
{
    return NULL;
}

needle_search *needle_quick_window(void)
{
    return NULL;
}

#endif
