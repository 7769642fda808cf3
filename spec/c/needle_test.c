/* SPDX-License-Identifier: MIT */
/* What a line must hold: that it is found, and that what is said of a pattern is so. */
#include "needle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "regex_parts.h"

static uint32_t random_state = 4711;

static unsigned any(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* ---- finding ---- */

static bool fits_at(const struct needle *needle, const struct fragment *fragment, const char *text)
{
    for (unsigned i = 0; i < fragment->size; i++) {
        if (!set_has(&needle->sets[fragment->set[i]], (unsigned char)text[i]))
            return false;
    }
    return true;
}

/* The slow and obvious way: the first place in [from, end) that `fragment` fits. */
static bool slow_fragment(const struct needle *needle, const struct fragment *fragment,
                          const char *text, size_t from, size_t end, size_t *start)
{
    for (size_t at = from; at + fragment->size <= end; at++) {
        if (fits_at(needle, fragment, text + at)) {
            *start = at;
            return true;
        }
    }
    return false;
}

static bool slow_find(const struct needle *needle, const char *text, size_t from, size_t end)
{
    size_t start;

    for (unsigned i = 0; i < needle->any.count; i++) {
        if (slow_fragment(needle, &needle->any.list[i], text, from, end, &start))
            return true;
    }
    return false;
}

static void random_set(struct byte_set *set, unsigned kind)
{
    unsigned char byte = (unsigned char)("abcABC09_\xC3"[any(10)]);

    memset(set, 0, sizeof *set);
    set_add(set, byte);
    if (kind == 1)
        set_add(set, byte ^ 0x20);
    for (unsigned i = 0; kind == 2 && i < 5; i++)
        set_add(set, (unsigned char)(byte + any(30)));
    set->bits[0] &= ~(UINT64_C(1) << '\n');
}

static void random_needle(struct needle *needle)
{
    memset(needle, 0, sizeof *needle);
    needle->any.count = any(2) == 0 ? 1 : 1 + any(NEEDLE_FRAGMENTS);
    for (unsigned i = 0; i < needle->any.count; i++) {
        struct fragment *fragment = &needle->any.list[i];
        unsigned size = 1 + any(any(4) == 0 ? FRAGMENT_BYTES : 5), kind = any(3);

        while (fragment->size < size) {
            struct byte_set set;
            int number;

            random_set(&set, kind);
            number = needle_set(needle, &set);
            CHECK(number >= 0 || needle->set_count == NEEDLE_SETS);
            fragment->set[fragment->size++] = (unsigned char)(number < 0 ? 0 : number);
        }
    }
}

/* Mostly what fits nowhere, with a byte of each set of some fragment at one place. */
static void random_text(const struct needle *needle, char *text, size_t size)
{
    const struct fragment *fragment = &needle->any.list[any(needle->any.count)];

    for (size_t i = 0; i < size; i++)
        text[i] = any(6) == 0 ? "abcABC09_\xC3\n"[any(11)] : '~';
    if (any(2) == 0 || size < fragment->size)
        return;
    for (size_t i = 0, at = any((unsigned)(size - fragment->size + 1)); i < fragment->size; i++) {
        unsigned byte = any(256);

        while (!set_has(&needle->sets[fragment->set[i]], (unsigned char)byte))
            byte = (byte + 1) % 256;
        text[at + i] = (char)byte;
    }
}

static void agree(const struct needle *needle, const char *text, size_t from, size_t end)
{
    size_t start = SIZE_MAX, first;
    bool slow = slow_find(needle, text, from, end);
    bool found = needle_find(needle, text, from, end, &start);

    CHECK(found == slow);
    if (!found || !slow)
        return;
    CHECK(start >= from && start < end);
    if (needle->any.count == 1)
        CHECK(slow_fragment(needle, &needle->any.list[0], text, from, end, &first) &&
              start == first);
}

/* The texts end where their memory does, so that a sanitizer sees a byte too many. */
static void finds_what_the_slow_way_finds(bool plain)
{
    for (unsigned i = 0; i < 4000; i++) {
        struct needle needle;

        random_needle(&needle);
        needle_prepare(&needle, plain);
        for (unsigned k = 0; k < 6; k++) {
            size_t size = any(k == 0 ? 8 : 220);
            char *text = malloc(size + 1);

            random_text(&needle, text, size);
            agree(&needle, text, 0, size);
            agree(&needle, text, any((unsigned)size + 1), size);
            free(text);
        }
    }
}

/* Two fragments in one line, one from a place that is shared by the windows of many. */
static void finds_the_line_of_the_first(bool plain)
{
    static const char text[] = "xx\nab needle one\ncd two needle\n";
    struct regex_fault fault;
    struct regex *regex = NULL;
    size_t start = 0;

    CHECK(regex_new("needle|two", 10, plain ? REGEX_NO_SIMD : 0, &regex, &fault, NULL) == CROFT_OK);
    CHECK(needle_find(&regex->needle, text, 0, sizeof text - 1, &start) && start == 6);
    CHECK(needle_find(&regex->needle, text, 17, sizeof text - 1, &start) && start == 20);
    CHECK(!needle_find(&regex->needle, text, 0, 3, &start));
    regex_free(regex);
}

/* ---- what is said of a pattern ---- */

static void show_set(const struct byte_set *set, char *out)
{
    unsigned count = 0;

    for (unsigned byte = 0; byte < 256; byte++)
        count += set_has(set, (unsigned char)byte);
    if (count > 4) {
        strcat(out, "#");
        return;
    }
    strcat(out, count == 1 ? "" : "[");
    for (unsigned byte = 0; byte < 256; byte++) {
        char text[2] = {(char)byte, '\0'};

        if (set_has(set, (unsigned char)byte))
            strcat(out, text);
    }
    strcat(out, count == 1 ? "" : "]");
}

/* "foo|b[aA]r", a set of more than four as "#", with "!" in front when it is the whole match; "-" for
 * nothing. */
static const char *need_of(const char *pattern, unsigned flags)
{
    static char out[8192];
    static struct regex_fault fault;
    struct regex *regex = NULL;
    struct needle needle;
    bool exact = false;

    if (regex_new(pattern, strlen(pattern), flags, &regex, &fault, NULL) != CROFT_OK)
        return fault.reason;
    strcpy(out, "-");
    if (regex != NULL && regex_need(regex, &needle, &exact)) {
        strcpy(out, exact ? "!" : "");
        for (unsigned i = 0; i < needle.any.count; i++) {
            strcat(out, i > 0 ? "|" : "");
            for (unsigned k = 0; k < needle.any.list[i].size; k++)
                show_set(&needle.sets[needle.any.list[i].set[k]], out);
        }
    }
    regex_free(regex);
    return out;
}

static void tells_what_a_line_must_hold(void)
{
    CHECK_TEXT(need_of("needle", 0), "!needle");
    CHECK_TEXT(need_of("a.b(", REGEX_LITERAL), "!a.b(");
    CHECK_TEXT(need_of("needle\\b", 0), "needle");
    CHECK_TEXT(need_of("^#define\\s+EPOLL", 0), "#EPOLL");
    CHECK_TEXT(need_of("FALLOC_FL_[A-Z]+_RANGE\\b", 0), "FALLOC_FL_#");
    CHECK_TEXT(need_of("foo(bar|baz)qux", 0), "foobarqux|foobazqux");
    CHECK_TEXT(need_of("foo(ba(r|z))+", 0), "foobar|foobaz");
    CHECK_TEXT(need_of("ab+cde", 0), "bcde");
    CHECK_TEXT(need_of("xyz?w", 0), "xy");
    CHECK_TEXT(need_of("one|two|three", 0), "one|two|three");
    CHECK_TEXT(need_of("one|t.?|three", 0), "one|t|three");
    CHECK_TEXT(need_of("one|.|three", 0), "-");
    CHECK_TEXT(need_of("one|", 0), "-");
    CHECK_TEXT(need_of("(one)?(two)*", 0), "-");
    CHECK_TEXT(need_of("Tail", REGEX_IGNORE_CASE), "![Tt][Aa][Ii][Ll]");
    CHECK_TEXT(need_of("(?i)xtail", 0), "[Xx][Tt][Aa][Ii][Ll]");
    CHECK_TEXT(need_of("task_struct", REGEX_IGNORE_CASE), "[Tt][Rr][Uu][Cc][Tt]");
    CHECK_TEXT(need_of("[Tt]odo", 0), "![Tt]odo");
    CHECK_TEXT(need_of("x[0-9]{3}y", 0), "!x###y");
    CHECK_TEXT(need_of("x\\d{2,}y", 0), "x##");
    CHECK_TEXT(need_of("x[^a]yz", 0), "yz");
    CHECK_TEXT(need_of("\\Qa.b\\E+c", 0), "a.b");
    CHECK_TEXT(need_of("\xC3\xA4x", 0), "!\xC3\xA4x");
    CHECK_TEXT(need_of("\xC3\xA4x", REGEX_IGNORE_CASE), "[Xx]");
    CHECK_TEXT(need_of("(?<=foo)bar", 0), "bar");
    CHECK_TEXT(need_of("bar(?!foo)", 0), "bar");
    CHECK_TEXT(need_of("(?:ab){3}", 0), "!ababab");
    CHECK_TEXT(need_of("a\\x41b", 0), "-");
    CHECK_TEXT(need_of("(?x) a b", 0), "-");
    CHECK_TEXT(need_of("(a)\\1", 0), "a");
    CHECK_TEXT(need_of("xy(?#c)*", 0), "-");
    CHECK_TEXT(need_of("(xy){0}a(?1)", 0), "-");
    CHECK_TEXT(need_of("(?=xy)", 0), "-");
    CHECK_TEXT(need_of("x\\Ky", 0), "xy");
}

static void random_pattern(char *out)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "k",
                                         "S",
                                         "foo",
                                         "ba",
                                         "[ab]",
                                         "[^a]",
                                         "[a-c]",
                                         "[kx]",
                                         "\\d",
                                         "\\w",
                                         "\\W",
                                         "\\s",
                                         ".",
                                         "(a|b)",
                                         "(foo|ba)",
                                         "(?:a|)",
                                         "(a|b.|c)",
                                         "|",
                                         "?",
                                         "*",
                                         "+",
                                         "{2}",
                                         "{0,1}",
                                         "{2,3}",
                                         "??",
                                         "+?",
                                         "++",
                                         "^",
                                         "$",
                                         "\\b",
                                         "(?i)",
                                         "(?-i)",
                                         "(?i:k)",
                                         "(?s)",
                                         "\\Qa|b\\E",
                                         "\\Qk\\E",
                                         "\xC3\xA4",
                                         "\xC5\xBF",
                                         "(?=a)",
                                         "(?!b)",
                                         "(?<=a)",
                                         "(?<!k)",
                                         "(b)\\1",
                                         "\\p{L}",
                                         "\\p{Lu}",
                                         "\\P{L}",
                                         "[[:alpha:]]",
                                         "[[:^alpha:]]",
                                         "[^[:alpha:]k]",
                                         "[\\w-]",
                                         "[]a]",
                                         "[^]a]",
                                         "(?>a|ab)",
                                         "(?|(a)|(b))",
                                         "(?<n>a)",
                                         "(?#c)",
                                         "\\.",
                                         "\\-",
                                         "\\x61",
                                         "\\141",
                                         "\\t",
                                         "\\R",
                                         "\\X",
                                         "\\N",
                                         "{",
                                         "}",
                                         "{,2}",
                                         "(?(?=a)a|b)",
                                         "\\K",
                                         "(a(?1)?b)",
                                         "\\h",
                                         "[\\x61]",
                                         "[\\Qa]\\E]",
                                         "[k-s]",
                                         "[\xC3\xA4x]",
                                         "(?P<m>k)",
                                         "-",
                                         "\\E"};
    unsigned count = 1 + any(6);

    out[0] = '\0';
    for (unsigned i = 0; i < count; i++)
        strcat(out, pieces[any(sizeof pieces / sizeof pieces[0])]);
}

