/* SPDX-License-Identifier: MIT */
#include "pattern.h"

#include <stdlib.h>

#include "check.h"

enum { PLENTY = 1000000, MINUTE = 60000 };

static struct budget budget;

/* What became of looking for `text` in `subject`: "none", "fault: ...", "stopped", or where it is and its
 * captures: "1-3 ab @2". */
static const char *found(const char *text, size_t text_size, const char *subject, size_t size)
{
    static char said[512];
    struct pattern pattern;
    const char *start, *end;
    size_t used;

    budget_start(&budget, PLENTY, MINUTE, NULL);
    pattern_init(&pattern, text, text_size, subject, size, &budget);
    switch (pattern_find(&pattern, subject, &start, &end)) {
    case PATTERN_NONE: return "none";
    case PATTERN_STOPPED: return "stopped";
    case PATTERN_FAULT: snprintf(said, sizeof said, "fault: %s", pattern.fault); return said;
    case PATTERN_MATCH: break;
    }
    used = (size_t)snprintf(said, sizeof said, "%td-%td", start - subject, end - subject);
    for (unsigned i = 0; i < pattern.count; i++) {
        const struct pattern_capture *capture = &pattern.captures[i];

        if ((pattern.open >> i & 1) != 0)
            used += (size_t)snprintf(said + used, sizeof said - used, " open");
        else if (capture->size == PATTERN_POSITION)
            used += (size_t)snprintf(said + used, sizeof said - used, " @%td",
                                     capture->start - subject);
        else
            used += (size_t)snprintf(said + used, sizeof said - used, " %.*s", (int)capture->size,
                                     capture->start);
    }
    return said;
}

static const char *find(const char *text, const char *subject)
{
    return found(text, strlen(text), subject, strlen(subject));
}

static void finds_what_is_there(void)
{
    CHECK_TEXT(find("", ""), "0-0");
    CHECK_TEXT(find("", "abc"), "0-0");
    CHECK_TEXT(find("b", "abc"), "1-2");
    CHECK_TEXT(find("x", "abc"), "none");
    CHECK_TEXT(find("a.c", "xabc"), "1-4");
    CHECK_TEXT(find("%d+", "abc123"), "3-6");
    CHECK_TEXT(find("[a-c]+$", "xxabc"), "2-5");
    CHECK_TEXT(find("%s*$", "ab  "), "2-4");
}

static void takes_as_many_or_as_few(void)
{
    CHECK_TEXT(find("<.*>", "<a><b>"), "0-6");
    CHECK_TEXT(find("<.->", "<a><b>"), "0-3");
    CHECK_TEXT(find("a?b", "aab"), "1-3");
    CHECK_TEXT(find("a+b", "b"), "none");
    CHECK_TEXT(find("a*a*a*b", "aaab"), "0-4");
    CHECK_TEXT(find("(a*)(a?)(a+)", "aaaa"), "0-4 aaa  a");
    CHECK_TEXT(find("(a-)(a*)$", "aaaa"), "0-4  aaaa");
}

static void remembers_captures_when_it_goes_back(void)
{
    CHECK_TEXT(find("(a*)()b", "aaab"), "0-4 aaa @3");
    CHECK_TEXT(find("(.-)=(.*)", "key=value=x"), "0-11 key value=x");
    CHECK_TEXT(find("((a)(b))", "ab"), "0-2 ab a b");
    CHECK_TEXT(find("(.*)(.*)%1", "abab"), "0-4 ab ");
    CHECK_TEXT(find("(.)(.)%2%1", "xabba"), "1-5 a b");
    CHECK_TEXT(find("a(b?", "ab"), "0-2 open");
}

static void balances_and_finds_borders(void)
{
    CHECK_TEXT(find("%b()", "f(a(b)c)d)"), "1-8");
    CHECK_TEXT(find("%b()", "((("), "none");
    CHECK_TEXT(find("%bxx", "axbxc"), "1-4");
    CHECK_TEXT(find("%f[%w]%w+%f[%W]", "  word  "), "2-6");
    CHECK_TEXT(find("%f[%z]", "ab"), "2-2");
}

