/* SPDX-License-Identifier: MIT */
#include "regex.h"

#include "ceilings.h"
#include "check.h"
#include "sys.h"
#include "utf8.h"

#include <stdlib.h>

static struct budget budget;

static struct regex *compile(const char *pattern, unsigned flags)
{
    struct regex *regex = NULL;
    struct regex_fault fault;
    croft_error err;

    if (regex_new(pattern, strlen(pattern), flags, &regex, &fault, &err) != CROFT_OK)
        fprintf(stderr, "%s: %s\n", pattern, fault.reason);
    return regex;
}

/* "long", "large", ... for a pattern that is refused, "" for one that is not. */
static const char *refusal(const char *pattern, size_t size, unsigned flags,
                           struct regex_fault *fault)
{
    static const char *const known[] = {"syntax", "long", "large", "newline", "verb"};
    struct regex *regex = NULL;
    croft_error err = {0};

    if (regex_new(pattern, size, flags, &regex, fault, &err) == CROFT_OK) {
        regex_free(regex);
        return "";
    }
    CHECK(err.kind == CROFT_BAD_PATTERN && fault->reason[0] != '\0');
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(err.detail, known[i]) == 0)
            return known[i];
    }
    return "unknown";
}

static const char *refused(const char *pattern)
{
    struct regex_fault fault;

    return refusal(pattern, strlen(pattern), 0, &fault);
}

/* The answer for one line; *from and *to are the match. */
static enum regex_answer find(const char *pattern, unsigned flags, const char *line, size_t size,
                              size_t *from, size_t *to)
{
    struct regex *regex = compile(pattern, flags);
    struct matcher *matcher = regex == NULL ? NULL : matcher_new(regex);
    enum regex_answer answer = REGEX_STOPPED;

    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    if (matcher != NULL)
        answer = matcher_find(matcher, line, size, 0, &budget, from, to);
    matcher_free(matcher);
    regex_free(regex);
    return answer;
}

static bool fits(const char *pattern, const char *line)
{
    size_t from, to;

    return find(pattern, 0, line, strlen(line), &from, &to) == REGEX_MATCH;
}

/* All matching lines of `text`, as "1,3". */
static const char *lines_of(const char *pattern, unsigned flags, const char *text, size_t size)
{
    static char out[4096];
    struct regex *regex = compile(pattern, flags);
    struct matcher *matcher = regex == NULL ? NULL : matcher_new(regex);
    size_t at = 0, line = 1, counted = 0, start, end, from, to, used = 0;

    out[0] = '\0';
    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    while (matcher != NULL && matcher_find_line(matcher, text, size, at, &budget, &start, &end,
                                                &from, &to) == REGEX_MATCH) {
        const char *lf;

        for (; counted < start; counted++)
            line += text[counted] == '\n';
        used +=
            (size_t)snprintf(out + used, sizeof out - used, "%s%zu", used == 0 ? "" : ",", line);
        CHECK(start <= from && from <= to && to <= end && end <= size);
        lf = memchr(text + end, '\n', size - end);
        at = lf == NULL ? size : (size_t)(lf - text) + 1;
        if (used > sizeof out - 30)
            break;
    }
    matcher_free(matcher);
    regex_free(regex);
    return out;
}

static const char *lines(const char *pattern, const char *text)
{
    return lines_of(pattern, 0, text, strlen(text));
}

/* ---- what is refused ---- */

static void refuses_what_cannot_be_compiled(void)
{
    struct regex_fault fault;

    CHECK_TEXT(refusal("foo(", 4, 0, &fault), "syntax");
    CHECK_TEXT(fault.reason, "missing closing parenthesis");
    CHECK(fault.at == 4);
    CHECK_TEXT(refusal("?a", 2, 0, &fault), "syntax");
    CHECK(fault.at == 1);
    CHECK_TEXT(refusal("\xC3\xA4\xC3\xA4[", 5, 0, &fault), "syntax");
    CHECK(fault.at == 3); /* characters, not bytes */
    CHECK_TEXT(refused("a\\"), "syntax");
    CHECK_TEXT(refused("a{3,2}"), "syntax");
    CHECK_TEXT(refused("\\C"), "syntax");
    CHECK_TEXT(refused("(?<=a+)b"), "syntax");
    CHECK_TEXT(refused("\xFF"), "syntax");
}

static void refuses_what_is_too_long_or_too_large(void)
{
    static char text[PATTERN_BYTES + 2];
    struct regex_fault fault;
    uint64_t began = clock_ns();

    memset(text, 'a', sizeof text);
    CHECK_TEXT(refusal(text, PATTERN_BYTES, 0, &fault), "");
    CHECK_TEXT(refusal(text, PATTERN_BYTES + 1, 0, &fault), "long");
    CHECK_TEXT(fault.reason, "too long");
    CHECK_TEXT(refusal(text, PATTERN_BYTES + 1, REGEX_LITERAL, &fault), "long");
    CHECK_TEXT(refused("((a{1,1000}){1,1000}){1,1000}"), "large");
    CHECK_TEXT(refused("(((((((a{1,100}){1,100}){1,100}){1,100}){1,100}){1,100}){1,100})"),
               "large");
    memset(text, '(', 200);
    CHECK_TEXT(refusal(text, 200, 0, &fault), "syntax");
    CHECK(clock_ns() - began < UINT64_C(500000000));
}

