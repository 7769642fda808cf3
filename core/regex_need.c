/* SPDX-License-Identifier: MIT */
/*
 * Reads a pattern for what a line must hold to match it: `foo(bar|baz)+\s` needs "foobar" or "foobaz".
 * It need not understand everything: what it does not know splits a string in two, and what it cannot
 * even step over ends the reading with nothing known. What it says is never more than what is so.
 */
#include "regex_need.h"

#include <string.h>

static void read_choice(struct reading *reading, struct needs *out);

enum {
    NESTED = 16,
    ENDLESS = 100000 /* more than PCRE2 counts to */
};

/* ---- quantifiers ---- */

static unsigned read_number(struct reading *reading)
{
    unsigned number = 0;

    for (; need_is_digit(need_peek(reading, 0)); reading->at++) {
        if (number < ENDLESS)
            number = number * 10 + (unsigned)(need_peek(reading, 0) - '0');
    }
    return number;
}

/* What stands in braces. One that PCRE2 may read in two ways, by its age, is not read at all. */
static void read_braces(struct reading *reading, unsigned *least, unsigned *most)
{
    size_t from = reading->at++;

    if (need_is_digit(need_peek(reading, 0))) {
        *least = *most = read_number(reading);
        if (need_peek(reading, 0) == ',') {
            reading->at++;
            *most = need_is_digit(need_peek(reading, 0)) ? read_number(reading) : ENDLESS;
        }
        if (need_peek(reading, 0) == '}') {
            reading->at++;
            return;
        }
    }
    if (need_is_one_of(need_peek(reading, 0), " ,\t"))
        reading->failed = true;
    *least = *most = 1;
    reading->at = from; /* a brace that stands for itself */
}

static void read_quantifier(struct reading *reading, unsigned *least, unsigned *most)
{
    size_t from = reading->at;

    *least = *most = 1;
    switch (need_peek(reading, 0)) {
    case '*':
        *least = 0;
        *most = ENDLESS;
        break;
    case '+': *most = ENDLESS; break;
    case '?': *least = 0; break;
    case '{': read_braces(reading, least, most); break;
    default: return;
    }
    if (reading->at == from && need_peek(reading, 0) != '{')
        reading->at++;
    if (reading->at > from && need_is_one_of(need_peek(reading, 0), "+?"))
        reading->at++;
}

/* ---- groups ---- */

/* A second quantifier, or one behind a comment: PCRE2 gives it to what stands before. */
static bool repeats_again(const struct reading *reading)
{
    char c = need_peek(reading, 0), next = need_peek(reading, 1);

    return need_is_one_of(c, "*+?") ||
           (c == '{' && (need_is_digit(next) || need_is_one_of(next, " ,\t")));
}

static bool skip(struct reading *reading, const char *text)
{
    size_t size = strlen(text);

    if (reading->size - reading->at < size || memcmp(reading->text + reading->at, text, size) != 0)
        return false;
    reading->at += size;
    return true;
}

/* Up to `last` and over it. */
static void skip_through(struct reading *reading, char last)
{
    const char *from = reading->text + reading->at;
    const char *end = memchr(from, last, reading->size - reading->at);

    if (end == NULL)
        reading->failed = true;
    else
        reading->at += (size_t)(end - from) + 1;
}

enum group { GROUP_PLAIN, GROUP_LOOKS, GROUP_NOTHING, GROUP_UNKNOWN };

/* `(?i)`, `(?s-m:`. What they change was seen before. */
static enum group read_settings(struct reading *reading)
{
    while (need_is_one_of(need_peek(reading, 0), "imsnJU^-"))
        reading->at++;
    if (skip(reading, ":"))
        return GROUP_PLAIN;
    return skip(reading, ")") ? GROUP_NOTHING : GROUP_UNKNOWN;
}