static void takes_every_byte(void)
{
    char all[256], set[] = {'[', '\x80', '-', '\xFF', ']', '+'};
    const char nul[] = {'a', '\0', 'b'};

    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    CHECK_TEXT(found(set, sizeof set, all, sizeof all), "128-256");
    CHECK_TEXT(found("%a+", 3, all, sizeof all), "65-91");
    CHECK_TEXT(found("%A%G", 4, all, sizeof all), "0-2");
    CHECK_TEXT(found("\0b", 2, nul, sizeof nul), "1-3");
    CHECK_TEXT(found("[^\0]$", 5, nul, sizeof nul), "2-3");
    CHECK_TEXT(found("%z", 2, nul, sizeof nul), "1-2");
}

static void meets_a_fault_where_it_is(void)
{
    CHECK_TEXT(find("a[", "b"), "none");
    CHECK_TEXT(find("a[", "a"), "fault: malformed pattern (missing ']')");
    CHECK_TEXT(find("%", "a"), "fault: malformed pattern (ends with '%')");
    CHECK_TEXT(find("%ba", "a"), "fault: malformed pattern (missing arguments to '%b')");
    CHECK_TEXT(find("%f", "a"), "fault: missing '[' after '%f' in pattern");
    CHECK_TEXT(find("%f[a", "a"), "fault: malformed pattern (missing ']')");
    CHECK_TEXT(find("a)", "a"), "fault: invalid pattern capture");
    CHECK_TEXT(find("(%1)", "a"), "fault: invalid capture index %1");
    CHECK_TEXT(find("%0", "a"), "fault: invalid capture index %0");
}

/* `piece` so many times. The caller frees it. */
static char *repeated(const char *piece, size_t count)
{
    size_t size = strlen(piece);
    char *text = malloc(size * count + 1);

    for (size_t i = 0; i < count; i++)
        memcpy(text + i * size, piece, size);
    text[size * count] = '\0';
    return text;
}

static void bounds_what_it_comes_back_to(void)
{
    char *subject = repeated("a", 100000), *few = repeated("a?", 200), *many = repeated("a?", 201);
    char *groups = repeated("()", 32), *more = repeated("()", 33);

    CHECK_TEXT(find(few, subject), "0-200");
    CHECK_TEXT(find(many, subject), "fault: pattern too complex");
    CHECK(strncmp(find(groups, "a"), "0-0 @0", 6) == 0);
    CHECK_TEXT(find(more, "a"), "fault: too many captures");
    free(subject);
    free(few);
    free(many);
    free(groups);
    free(more);
}

static void is_stopped_by_its_budget(void)
{
    char *subject = repeated("a", 100000), *set = repeated("b", 100000);

    set[0] = '[';
    set[99997] = 'a';
    set[99998] = ']';
    set[99999] = '*';
    CHECK_TEXT(find(".*.*.*.*b", subject), "stopped");
    CHECK_TEXT(find(".-.-.-.-b", subject), "stopped");
    CHECK_TEXT(find("a-b", subject), "stopped");
    CHECK_TEXT(find("%bab", subject), "stopped");
    CHECK_TEXT(find(set, subject), "stopped");
    CHECK(budget.steps_left == 0 && budget.breach == BREACH_STEPS);
    CHECK_TEXT(find("a*$", subject), "0-100000");
    CHECK(PLENTY - budget.steps_left > 1000 && PLENTY - budget.steps_left < 100000);
    free(subject);
    free(set);
}

static void charges_the_same_each_time(void)
{
    uint64_t first;

    CHECK_TEXT(find("(%w+)%s*=%s*(%w+)", "  key = value"), "2-13 key value");
    first = budget.steps_left;
    CHECK(first < PLENTY);
    find("(%w+)%s*=%s*(%w+)", "  key = value");
    CHECK(budget.steps_left == first);
}

static void knows_a_plain_text(void)
{
    CHECK(pattern_is_plain("", 0));
    CHECK(pattern_is_plain("a b_c]){},\0", 11));
    for (const char *mark = "^$*+?.([%-"; *mark != '\0'; mark++)
        CHECK(!pattern_is_plain(mark, 1));
}

int main(void)
{
    finds_what_is_there();
    takes_as_many_or_as_few();
    remembers_captures_when_it_goes_back();
    balances_and_finds_borders();
    takes_every_byte();
    meets_a_fault_where_it_is();
    bounds_what_it_comes_back_to();
    is_stopped_by_its_budget();
    charges_the_same_each_time();
    knows_a_plain_text();
    return check_report("pattern");
}