static void refuses_settings_of_the_matcher(void)
{
    struct regex_fault fault;

    CHECK_TEXT(refused("(*CR)a"), "verb");
    CHECK_TEXT(refused("(*UTF)a"), "verb");
    CHECK_TEXT(refusal("(*CR)a", 6, REGEX_LITERAL, &fault), "");
    CHECK_TEXT(refused("a(*FAIL)"), "");
}

static void refuses_a_newline_that_is_needed(void)
{
    static const char *const needed[] = {
        "a\nb",       "\n",       "a\\nb",         "a\\n",        "(a\\n)",    "(?:\\n)+",
        "a\\n{2}",    "\\n|a\\n", "(x|y)\\n",      "(a\\n|\\nb)", "(?i)a\\nb", "(?<n>\\n)",
        "\\Qa\nb\\E", "a|b\nc",   "x{2}\\n{1,3}?", "\\\\\\n",     "[a]\\n",    "\\x{41}\\n"};
    static const char *const harmless[] = {
        "[^\\n]",      "[\\n]",    "\\s",           "a\\n?",     "a\\n*b",  "a(\\n)?",
        "a|\\n",       "(a|b\\n)", "\\\\n",         "\\Q\\n\\E", "a\\n{0}", "a\\n{0,4}",
        "(?!\\n)a",    "[^\n]",    "[a\n]",         "(?x)a\nb",  "\\R",     "a(?#\\n)b",
        "(?:x\\n|y)z", "[]\\n]",   "[[:alpha:]\\n]"};
    struct regex_fault fault;

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        CHECK_TEXT(refused(needed[i]), "newline");
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        CHECK_TEXT(refused(harmless[i]), "");
    CHECK_TEXT(refusal("\xC3\xA4\nb", 4, REGEX_LITERAL, &fault), "newline");
    CHECK(fault.at == 2);
    CHECK_TEXT(refusal("a\\nb", 4, REGEX_LITERAL, &fault), "");
}

/* ---- one line ---- */

static void finds_the_first_match_in_a_line(void)
{
    size_t from = 0, to = 0;

    CHECK(find("b+", 0, "aabbb", 5, &from, &to) == REGEX_MATCH && from == 2 && to == 5);
    CHECK(find("c", 0, "aabbb", 5, &from, &to) == REGEX_NO_MATCH);
    CHECK(find("^$", 0, "", 0, &from, &to) == REGEX_MATCH && from == 0 && to == 0);
    CHECK(find("a", 0, "", 0, &from, &to) == REGEX_NO_MATCH);
    CHECK(find("B", REGEX_IGNORE_CASE, "ab", 2, &from, &to) == REGEX_MATCH && from == 1);
    CHECK(find("a.b", REGEX_LITERAL, "axb a.b", 7, &from, &to) == REGEX_MATCH && from == 4);
    CHECK(find("A.B", REGEX_LITERAL | REGEX_IGNORE_CASE, "a.b", 3, &from, &to) == REGEX_MATCH);
    CHECK(find("(*CR)", REGEX_LITERAL, "(*CR)", 5, &from, &to) == REGEX_MATCH);
    CHECK(find("", 0, "abc", 3, &from, &to) == REGEX_MATCH && from == 0 && to == 0);
    CHECK(find("x\\Ky", 0, "axy", 3, &from, &to) == REGEX_MATCH && from == 2);
}

static void speaks_the_syntax_that_is_promised(void)
{
    CHECK(fits("\\bid=\\d+;", "id=42;"));
    CHECK(!fits("\\d", "\xD9\xA1")); /* classes are of ASCII */
    CHECK(fits("(?i)error", "ERROR"));
    CHECK(fits("^.$", "\xC3\xA4")); /* but characters are of UTF-8 */
    CHECK(fits("\\p{Greek}", "\xCE\xB1"));
    CHECK(fits("a(?=b)", "ab") && !fits("a(?!b)", "ab"));
    CHECK(fits("(\\w)\\1", "xaay"));
    CHECK(fits("[^]a]", "b") && !fits("[^]a]", "]a"));
    CHECK(fits("[^]-a]", "b") && !fits("[^]-a]", "]^_`a"));
    CHECK(fits("[]a]", "]"));
    CHECK(fits("[^[:space:]]", "x") && !fits("[^[:space:]]", " \t"));
    CHECK(fits("^\\W\\D\\s$", "-x ") && !fits("\\W", "x"));
    CHECK(fits("a\\s{2}b", "a\t b"));
    CHECK(fits("[\\s\\S]b", "ab"));
    CHECK(fits("\\Q[^\\E", "[^") && fits("[\\Q]\\E]", "]"));
    CHECK(fits("(?x) a b # [^\n c", "abc"));
    CHECK(fits("a{,2}", "a{,2}") && fits("a{2", "a{2"));
    CHECK(fits("x(?#[^)y", "xy"));
    CHECK(fits("^(\\((?:[^()]|(?1))*\\))$", "(a(b)c)"));
}