/* Reads what a group begins with. */
static enum group read_opening(struct reading *reading)
{
    if (skip(reading, "(?:") || skip(reading, "(?|") || skip(reading, "(?>"))
        return GROUP_PLAIN;
    if (skip(reading, "(?=") || skip(reading, "(?!") || skip(reading, "(?<=") ||
        skip(reading, "(?<!"))
        return GROUP_LOOKS;
    if (skip(reading, "(?#")) {
        skip_through(reading, ')');
        return GROUP_NOTHING;
    }
    if (skip(reading, "(?<") || skip(reading, "(?P<")) {
        skip_through(reading, '>');
        return GROUP_PLAIN;
    }
    if (skip(reading, "(*"))
        return GROUP_UNKNOWN;
    if (skip(reading, "(?"))
        return read_settings(reading);
    reading->at++;
    return GROUP_PLAIN;
}

static void read_group(struct reading *reading, struct needs *item)
{
    enum group kind = read_opening(reading);

    needs_start(item);
    if (kind == GROUP_UNKNOWN || reading->depth == NESTED ||
        (kind == GROUP_NOTHING && repeats_again(reading)))
        reading->failed = true;
    if (kind == GROUP_NOTHING || reading->failed)
        return;
    reading->depth++;
    read_choice(reading, item);
    reading->depth--;
    if (!skip(reading, ")"))
        reading->failed = true;
    if (kind == GROUP_LOOKS) {
        needs_start(item);
        reading->looks = true;
    }
}

/* ---- sequences and choices ---- */

/* True when what is at hand is the begin or the end of a quotation, which is then read. */
static bool read_quotation(struct reading *reading)
{
    if (reading->literal || !skip(reading, reading->quoting ? "\\E" : "\\Q"))
        return false;
    reading->quoting = !reading->quoting;
    return true;
}

static void read_sequence(struct reading *reading, struct needs *sequence)
{
    needs_start(sequence);
    while (reading->at < reading->size && !reading->failed) {
        struct needs item;
        unsigned least = 1, most = 1;
        bool plain = reading->literal || reading->quoting;
        char c = need_peek(reading, 0);

        if (read_quotation(reading))
            continue;
        if (!plain && (c == '|' || c == ')'))
            break;
        if (!plain && repeats_again(reading))
            reading->failed = true;
        else if (!plain && c == '(')
            read_group(reading, &item);
        else
            need_read_item(reading, &item);
        if (reading->failed)
            break;
        if (!reading->literal && (!reading->quoting || read_quotation(reading)))
            read_quantifier(reading, &least, &most);
        needs_add(reading, sequence, &item, least, most);
    }
    needs_end(reading, sequence);
}

static void read_choice(struct reading *reading, struct needs *out)
{
    read_sequence(reading, out);
    while (!reading->failed && !reading->literal && skip(reading, "|")) {
        struct needs other;

        read_sequence(reading, &other);
        needs_choose(out, &other);
    }
}

/* ---- all of it ---- */

/* Whether `letter` is among the settings of a group, for which what stands in a class or a quotation may
 * be taken too. */
static bool sets(const struct reading *reading, char letter)
{
    for (size_t i = 0; i + 2 < reading->size; i++) {
        size_t j = i + 2;

        if (reading->text[i] != '(' || reading->text[i + 1] != '?')
            continue;
        for (; j < reading->size && need_is_one_of(reading->text[j], "imsnxJUa^-"); j++) {
            if (reading->text[j] == letter)
                return true;
        }
    }
    return false;
}

bool regex_need(const struct regex *regex, struct needle *needle, bool *exact)
{
    struct reading reading = {.text = regex->pattern.data,
                              .size = regex->pattern.size,
                              .literal = regex->literal,
                              .with_case = !regex->ignore_case,
                              .without_case = regex->ignore_case,
                              .needle = needle};
    struct needs all;

    memset(needle, 0, sizeof *needle);
    if (reading.size == 0 || (!reading.literal && sets(&reading, 'x')))
        return false;
    if (!reading.literal && sets(&reading, 'i'))
        reading.with_case = reading.without_case = true;
    read_choice(&reading, &all);
    if (reading.failed || reading.at < reading.size || all.need.count == 0)
        return false;
    needle->any = all.need;
    *exact = all.finite && !reading.looks && all.strings.count == 1 &&
             !(reading.with_case && reading.without_case) &&
             memcmp(&all.strings.list[0], &all.need.list[0], sizeof *all.need.list) == 0;
    return true;
}