static size_t random_line(char *out)
{
    static const char *const pieces[] = {"a",        "b",
                                         "k",        "s",
                                         "foo",      "ba",
                                         "A",        "K",
                                         "S",        "FOO",
                                         "c",        "x",
                                         "1",        "_",
                                         " ",        "\t",
                                         "-",        ".",
                                         "\xC3\xA4", "\xC3\x84",
                                         "\xC5\xBF", "\xE2\x84\xAA",
                                         "\xFF",     "\xC3",
                                         "|",        "{",
                                         "2",        "}",
                                         "]",        "aa",
                                         "bb",       "abab"};
    size_t size = 0, count = any(9);

    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[any(sizeof pieces / sizeof pieces[0])];

        memcpy(out + size, piece, strlen(piece));
        size += strlen(piece);
    }
    return size;
}

static void check_line(const char *pattern, const struct needle *needle, bool exact,
                       struct matcher *matcher, struct budget *budget)
{
    char line[128];
    size_t size = random_line(line), from, to, start = 0;
    bool matches = matcher_find(matcher, line, size, 0, budget, &from, &to) == REGEX_MATCH;
    bool holds = slow_find(needle, line, 0, size);
    bool right = holds || !matches;

    if (exact && right)
        right = matches == holds &&
                (!holds || (slow_fragment(needle, &needle->any.list[0], line, 0, size, &start) &&
                            from == start && to == start + needle->any.list[0].size));
    CHECK(right);
    if (!right)
        fprintf(stderr, "    /%s/ matches %d, holds %d: %.*s\n", pattern, matches, holds, (int)size,
                line);
}