/* `\S`, `\D` and `\W` of characters that are not ASCII: bare, PCRE2's machine code has them wrong. */
static void knows_what_a_character_of_many_bytes_is_not(void)
{
    static const char text[] = "\xE6\x97\xA5\xE6\x9C\xAC\nab\xC3\xA9 d\nx \xC3\xA9 y\n\xC3\x9F.\n";

    CHECK_TEXT(lines("^\\S+$", text), "1,4");
    CHECK_TEXT(lines("x \\S y", text), "3");
    CHECK_TEXT(lines("(?x) x \\  \\S \\  y", text), "3");
    CHECK_TEXT(lines("^(?!\\S)", text), "");
    CHECK_TEXT(lines("(?x) ^ \\D{2} $", text), "1,4");
    CHECK_TEXT(lines("^(?(?=a)b|\\S)\\W", text), "1,3,4");
    CHECK_TEXT(lines("^(\\W|x(?1))(*ACCEPT)", text), "1,3,4");
    CHECK_TEXT(lines("(?x) ^ (?<c>\\S) (?&c)", text), "1,2,4");
}

/* PCRE2's machine code does not try the second `a`. */
static void tries_each_start_of_what_is_lazy_and_atomic(void)
{
    static const char *const patterns[] = {
        "(?>a+?)b",         "(?>a{1,}?)b",    "(?>(?:a+?))b", "(?:x|(?>a+?))b",
        "(?>c|a+?)b",       "(?:a+?){1}+b",   "(?U)(?>a+)b",  "(?i-s)(?>A+?)b",
        "(?iU:(?>a{1,})b)", "(a+?)(*PRUNE)b", "a+?(*THEN)b",  "(?:)(*atomic:a+?)b",
        "(?x) (?> a+? ) b"};

    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        size_t from = 0, to = 0;

        CHECK(find(patterns[i], 0, "aab", 3, &from, &to) == REGEX_MATCH && from == 1 && to == 3);
        CHECK_TEXT(lines(patterns[i], "x\naab\n"), "2");
    }
}

/* Where a search begins is seen by `\G`, and how far it has come by the verbs. */
static void searches_a_line_once_where_the_pattern_can_tell(void)
{
    char line[2000];

    memset(line, 'b', sizeof line);
    for (size_t size = 1; size < sizeof line - 1; size += size < 300 ? 1 : 300) {
        size_t from, to;

        line[size] = 'a';
        CHECK(find("\\Ga", 0, line, size + 1, &from, &to) == REGEX_NO_MATCH);
        CHECK(find("(?x) \\G a", 0, line, size + 1, &from, &to) == REGEX_NO_MATCH);
        CHECK(find("\\Gb*a", 0, line, size + 1, &from, &to) == REGEX_MATCH && to == size + 1);
        CHECK(find(".(*COMMIT)a", 0, line, size + 1, &from, &to) ==
              (size == 1 ? REGEX_MATCH : REGEX_NO_MATCH));
        CHECK(find("b+(*SKIP)bba|ba", 0, line, size + 1, &from, &to) == REGEX_NO_MATCH);
        CHECK(find("b+(*SKIP)(*F)|a", 0, line, size + 1, &from, &to) == REGEX_MATCH &&
              from == size);
        line[size] = 'b';
    }
}

static void reads_what_stands_between_an_item_and_its_quantifier(void)
{
    CHECK_TEXT(lines("[^\\E]a]", "za]\nq\n]\n"), "1,2");
    CHECK_TEXT(lines("^[^\\Q\\E]a]$", "za]\nq\n]\n"), "2");
    CHECK_TEXT(lines("^[\\E^a]+$", "za\nq\n^\n"), "2,3");
    CHECK_TEXT(lines("^[^\\Q]\\Ea]+$", "za]\nq\n]\n"), "2");
    CHECK_TEXT(refused("[\\E]\\n]"), "");
    CHECK_TEXT(lines("\\n(?#c)?q", "za]\nq\n"), "2");
    CHECK_TEXT(lines("\\n\\Q\\E?q", "za]\nq\n"), "2");
    CHECK_TEXT(lines("\\n\\E?q", "za]\nq\n"), "2");
    CHECK_TEXT(lines("zab(?#c)?", "za]\nq\n"), "1");
    CHECK_TEXT(lines("zab\\E?", "za]\nq\n"), "1");
    CHECK_TEXT(lines("zab\\Q\\E?", "za]\nq\n"), "1");
    CHECK_TEXT(refused("\\n(?#c)q"), "newline");
    CHECK_TEXT(refused("\\n\\Q\\Eq"), "newline");
}

static void takes_a_pattern_that_is_large_but_not_too_large(void)
{
    char pattern[2 * 2000 + 1], line[2001];

    for (size_t i = 0; i < 2000; i++)
        memcpy(pattern + 2 * i, "\\s", 3);
    memset(line, ' ', 2000);
    line[2000] = '\0';
    CHECK(fits(pattern, line) && !fits(pattern, line + 1));
}

