/* SPDX-License-Identifier: MIT */
/*
 * What every line that matches holds, found without a regular expression: one of a few short strings of
 * sets of bytes. `[Gg]rey|amber` is two of them, `x[0-9]{3}` is one of four sets.
 */
#ifndef CROFT_NEEDLE_H
#define CROFT_NEEDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAGMENT_BYTES = 32,
    NEEDLE_FRAGMENTS = 16,
    NEEDLE_SETS = 64,
    NEEDLE_WINDOW = 3 /* bytes that are looked at together */
};

struct byte_set {
    uint64_t bits[4];
};

/* A string of sets: each byte is in its set. No set has LF in it. */
struct fragment {
    unsigned char size;
    unsigned char set[FRAGMENT_BYTES]; /* as indices into needle.sets */
};

struct fragments {
    unsigned count; /* 0: nothing is known */
    struct fragment list[NEEDLE_FRAGMENTS];
};

struct needle;

/* Looks in [from, end) of `text` for the first place that fits: at or behind `from` begins *start. */
typedef bool needle_search(const struct needle *needle, const char *text, size_t from, size_t end,
                           size_t *start);

struct needle {
    struct byte_set sets[NEEDLE_SETS];
    unsigned set_count;
    struct fragments any; /* one of them is there; none has size 0 */

    /* How they are looked for; needle_prepare fills it in. */
    needle_search *search;
    /* One fragment that has two bytes which are known but for a bit: (byte | fold) == value. */
    unsigned char place[2], value[2], fold[2];
    /* Otherwise a window in each fragment: byte `at` of the window of a fragment of bucket b has
     * bit b in low[at][byte & 15] and in high[at][byte >> 4]. A filter: needle_check says more. */
    unsigned char window, offset[NEEDLE_FRAGMENTS];
    unsigned char low[NEEDLE_WINDOW][16], high[NEEDLE_WINDOW][16];
    unsigned char buckets[NEEDLE_WINDOW][256]; /* both for each byte */
};

static inline bool set_has(const struct byte_set *set, unsigned char byte)
{
    return (set->bits[byte / 64] >> byte % 64 & 1) != 0;
}

static inline void set_add(struct byte_set *set, unsigned char byte)
{
    set->bits[byte / 64] |= UINT64_C(1) << byte % 64;
}

/* The number of `set` in needle->sets, which may be new there; -1: there is no room. */
int needle_set(struct needle *needle, const struct byte_set *set);

/* How often one of `fragments` is met by chance in text of programs and people, as a part of
 * NEEDLE_CERTAIN for each byte. */
enum { NEEDLE_CERTAIN = 1 << 28 };
uint64_t needle_chance(const struct needle *needle, const struct fragments *fragments);

/* Chooses how `needle->any` is looked for. `plain`: with nothing that only some machines can do. */
void needle_prepare(struct needle *needle, bool plain);

/* Whether a fragment fits whose window (or, with one pair of bytes, which itself) is at `at`; `buckets`
 * is what the filter left. */
bool needle_check(const struct needle *needle, const char *text, size_t from, size_t end, size_t at,
                  unsigned buckets, size_t *start);

/* The same for any machine, and for one with AVX2 (NULL where the compiler knows none). */
needle_search needle_find_pair, needle_find_window;
needle_search *needle_quick_pair(void);
needle_search *needle_quick_window(void);

static inline bool needle_find(const struct needle *needle, const char *text, size_t from,
                               size_t end, size_t *start)
{
    return needle->search(needle, text, from, end, start);
}

#endif
