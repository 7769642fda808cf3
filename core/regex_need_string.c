/* SPDX-License-Identifier: MIT */
/* Short strings of sets of bytes, joined as the parts of a pattern are. */
#include "regex_need.h"

#include <string.h>

enum { REPEATS = 8 }; /* of an item that is written out */

/* ---- strings ---- */

/* The one empty string. */
static void set_empty(struct fragments *strings)
{
    strings->count = 1;
    strings->list[0].size = 0;
}

static bool join(struct fragment *out, const struct fragment *left, const struct fragment *right)
{
    if (left->size + right->size > FRAGMENT_BYTES)
        return false;
    *out = *left;
    memcpy(out->set + left->size, right->set, right->size);
    out->size = (unsigned char)(left->size + right->size);
    return true;
}

/* Each of `left` with each of `right` behind it. False, and nothing changes, where that is too much. */
static bool cross(struct fragments *left, const struct fragments *right)
{
    struct fragments product = {0};

    if (left->count * right->count > NEEDLE_FRAGMENTS)
        return false;
    for (unsigned i = 0; i < left->count; i++) {
        for (unsigned j = 0; j < right->count; j++) {
            if (!join(&product.list[product.count++], &left->list[i], &right->list[j]))
                return false;
        }
    }
    *left = product;
    return true;
}

static bool unite(struct fragments *left, const struct fragments *right)
{
    if (left->count + right->count > NEEDLE_FRAGMENTS)
        return false;
    memcpy(left->list + left->count, right->list, right->count * sizeof *right->list);
    left->count += right->count;
    return true;
}

/* ---- a sequence ---- */

void needs_start(struct needs *needs)
{
    memset(needs, 0, sizeof *needs);
    set_empty(&needs->strings);
    needs->finite = true;
}

static void take_need(struct reading *reading, struct needs *sequence, const struct fragments *need)
{
    uint64_t chance;

    for (unsigned i = 0; i < need->count; i++) {
        if (need->list[i].size == 0)
            return;
    }
    chance = needle_chance(reading->needle, need);
    if (need->count == 0 || (sequence->need.count > 0 && chance > sequence->chance))
        return;
    sequence->need = *need;
    sequence->chance = chance;
}

/* What comes next does not stand right behind what was read. */
static void cut(struct reading *reading, struct needs *sequence)
{
    take_need(reading, sequence, &sequence->strings);
    set_empty(&sequence->strings);
    sequence->finite = false;
}

static void add_strings(struct reading *reading, struct needs *sequence,
                        const struct fragments *strings)
{
    if (cross(&sequence->strings, strings))
        return;
    cut(reading, sequence);
    cross(&sequence->strings, strings);
}

static void add_repeats(struct reading *reading, struct needs *sequence,
                        const struct fragments *strings, unsigned count)
{
    for (unsigned i = 0; i < count && i < REPEATS; i++)
        add_strings(reading, sequence, strings);
}

void needs_add(struct reading *reading, struct needs *sequence, const struct needs *item,
               unsigned least, unsigned most)
{
    if (least == 0) {
        cut(reading, sequence);
        return;
    }
    take_need(reading, sequence, &item->need);
    if (!item->finite) {
        if (item->begins)
            add_strings(reading, sequence, &item->strings);
        cut(reading, sequence);
        return;
    }
    add_repeats(reading, sequence, &item->strings, least);
    if (least == most && least <= REPEATS)
        return;
    cut(reading, sequence);
    add_repeats(reading, sequence, &item->strings, least);
}

void needs_end(struct reading *reading, struct needs *sequence)
{
    if (sequence->finite)
        take_need(reading, sequence, &sequence->strings);
    else
        cut(reading, sequence);
}

/* `choice` or `other`. */
void needs_choose(struct needs *choice, const struct needs *other)
{
    choice->finite = choice->finite && other->finite && unite(&choice->strings, &other->strings);
    if (choice->need.count > 0 && other->need.count > 0 && unite(&choice->need, &other->need))
        choice->chance += other->chance;
    else
        choice->need.count = 0;
}