static unsigned check_pattern(unsigned flags, struct budget *budget)
{
    char pattern[256];
    struct regex *regex = NULL;
    struct regex_fault fault;
    struct needle needle;
    struct matcher *matcher;
    bool exact = false, known = false;

    random_pattern(pattern);
    if (regex_new(pattern, strlen(pattern), flags, &regex, &fault, NULL) != CROFT_OK)
        return 0;
    matcher = matcher_new(regex);
    known = regex_need(regex, &needle, &exact);
    for (unsigned k = 0; known && k < 40; k++)
        check_line(pattern, &needle, exact, matcher, budget);
    matcher_free(matcher);
    regex_free(regex);
    return known;
}

static void says_nothing_that_is_not_so(unsigned flags)
{
    struct budget budget;
    unsigned known = 0;

    budget_start(&budget, UINT64_MAX / 4, 600000, NULL);
    for (unsigned i = 0; i < 6000; i++)
        known += check_pattern(flags, &budget);
    CHECK(known > 1000);
}

int main(void)
{
    finds_what_the_slow_way_finds(false);
    finds_what_the_slow_way_finds(true);
    finds_the_line_of_the_first(false);
    finds_the_line_of_the_first(true);
    tells_what_a_line_must_hold();
    says_nothing_that_is_not_so(0);
    says_nothing_that_is_not_so(REGEX_IGNORE_CASE);
    says_nothing_that_is_not_so(REGEX_LITERAL);
    says_nothing_that_is_not_so(REGEX_LITERAL | REGEX_IGNORE_CASE);
    return check_report("needle");
}