static void works_around_bytes_that_are_not_utf8(void)
{
    size_t from, to;

    CHECK(find("foo", 0,
               "\xFF\xFE"
               "foo\x80",
               6, &from, &to) == REGEX_MATCH &&
          from == 2);
    CHECK(find("a.b", 0,
               "a\xFF"
               "b",
               3, &from, &to) == REGEX_NO_MATCH);
    CHECK(find("b$", 0,
               "a\xFF"
               "b",
               3, &from, &to) == REGEX_MATCH);
    CHECK(find("a\\0b", 0, "a\0b", 3, &from, &to) == REGEX_MATCH);
}

static void starts_where_it_is_told(void)
{
    struct regex *regex = compile("a", 0);
    struct matcher *matcher = matcher_new(regex);
    size_t from, to;

    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    CHECK(matcher_find(matcher, "aba", 3, 1, &budget, &from, &to) == REGEX_MATCH && from == 2);
    CHECK(matcher_find(matcher, "aba", 3, 3, &budget, &from, &to) == REGEX_NO_MATCH);
    CHECK(matcher_find(matcher, "aba", 3, 4, &budget, &from, &to) == REGEX_NO_MATCH);
    matcher_free(matcher);
    regex_free(regex);
}

static void finds_the_needle_anywhere_in_a_long_line(void)
{
    enum { SIZE = 300000 };
    char *line = malloc(SIZE);
    size_t from, to;

    for (size_t at = 0; at < SIZE - 6; at += 9973) {
        memset(line, 'x', SIZE);
        memcpy(line + at, "needle", 6);
        CHECK(find("n[e]+dle", 0, line, SIZE, &from, &to) == REGEX_MATCH && from == at);
        CHECK(find("(?<=x|^)needle(?=x)", 0, line, SIZE, &from, &to) == REGEX_MATCH && from == at);
    }
    memset(line, '\x80', SIZE);
    memcpy(line + SIZE - 6, "needle", 6);
    CHECK(find("needle$", 0, line, SIZE, &from, &to) == REGEX_MATCH && from == SIZE - 6);
    free(line);
}

/* ---- patterns that backtrack without end ---- */

static const char *answer_text(enum regex_answer answer)
{
    static const char *const texts[] = {"no match", "match", "too expensive", "stopped"};

    return texts[answer];
}

static enum regex_answer timed(const char *pattern, unsigned flags, const char *line, size_t size,
                               uint64_t milliseconds)
{
    size_t from, to;
    uint64_t began = clock_ns(), took;
    enum regex_answer answer = find(pattern, flags, line, size, &from, &to);

    took = (clock_ns() - began) / 1000000;
    CHECK(took < milliseconds);
    if (getenv("CROFT_TEST_TIMES") != NULL)
        printf("    %-28.28s %6zu bytes  %-13s %4u ms\n", pattern, size, answer_text(answer),
               (unsigned)took);
    return answer;
}

static void bounds_catastrophic_patterns(unsigned flags)
{
    enum { SIZE = 64 * 1024 };
    char *line = malloc(SIZE);
    enum regex_answer answer;

    memset(line, 'a', SIZE);
    line[5000] = '!';
    CHECK(timed("(a+)+$", flags, line, 5001, 1500) == REGEX_TOO_EXPENSIVE);
    CHECK(timed("(a+)+$", flags, line, 5000, 1500) == REGEX_MATCH);
    line[5000] = 'a';
    answer = timed("(a|aa)+b", flags, line, 60, 1500);
    CHECK(answer == REGEX_NO_MATCH || answer == REGEX_TOO_EXPENSIVE);
    line[60] = 'c';
    CHECK(timed("(a|aa)+[bd]", flags, line, 61, 1500) == REGEX_NO_MATCH);
    line[60] = 'a';
    answer = timed("a.*?[bc]", flags, line, SIZE, 3000);
    CHECK(answer == REGEX_NO_MATCH || answer == REGEX_TOO_EXPENSIVE);
    answer = timed("[^x]*[^y]*[^z]*[^w]*\\d", flags, line, SIZE, 3000);
    CHECK(answer == REGEX_NO_MATCH || answer == REGEX_TOO_EXPENSIVE);
    answer = timed("(?=(a+))*a*b[^c]|(x+x+)+y|(\\w+\\s?)+:", flags, line, SIZE, 3000);
    CHECK(answer == REGEX_NO_MATCH || answer == REGEX_TOO_EXPENSIVE);
    answer = timed("(.*)\\1\\1[bc]", flags, line, 20000, 3000);
    CHECK(answer == REGEX_NO_MATCH || answer == REGEX_TOO_EXPENSIVE);
    free(line);
}

static void follows_all_ways_where_backtracking_is_exponential(unsigned flags)
{
    static const char optional[] = "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?"
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    static const char text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    CHECK(timed(optional, flags, text, 30, 500) == REGEX_MATCH);
    CHECK(timed(optional, flags, text, 29, 500) == REGEX_NO_MATCH);
}

