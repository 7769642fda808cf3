/* SPDX-License-Identifier: MIT */
#include "wide.h"

#include <stdbool.h>
#include <string.h>

#include "json_plain.h"

/* ---- for any machine --------------------------------------------------------------------------- */

/* The one who asks goes byte by byte from here: in steps of eight where it is ASCII. */
static size_t portable_valid(const char *text, size_t size)
{
    (void)text;
    (void)size;
    return 0;
}

static bool is_copied(char c)
{
    return json_is_plain(c) ||
           ((unsigned char)c >= 0x80 && (unsigned char)c != WIDE_SEPARATOR_LEAD);
}

static size_t portable_copy(char *restrict out, const char *restrict text, size_t size)
{
    size_t at = 0;

    for (;;) {
        at += json_plain_run(text + at, size - at);
        if (at == size || !is_copied(text[at]))
            break;
        while (at < size && (unsigned char)text[at] >= 0x80 && is_copied(text[at]))
            at++;
    }
    if (at > 0)
        memcpy(out, text, at);
    return at;
}

const struct wide wide_portable = {portable_valid, portable_copy, NULL, SIZE_MAX};

#ifndef __x86_64__

const struct wide *wide_best(void)
{
    return &wide_portable;
}

#else

/* ---- with AVX2 --------------------------------------------------------------------------------- */

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

enum { LANES = 32, LEAST = 3 * LANES };

AVX2 static inline __m256i load(const char *text)
{
    __m256i block;

    memcpy(&block, text, sizeof block);
    return block;
}

AVX2 static inline __m256i all(int byte)
{
    return _mm256_set1_epi8((char)byte);
}

AVX2 static inline unsigned mask_of(__m256i block)
{
    return (unsigned)_mm256_movemask_epi8(block);
}

/* What two bytes beside each other may be, looked up by their halves; a bit that all three tables have is a
 * fault. After Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte". */
enum fault {
    TOO_SHORT = 1 << 0, /* no continuation where one is due */
    TOO_LONG = 1 << 1,  /* one where none is */
    OVERLONG_3 = 1 << 2,
    TOO_LARGE = 1 << 3,
    SURROGATE = 1 << 4,
    OVERLONG_2 = 1 << 5,
    TOO_LARGE_1000 = 1 << 6,
    OVERLONG_4 = 1 << 6,
    TWO_CONTS = 1 << 7, /* two continuations: right only behind a lead of three or four bytes */
    CARRY = TOO_SHORT | TOO_LONG | TWO_CONTS
};

#define LARGE (CARRY | TOO_LARGE | TOO_LARGE_1000)
#define CONT (TOO_LONG | OVERLONG_2 | TWO_CONTS)

static const unsigned char first_high[16] = {TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TOO_LONG,
                                             TWO_CONTS,
                                             TWO_CONTS,
                                             TWO_CONTS,
                                             TWO_CONTS,
                                             TOO_SHORT | OVERLONG_2,
                                             TOO_SHORT,
                                             TOO_SHORT | OVERLONG_3 | SURROGATE,
                                             TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4};

static const unsigned char first_low[16] = {CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
                                            CARRY | OVERLONG_2,
                                            CARRY,
                                            CARRY,
                                            CARRY | TOO_LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE,
                                            LARGE | SURROGATE,
                                            LARGE,
                                            LARGE};

static const unsigned char second_high[16] = {TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              CONT | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
                                              CONT | OVERLONG_3 | TOO_LARGE,
                                              CONT | SURROGATE | TOO_LARGE,
                                              CONT | SURROGATE | TOO_LARGE,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT,
                                              TOO_SHORT};

AVX2 static inline __m256i look_up(const unsigned char table[16], __m256i halves)
{
    __m128i half;

    memcpy(&half, table, sizeof half);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), halves);
}

AVX2 static inline __m256i high_half(__m256i block)
{
    return _mm256_and_si256(_mm256_srli_epi16(block, 4), all(0x0F));
}

/* Each byte of the result is the one `back` before it. */
#define SHIFTED(before, block, back)                                                               \
    _mm256_alignr_epi8(block, _mm256_permute2x128_si256(before, block, 0x21), 16 - (back))

