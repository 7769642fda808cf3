/* SPDX-License-Identifier: MIT */
#include "occurrences.h"

#include <stdlib.h>

#include "check.h"

enum { MOST = 48 };

struct texts {
    char text[MOST], needle[MOST];
    size_t text_size, size;
};

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

/* Of few letters, and some of them a short piece over and over, with one letter changed at times. */
static size_t fill(char *text, size_t most, unsigned letters, unsigned *state)
{
    size_t size = 1 + next_random(state) % most, piece = 1 + next_random(state) % size;

    for (size_t i = 0; i < piece; i++)
        text[i] = (char)('a' + next_random(state) % letters);
    for (size_t i = piece; i < size; i++)
        text[i] = text[i - piece];
    if (next_random(state) % 2 == 0)
        text[next_random(state) % size] = 'a';
    return size;
}

/* The same places, found by trying each byte. */
static bool places_are_right(const struct texts *texts, bool overlap)
{
    struct occurrences all;
    size_t at = 0;

    occurrences_init(&all, texts->text, texts->text_size, texts->needle, texts->size, overlap);
    while (at + texts->size <= texts->text_size) {
        if (memcmp(texts->text + at, texts->needle, texts->size) != 0) {
            at++;
            continue;
        }
        if (occurrences_next(&all) != texts->text + at)
            return false;
        at += overlap ? 1 : texts->size;
    }
    return occurrences_next(&all) == NULL;
}

static void finds_what_trying_each_byte_finds(void)
{
    enum { ROUNDS = 300000 };
    unsigned state = 1;
    bool right = true;
    struct texts texts;

    for (int round = 0; round < ROUNDS && right; round++) {
        unsigned letters = 1 + (unsigned)round % 3;

        texts.text_size = fill(texts.text, MOST, letters, &state);
        texts.size = fill(texts.needle, round % 2 == 0 ? 6 : 24, letters, &state);
        right = places_are_right(&texts, true) && places_are_right(&texts, false);
    }
    CHECK(right);
    if (!right)
        fprintf(stderr, "    %.*s in %.*s\n", (int)texts.size, texts.needle, (int)texts.text_size,
                texts.text);
}

/* All bytes looked at, and how many places there are. */
static size_t work(const char *text, size_t text_size, size_t size, size_t *count)
{
    struct occurrences all;
    size_t looked = 0;

    *count = 0;
    occurrences_init(&all, text, text_size, text, size, true);
    while (occurrences_next(&all) != NULL) {
        looked += all.looked;
        ++*count;
    }
    return looked + all.looked;
}

static void looks_at_each_byte_a_few_times(void)
{
    enum { SIZE = 200000 };
    char *text = malloc(SIZE);
    size_t count;

    memset(text, 'a', SIZE);
    CHECK(work(text, SIZE, SIZE / 2, &count) <= 4 * SIZE && count == SIZE / 2 + 1);
    CHECK(work(text, SIZE, 2, &count) <= 4 * SIZE && count == SIZE - 1);
    for (size_t i = 0; i < SIZE; i += 3)
        text[i] = 'b';
    CHECK(work(text, SIZE, SIZE / 2, &count) <= 4 * SIZE && count == SIZE / 6 + 1);
    for (size_t i = 0; i < SIZE; i++) /* no short period: baa...abaa...ab */
        text[i] = i % 1001 == 0 ? 'b' : 'a';
    CHECK(work(text, SIZE, 1002, &count) <= 4 * SIZE && count == (SIZE - 1002) / 1001 + 1);
    CHECK(work(text, SIZE, 1500, &count) <= 4 * SIZE && count == (SIZE - 1500) / 1001 + 1);
    free(text);
}

int main(void)
{
    finds_what_trying_each_byte_finds();
    looks_at_each_byte_a_few_times();
    return check_report("occurrences");
}