static void does_what_is_asked_of_a_long_line(void)
{
    enum { SIZE = 2 * MIB };
    char *line = malloc(SIZE);

    memset(line, 'x', SIZE);
    memcpy(line + 100000, "foo", 3);
    memcpy(line + SIZE - 4, "bar", 3);
    CHECK(timed("foo.*bar", 0, line, SIZE, 3000) == REGEX_MATCH);
    CHECK(timed("foo.*?bar", 0, line, SIZE, 3000) == REGEX_MATCH);
    CHECK(timed("foo[^\"]*bar.$", 0, line, SIZE, 3000) == REGEX_MATCH);
    CHECK(timed("fob", 0, line, SIZE, 3000) == REGEX_NO_MATCH);
    free(line);
}

static void stops_when_the_budget_does(void)
{
    enum { SIZE = 64 * 1024 };
    static const char word[] = "word\n";
    struct regex *regex = compile("a.*?[bc]|x{3}(?=y)", 0);
    struct matcher *matcher = matcher_new(regex);
    char *line = malloc(SIZE);
    size_t from, to, start, end;
    atomic_bool cancelled = true;

    memset(line, 'a', SIZE);
    budget_start(&budget, 50, 60000, NULL);
    CHECK(matcher_find(matcher, line, SIZE, 0, &budget, &from, &to) == REGEX_STOPPED);
    CHECK(budget.breach == BREACH_STEPS);
    budget_start(&budget, UINT64_MAX / 4, 60000, &cancelled);
    budget_look(&budget);
    CHECK(matcher_find(matcher, line, SIZE, 0, &budget, &from, &to) == REGEX_STOPPED);
    CHECK(budget.breach == BREACH_CANCELLED);
    for (size_t i = 0; i < SIZE; i++)
        line[i] = word[i % 5];
    budget_start(&budget, 100, 60000, NULL);
    CHECK(matcher_find_line(matcher, line, SIZE, 0, &budget, &start, &end, &from, &to) ==
          REGEX_STOPPED);
    matcher_free(matcher);
    regex_free(regex);
    free(line);
}

/* ---- many lines ---- */

static void keeps_every_match_on_its_line(void)
{
    CHECK_TEXT(lines("b", "a\nb\nab\n"), "2,3");
    CHECK_TEXT(lines("^b$", "a\nb\nab"), "2");
    CHECK_TEXT(lines("b$", "a\nb\nab"), "2,3");
    CHECK_TEXT(lines("^$", "\n\na\n\n"), "1,2,4");
    CHECK_TEXT(lines("", "a\nb"), "1,2");
    CHECK_TEXT(lines("x*$", "a\nb\n"), "1,2");
    CHECK_TEXT(lines("a\\s+b", "a\nb\na b\n"), "3");
    CHECK_TEXT(lines("a[^x]b", "a\nb\na-b\n"), "3");
    CHECK_TEXT(lines("(?s)a.b", "a\nb\na-b\n"), "3");
    CHECK_TEXT(lines("a[\\s\\S]*b", "a\n\nb\na-b\n"), "4");
    CHECK_TEXT(lines("a[\\s\\S]*b|c", "a\nc\nb\n"), "2");
    CHECK_TEXT(lines("\\Aa", "b\na\n"), "2");
    CHECK_TEXT(lines("a\\z", "a\nb\na\n"), "1,3");
    CHECK_TEXT(lines("foo(?!\\s*bar)", "foo\nbar\nfoo bar\n"), "1");
    CHECK_TEXT(lines("(?<!\\s)foo", "x\nfoo\n foo\n"), "2");
    CHECK_TEXT(lines("a\\s++$", "a \n\nb"), "1");
    CHECK_TEXT(lines("(?>a\\s*)$", "a \n\nb"), "1");
    CHECK_TEXT(lines("(?-m)a$", "a\nb\n"), "1");
    CHECK_TEXT(lines("(?m)^b", "a\nb\n"), "2");
    CHECK_TEXT(lines("a|\\n", "b\na\n"), "2");
    CHECK_TEXT(lines("a\\n?$", "b\na\n"), "2");
    CHECK_TEXT(lines("needle", ""), "");
}

static void leaves_the_cr_of_a_line_end_out(void)
{
    CHECK_TEXT(lines("foo$", "foo\r\nfoobar\r\nfoo\r\n"), "1,3");
    CHECK_TEXT(lines("^foo$", "foo\r\nfoo\nfoo"), "1,2,3");
    CHECK_TEXT(lines("o.", "foo\r\nfo\r\nfox\r\n"), "1,3");
    CHECK_TEXT(lines("\\r", "a\r\nb\rc\r\nd\r"), "2,3");
    CHECK_TEXT(lines("^$", "\r\na\r\n\r\n"), "1,3");
    CHECK_TEXT(lines("\\s", "a\r\nb c\r\n"), "2");
    CHECK_TEXT(lines("[^a]", "a\r\nab\r\n"), "2");
    CHECK_TEXT(lines("a.*b", "a\r\nb\r\na\rb\r\n"), "3"); /* lines end at LF only */
    CHECK_TEXT(lines("b$", "a\rb\nb\r"), "1");
    CHECK_TEXT(lines("\r$", "a\r\n\r\r\n"), "2");
    CHECK_TEXT(lines_of("a\r", REGEX_LITERAL, "a\r\na\rb\r\n", 8), "2");
}