/* Not zero where a character that ends in `block` is wrong; `before` is the block in front of it. */
AVX2 static inline __m256i faults(__m256i before, __m256i block)
{
    __m256i one = SHIFTED(before, block, 1), two = SHIFTED(before, block, 2);
    __m256i three = SHIFTED(before, block, 3);
    __m256i found =
        _mm256_and_si256(_mm256_and_si256(look_up(first_high, high_half(one)),
                                          look_up(first_low, _mm256_and_si256(one, all(0x0F)))),
                         look_up(second_high, high_half(block)));
    __m256i third = _mm256_subs_epu8(two, all(0xE0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(three, all(0xF0 - 0x80));

    return _mm256_xor_si256(_mm256_and_si256(_mm256_or_si256(third, fourth), all(0x80)), found);
}

/* Whether the characters that end in `block` are right. *wide has a bit for each byte of `before` that is not ASCII,
 * and of `block` then: without one in the last three bytes no character goes on behind them. */
AVX2 static inline bool is_right(__m256i before, __m256i block, unsigned *wide)
{
    bool goes_on = *wide >> (LANES - 3) != 0;
    __m256i wrong;

    *wide = mask_of(block);
    if (*wide == 0 && !goes_on)
        return true;
    wrong = faults(before, block);
    return _mm256_testz_si256(wrong, wrong) != 0;
}

/* Bytes of a character that began before `end` and is not over there. */
static size_t unfinished(const char *text, size_t end)
{
    for (size_t back = 1; back <= 3 && back <= end; back++) {
        unsigned char c = (unsigned char)text[end - back];

        if (c >= 0xC0)
            return (c >= 0xF0 ? 4U : c >= 0xE0 ? 3U : 2U) > back ? back : 0;
        if (c < 0x80)
            break;
    }
    return 0;
}

AVX2 static size_t avx2_valid(const char *text, size_t size)
{
    __m256i before = _mm256_setzero_si256();
    unsigned wide = 0;
    size_t at = 0;

    for (; size - at >= LANES; at += LANES) {
        __m256i block = load(text + at);

        if (!is_right(before, block, &wide))
            break;
        before = block;
    }
    return at - unfinished(text, at);
}

/* What a byte may be that is not copied by itself, looked up by its halves. */
enum special {
    CONTROL = 1 << 0,
    QUOTE = 1 << 1,
    BACKSLASH = 1 << 2,
    DELETE = 1 << 3,
    SEPARATOR_LEAD = 1 << 4
};

static const unsigned char special_high[16] = {
    [0x0] = CONTROL,   [0x1] = CONTROL, [0x2] = QUOTE,
    [0x5] = BACKSLASH, [0x7] = DELETE,  [0xE] = SEPARATOR_LEAD,
};

static const unsigned char special_low[16] = {
    CONTROL,
    CONTROL,
    CONTROL | QUOTE | SEPARATOR_LEAD,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL,
    CONTROL | BACKSLASH,
    CONTROL,
    CONTROL,
    CONTROL | DELETE,
};

/* A bit for each byte that may not be copied by itself. */
AVX2 static inline unsigned specials(__m256i block)
{
    __m256i found = _mm256_and_si256(look_up(special_high, high_half(block)),
                                     look_up(special_low, _mm256_and_si256(block, all(0x0F))));

    return ~mask_of(_mm256_cmpeq_epi8(found, _mm256_setzero_si256()));
}

AVX2 static size_t avx2_copy(char *restrict out, const char *restrict text, size_t size)
{
    size_t at = 0;

    for (; size - at >= LANES; at += LANES) {
        __m256i block = load(text + at);
        unsigned found = specials(block);

        memcpy(out + at, &block, sizeof block);
        if (found != 0)
            return at + (size_t)__builtin_ctz(found);
    }
    return at + portable_copy(out + at, text + at, size - at);
}

/* Puts escapes into a block that was copied to *out, and moves what is behind each; *out is behind it all then.
 * Returns how much of the block that is. Another block is read behind it. */
AVX2 static inline size_t escape_block(char *restrict *out, const char *restrict text,
                                       unsigned found)
{
    char *to = *out; /* where the block would begin if it had been as long from the start */
    size_t taken = LANES;

    for (; found != 0 && taken == LANES; found &= found - 1) {
        size_t at = (size_t)__builtin_ctz(found);
        char letter = json_short_escape(text[at]);
        __m256i behind = load(text + at + 1);

        if (letter != 0) {
            to[at] = '\\';
            to[at + 1] = letter;
            memcpy(to + at + 2, &behind, sizeof behind);
            to++;
        } else if ((unsigned char)text[at] != WIDE_SEPARATOR_LEAD || json_is_separator(text + at)) {
            taken = at;
        }
    }
    *out = to + taken;
    return taken;
}

/* Each block grows to two at most, and one is written over behind it. */
AVX2 static size_t avx2_quote(char *restrict out, size_t room, const char *restrict text,
                              size_t size, size_t *written)
{
    __m256i before = _mm256_setzero_si256();
    const char *end = out + room;
    char *to = out;
    unsigned wide = 0;
    size_t at = 0, taken = LANES, back;

    while (taken == LANES && size - at >= 2 * LANES && end - to >= LEAST) {
        __m256i block = load(text + at);

        if (!is_right(before, block, &wide))
            break;
        memcpy(to, &block, sizeof block);
        taken = escape_block(&to, text + at, specials(block));
        at += taken;
        before = block;
    }
    back = unfinished(text, at);
    *written = (size_t)(to - out) - back;
    return at - back;
}

static const struct wide wide_avx2 = {avx2_valid, avx2_copy, avx2_quote, LEAST};

const struct wide *wide_best(void)
{
    return __builtin_cpu_supports("avx2") ? &wide_avx2 : &wide_portable;
}

#endif