static void tells_the_line_and_the_match_in_it(void)
{
    static const char text[] = "one\r\ntwo three\r\nfour";
    struct regex *regex = compile("th\\w+|f.u", 0);
    struct matcher *matcher = matcher_new(regex);
    size_t start, end, from, to;

    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    CHECK(matcher_find_line(matcher, text, 20, 0, &budget, &start, &end, &from, &to) ==
          REGEX_MATCH);
    CHECK(start == 5 && end == 14 && from == 9 && to == 14);
    CHECK(matcher_find_line(matcher, text, 20, 16, &budget, &start, &end, &from, &to) ==
          REGEX_MATCH);
    CHECK(start == 16 && end == 20 && from == 16 && to == 19);
    CHECK(matcher_find_line(matcher, text, 20, 20, &budget, &start, &end, &from, &to) ==
          REGEX_NO_MATCH);
    matcher_free(matcher);
    regex_free(regex);
}

static void names_the_line_that_is_too_expensive(void)
{
    enum { SIZE = 5001 };
    char *text = malloc(SIZE + 20);
    struct regex *regex = compile("(a+)+$", 0);
    struct matcher *matcher = matcher_new(regex);
    size_t start, end, from, to;

    memcpy(text, "fine\nfine\n", 10);
    memset(text + 10, 'a', SIZE);
    text[10 + SIZE - 1] = '!';
    memcpy(text + 10 + SIZE, "\r\nfine\n", 7);
    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    CHECK(matcher_find_line(matcher, text, SIZE + 17, 0, &budget, &start, &end, &from, &to) ==
          REGEX_TOO_EXPENSIVE);
    CHECK(start == 10 && end == 10 + SIZE);
    matcher_free(matcher);
    regex_free(regex);
    free(text);
}

/* ---- the whole buffer against line by line ---- */

static uint32_t random_state = 12345;

static unsigned any(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

static void random_pattern(char *out)
{
    static const char *const pieces[] = {
        "a",           "b",      "ab",     ".",          ".*",       ".+?",         "\\s",
        "\\s*",        "\\s+",   "\\S",    "(?!\\S)",    "(?x) \\S", "\\S+",        "\\w+",
        "\\W",         "\\W*",   "\\D",    "[^a]",       "[^a]*",    "[^b]+?",      "[\\s\\S]*",
        "[\\sa]",      "^",      "$",      "\\b",        "\\B",      "(a|b)",       "(?:a|\\s)*",
        "|",           "a?",     "b{2}",   "(?s).",      "(?i)A",    "[[:space:]]", "\xC3\xA4",
        "[^\xC3\xA4]", "\\x20",  "\\r",    "\\r?",       "(?!a)",    "(?<!a)",      "(?=\\s)",
        "(?<=b)",      "a++",    "\\s*+",  "(?>a|ab)",   "(?>a+?)",  "\\A",         "\\z",
        "\\Z",         "\\G",    "\\K",    "\\R",        "\\X",      "\\h",         "\\H",
        "\\v",         "\\V",    "\\N",    "(?-m)$",     "\\n?",     "\\n*",        "(b)\\1",
        "\\p{L}",      "\\P{L}", "[^\\W]", "(?(?=a)a|b)"};
    unsigned count = 1 + any(4);

    out[0] = '\0';
    for (unsigned i = 0; i < count; i++)
        strcat(out, pieces[any(sizeof pieces / sizeof pieces[0])]);
}

static size_t random_text(char *out, unsigned style)
{
    static const char *const pieces[] = {"a",    "b",    "ab", " ",        "\n",           "\n",
                                         "\r\n", "\r",   "A",  "\xC3\xA4", "\xE2\x82\xAC", "\xFF",
                                         "\xC3", "\x80", "\v", "\t"};
    static const unsigned kinds[] = {6, 7, 11, 16};
    size_t size = 0, count = any(40);

    for (size_t i = 0; i < count; i++) {
        const char *piece = pieces[any(kinds[style])];

        if (style == 0 || strcmp(piece, "\r") != 0) {
            memcpy(out + size, piece, strlen(piece));
            size += strlen(piece);
        }
    }
    return size;
}

/* The first matching line by asking for each line on its own. */
static bool slow_find(struct matcher *matcher, const char *text, size_t size, size_t *start,
                      size_t *end)
{
    for (size_t at = 0; at < size;) {
        const char *lf = memchr(text + at, '\n', size - at);
        size_t next = lf == NULL ? size : (size_t)(lf - text), from, to;

        *start = at;
        *end = lf != NULL && next > at && text[next - 1] == '\r' ? next - 1 : next;
        if (matcher_find(matcher, text + at, *end - at, 0, &budget, &from, &to) == REGEX_MATCH)
            return true;
        at = next + 1;
    }
    return false;
}

static void agree(struct matcher *matcher, struct matcher *twin, const char *pattern,
                  const char *text, size_t size)
{
    size_t start = 0, end = 0, from, to, slow_start = 0, slow_end = 0;
    bool is_utf8 = utf8_valid(text, size) == size;
    bool slow = slow_find(is_utf8 ? twin : matcher, text, size, &slow_start, &slow_end);
    bool fast =
        matcher_find_line(matcher, text, size, 0, &budget, &start, &end, &from, &to) == REGEX_MATCH;
    bool same = slow == fast && (!slow || (start == slow_start && end == slow_end && from <= to &&
                                           start <= from && to <= end));

    CHECK(same);
    if (same)
        return;
    fprintf(stderr, "    /%s/: %d at %zu, by line %d at %zu, in ", pattern, fast, start, slow,
            slow_start);
    for (size_t i = 0; i < size; i++)
        fprintf(stderr, " %02x", (unsigned char)text[i]);
    fprintf(stderr, "\n");
}

/* The twin, which takes each line on its own, is the interpreter of PCRE2; not for text that is not UTF-8, for
 * the two do not agree on `$` behind a bad byte. */
static void says_of_a_buffer_what_it_says_of_each_line(unsigned flags, unsigned rounds)
{
    char pattern[256], text[256];

    budget_start(&budget, UINT64_MAX / 4, 600000, NULL);
    for (unsigned i = 0; i < rounds; i++) {
        struct regex *regex = NULL, *slow;
        struct regex_fault fault;
        struct matcher *matcher, *twin;

        random_pattern(pattern);
        if (regex_new(pattern, strlen(pattern), flags, &regex, &fault, NULL) != CROFT_OK)
            continue;
        slow = compile(pattern, flags | REGEX_NO_JIT | REGEX_NO_NEEDLE);
        twin = matcher_new(slow);
        matcher = matcher_new(regex);
        for (unsigned k = 0; k < 12; k++) {
            size_t size = random_text(text, k % 4);

            agree(matcher, twin, pattern, text, size);
        }
        matcher_free(matcher);
        matcher_free(twin);
        regex_free(regex);
        regex_free(slow);
    }
}

static void finds_lines_across_pieces_of_a_large_buffer(void)
{
    enum { SIZE = 600000 };
    char *text = malloc(SIZE);
    char wanted[64];

    for (unsigned crlf = 0; crlf < 2; crlf++) {
        memset(text, 'x', SIZE);
        for (size_t at = 60; at < SIZE; at += 61) {
            text[at] = '\n';
            if (crlf)
                text[at - 1] = '\r';
        }
        memcpy(text + 61 * 9000, "nee dle", 7);
        memset(text + 61 * 2000, 'y', 61 * 1500); /* a line longer than a piece */
        memcpy(text + 61 * 3300, "nee\tdle", 7);
        snprintf(wanted, sizeof wanted, "%d,%d", 2001, 9001 - 1500);
        CHECK_TEXT(lines_of("nee\\sdle", 0, text, SIZE), wanted);
        CHECK_TEXT(lines_of("nee[ \\t]dle(?!$)", 0, text, SIZE), wanted);
    }
    free(text);
}

/* ---- memory ---- */

static bool finds_the_same(struct matcher *one, struct matcher *other, const char *line)
{
    size_t from[2] = {0}, to[2] = {0};
    enum regex_answer answer[2];

    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    answer[0] = matcher_find(one, line, strlen(line), 0, &budget, &from[0], &to[0]);
    answer[1] = matcher_find(other, line, strlen(line), 0, &budget, &from[1], &to[1]);
    return answer[0] == answer[1] && from[0] == from[1] && to[0] == to[1];
}

static void shares_what_matchers_need_while_they_match(void)
{
    static const struct {
        const char *text;
        unsigned flags;
    } patterns[] = {
        {"b+c", 0},           {"b+c", REGEX_NO_JIT},      {"(a|b)*c", 0},
        {"(a+)+$", 0},        {"(a+)+$", REGEX_NO_JIT},   {"(a+)+\\1$", 0},
        {"(?=(a+))\\1*b", 0}, {"A.B", REGEX_IGNORE_CASE}, {"\\Ga*", 0},
    };
    static const char *const lines_to_try[] = {"", "aab", "xbbc",
                                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "a!b aab"};
    enum { PATTERNS = sizeof patterns / sizeof patterns[0] };
    struct match_room *room = match_room_new();
    struct regex *regexes[PATTERNS];
    struct matcher *own[PATTERNS], *sharing[PATTERNS];

    for (size_t i = 0; i < PATTERNS; i++) {
        regexes[i] = compile(patterns[i].text, patterns[i].flags);
        own[i] = matcher_new(regexes[i]);
        sharing[i] = matcher_new_in(regexes[i], room);
    }
    for (size_t line = 0; line < sizeof lines_to_try / sizeof lines_to_try[0]; line++)
        for (size_t i = 0; i < PATTERNS; i++)
            CHECK(finds_the_same(own[i], sharing[i], lines_to_try[line]));
    for (size_t i = 0; i < PATTERNS; i++) {
        matcher_free(own[i]);
        matcher_free(sharing[i]);
        regex_free(regexes[i]);
    }
    match_room_free(room);
}

static void knows_its_size(void)
{
    struct regex *small = compile("abc", 0), *large = compile("([a-f]+x?(yz){3,9}){9}", 0);
    struct regex *plain = compile("([a-f]+x?(yz){3,9}){9}", REGEX_NO_JIT);
    struct regex *slow = compile("(a+)+$", 0);
    struct matcher *matcher = matcher_new(slow);
    size_t before = matcher_size(matcher), from, to;

    CHECK(regex_size(small) > 100 && regex_size(large) > regex_size(small) + 1000);
    CHECK(regex_size(large) > regex_size(plain) + 1000); /* the machine code */
    budget_start(&budget, UINT64_MAX / 4, 60000, NULL);
    (void)matcher_find(matcher, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", 42, 0, &budget, &from,
                       &to);
    CHECK(matcher_size(matcher) > before + 50);
    matcher_free(matcher);
    regex_free(small);
    regex_free(large);
    regex_free(plain);
    regex_free(slow);
}

static uint64_t cost(const char *pattern, unsigned flags)
{
    return regex_cost(pattern, strlen(pattern), flags);
}

static void knows_what_it_costs_to_compile(void)
{
    enum { CODES = 0x110000, LITTLE = 10000 };

    CHECK(cost("[a-z]-[0-9]+", 0) < LITTLE);
    CHECK(cost("[a-z]-[0-9]+", REGEX_IGNORE_CASE) < LITTLE);
    CHECK(cost("(?i)[a-z]{1,900}-", 0) < 2 * LITTLE);
    CHECK(cost("[a-\\x{10ffff}]", 0) < LITTLE);
    CHECK(cost("[a-\\x{10ffff}]", REGEX_IGNORE_CASE | REGEX_LITERAL) < LITTLE);
    CHECK(cost("\\x{10ffff}\xF4\x8F\xBF\xBF", REGEX_IGNORE_CASE) < LITTLE);
    CHECK(cost("[a-\\x{10ffff}]", REGEX_IGNORE_CASE) > CODES);
    CHECK(cost("(?i:[a-\\x{10ffff}])", 0) > CODES);
    CHECK(cost("[a-\\x{0010FFFF}]", REGEX_IGNORE_CASE) > CODES);
    CHECK(cost("[a-\\N{U+10FFFF}]", REGEX_IGNORE_CASE) > CODES);
    CHECK(cost("[a-\\o{4177777}]", REGEX_IGNORE_CASE) > CODES);
    CHECK(cost("[a-\xF4\x8F\xBF\xBF]", REGEX_IGNORE_CASE) > CODES);
    CHECK(cost("[a-\\x{10ffff}][b-\\x{10ffff}]", REGEX_IGNORE_CASE) > (uint64_t)2 * 2 * CODES);
}

int main(void)
{
    knows_what_it_costs_to_compile();

    shares_what_matchers_need_while_they_match();
    knows_its_size();
    refuses_what_cannot_be_compiled();
    refuses_what_is_too_long_or_too_large();
    refuses_settings_of_the_matcher();
    refuses_a_newline_that_is_needed();
    finds_the_first_match_in_a_line();
    speaks_the_syntax_that_is_promised();
    knows_what_a_character_of_many_bytes_is_not();
    tries_each_start_of_what_is_lazy_and_atomic();
    searches_a_line_once_where_the_pattern_can_tell();
    reads_what_stands_between_an_item_and_its_quantifier();
    takes_a_pattern_that_is_large_but_not_too_large();
    works_around_bytes_that_are_not_utf8();
    starts_where_it_is_told();
    finds_the_needle_anywhere_in_a_long_line();
    bounds_catastrophic_patterns(0);
    bounds_catastrophic_patterns(REGEX_NO_JIT);
    follows_all_ways_where_backtracking_is_exponential(0);
    follows_all_ways_where_backtracking_is_exponential(REGEX_NO_JIT);
    does_what_is_asked_of_a_long_line();
    stops_when_the_budget_does();
    keeps_every_match_on_its_line();
    leaves_the_cr_of_a_line_end_out();
    tells_the_line_and_the_match_in_it();
    names_the_line_that_is_too_expensive();
    says_of_a_buffer_what_it_says_of_each_line(0, 3000);
    says_of_a_buffer_what_it_says_of_each_line(REGEX_NO_NEEDLE, 2000);
    says_of_a_buffer_what_it_says_of_each_line(REGEX_NO_SIMD, 1000);
    says_of_a_buffer_what_it_says_of_each_line(REGEX_NO_JIT, 500);
    says_of_a_buffer_what_it_says_of_each_line(REGEX_IGNORE_CASE, 500);
    finds_lines_across_pieces_of_a_large_buffer();
    return check_report("regex");
}
