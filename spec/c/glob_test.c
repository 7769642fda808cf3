/* SPDX-License-Identifier: MIT */
#include "glob.h"

#include <stdlib.h>
#include <time.h>

#include "check.h"

static struct glob *parsed(const char *pattern)
{
    struct glob_fault fault = {0};
    struct glob *glob = glob_new(pattern, strlen(pattern), &fault);

    if (glob == NULL)
        fprintf(stderr, "%s: %s at %zu\n", pattern, fault.reason, fault.at);
    return glob;
}

/* Each row: a pattern, the paths that fit and those that do not. A path with "/" at its end is a
 * directory, which is then told apart from its name. */
struct row {
    const char *pattern;
    const char *fitting[8], *others[8];
};

static const struct row rows[] = {
    /* names at any depth */
    {"a.c", {"a.c", "src/a.c", "x/y/a.c", "a.c/"}, {"a.cc", "ba.c", "a.c/x", "A.c", ""}},
    {"*", {"a", ".hidden", "a/b/c", "dir/"}, {""}},
    {"*.md", {"a.md", ".md", "x/y.md", "a.b.md"}, {"a.mdx", "md", "a.md/b"}},
    {"*.tar.*", {"x.tar.gz", "d/x.tar."}, {"x.tar", "tar.gz"}},
    {"a*b*c", {"abc", "aXbYc", "abbcc", "abcbc"}, {"ab", "acb", "abcd"}},
    {"a**b", {"ab", "axxb", "d/ab"}, {"a/b"}},
    {"**.md", {"a.md", "x/a.md"}, {"a.txt"}},
    {"?", {"a", "x/b", "\xC3\xA9", "\xF0\x9F\x98\x80", "\xE9"}, {"ab", "a/b/cd", "\xC3\xA9x"}},
    {"a?c",
     {"abc", "a.c",
      "a\xC3\xA9"
      "c"},
     {"ac", "abbc", "a/c"}},
    {"caf\xC3\xA9", {"caf\xC3\xA9"}, {"cafe", "caf\xC3", "caf\xE9"}},
    {"caf\xE9*", {"caf\xE9", "caf\xE9s"}, {"caf\xC3\xA9"}},
    {"a,b", {"a,b"}, {"a", "b"}},
    /* whole paths */
    {"src/*.c", {"src/a.c", "src/.c"}, {"a.c", "x/src/a.c", "src/x/a.c", "src"}},
    {"src/a?b", {"src/axb"}, {"src/a/b"}},
    {"/a.c", {"a.c"}, {"src/a.c"}},
    {"/*.c", {"a.c"}, {"src/a.c"}},
    {"/", {NULL}, {NULL}},
    {"./a.c", {"a.c", "src/a.c"}, {"b.c"}},
    {"././src//*.c", {"src/a.c"}, {"x/src/a.c"}},
    {"src/./a.c", {"src/a.c"}, {"src/b.c"}},
    {"/./a.c", {"a.c"}, {"src/a.c"}},
    {"*/*", {"a/b", "a/b/"}, {"a", "a/b/c"}},
    {"...", {"...", "x/..."}, {"..x"}},
    {"a/...", {"a/..."}, {"a/.."}},
    /* levels */
    {"**", {"a", "a/b", "a/b/c", "d/"}, {""}},
    {"***", {"a", "a/b"}, {""}},
    {"/**", {"a", "a/b/c"}, {""}},
    {"**/*", {"a", "a/b", "a/b/c"}, {""}},
    {"**/a", {"a", "x/a", "x/y/a"}, {"ba", "a/x", "xa"}},
    {"a/**", {"a/b", "a/b/c", "a/b/"}, {"a", "b/a/c", "ab/c"}},
    {"a/**/b", {"a/b", "a/x/b", "a/x/y/b", "a/b/b"}, {"ab", "a/xb", "b", "a/b/c", "x/a/b"}},
    {"**/a/**", {"a/b", "x/a/b", "x/a/b/c"}, {"a", "x/a", "b"}},
    {"**/**", {"a", "a/b"}, {""}},
    {"a/**/**/b", {"a/b", "a/x/y/b"}, {"a", "a/x"}},
    {"**/a/**/b/**/c", {"a/b/c", "x/a/y/b/z/c", "a/a/b/b/c/c", "a/b/a/b/c"}, {"a/c/b", "b/c"}},
    {"**/*.min.js", {"a.min.js", "x/y/a.min.js"}, {"a.js", "min.js"}},
    {"a/**/*.c", {"a/x.c", "a/b/x.c"}, {"x.c", "a/x.h"}},
    {"**/x*/y", {"x1/y", "q/x/y", "xa/xb/y"}, {"y", "x1/z/y"}},
    /* directories */
    {"build/", {"build/", "x/build/"}, {"build", "x/build", "build/x"}},
    {"*/", {"a/", "a/b/"}, {"a", "a/b"}},
    {"a/b/", {"a/b/"}, {"a/b", "b/", "x/a/b/"}},
    {"**/", {"a/", "a/b/"}, {"a", "a/b"}},
    {"a/**/", {"a/b/", "a/b/c/"}, {"a/", "a/b"}},
    {"/a/", {"a/"}, {"x/a/", "a"}},
    /* classes */
    {"[abc]", {"a", "b", "x/c"}, {"d", "ab", ""}},
    {"[a-c]x", {"ax", "cx"}, {"dx", "Ax", "-x"}},
    {"[!a-c]x", {"dx", "-x", "\xC3\xA9x"}, {"ax", "x"}},
    {"[^a-c]x", {"dx", "-x"}, {"ax", "bx"}},
    {"[]]", {"]"}, {"a"}},
    {"[!]]", {"a"}, {"]"}},
    {"[]-a]", {"]", "^", "a"}, {"b", "["}},
    {"[a-]", {"a", "-"}, {"b"}},
    {"[-a]", {"a", "-"}, {"b"}},
    {"[a-c-e]", {"a", "b", "-", "e"}, {"d"}},
    {"[*?{},!]", {"*", "?", "{", "}", ",", "!"}, {"a"}},
    {"[\\]\\\\]", {"]", "\\"}, {"a"}},
    {"[\\!a]", {"!", "a"}, {"b"}},
    {"[a\\-c]", {"a", "-", "c"}, {"b"}},
    {"[[]x", {"[x"}, {"x"}},
    {"[\xD0\xB0-\xD1\x8F]", {"\xD0\xB6", "\xD1\x8F"}, {"\xD0\x96", "\xD0", "a"}},
    {"[!\xC3\xA9]", {"e", "\xE9"}, {"\xC3\xA9"}},
    {"a[!x]b", {"ayb"}, {"a/b", "axb"}},
    {"*[0-9]", {"a1", "12"}, {"1a", "a"}},
    /* escapes */
    {"\\*", {"*"}, {"a", "\\*"}},
    {"a\\?", {"a?"}, {"ab"}},
    {"\\[a]", {"[a]"}, {"a"}},
    {"\\{a,b\\}", {"{a,b}"}, {"a", "b"}},
    {"\\a\\\\", {"a\\"}, {"a"}},
    {"\\\xC3\xA9", {"\xC3\xA9"}, {"\xC3"}},
    {"{a\\,b,c\\}}", {"a,b", "c}"}, {"a", "b", "c"}},
    {"src\\/a", {"src/a"}, {"a", "x/src/a"}},
    /* braces */
    {"{a,b}", {"a", "b", "x/a"}, {"c", "ab", "{a,b}"}},
    {"*.{c,h}", {"a.c", "x/a.h"}, {"a.cc", "a."}},
    {"a{,.bak}", {"a", "a.bak"}, {"a.b"}},
    {"a{}b", {"ab"}, {"a{}b"}},
    {"{a}", {"a"}, {"{a}"}},
    {"{,a}", {"a"}, {"", "b"}},
    {"{a,{b,c{d,e}}}f", {"af", "bf", "cdf", "cef"}, {"cf", "f"}},
    {"{a,b}{c,d}", {"ac", "ad", "bc", "bd"}, {"ab", "cd", "a"}},
    {"{*.md,docs/*.txt}", {"a.md", "x/a.md", "docs/a.txt"}, {"a.txt", "x/docs/a.txt"}},
    {"{src,lib}/**/*.{c,h}", {"src/a.c", "lib/x/y.h"}, {"a.c", "bin/a.c", "src/a.o"}},
    {"a{/**,}/b", {"a/b", "a/x/b"}, {"b", "a"}},
    {"{**,a}/b", {"b", "x/y/b", "a/b"}, {"a"}},
    {"{*,x}*", {"anything"}, {""}},
    {"{a/,b}", {"a/", "b", "b/"}, {"a"}},
    {"{/a,b}", {"a", "b", "x/b"}, {"x/a"}},
    {"{[,],x}", {",", "x"}, {"[", "]"}},
    {"node_modules", {"node_modules/", "a/node_modules/"}, {"node_modules/x", "node_modules2"}},
};

static bool fits(const struct glob *glob, const char *path)
{
    size_t size = strlen(path);
    bool directory = size > 0 && path[size - 1] == '/';

    return glob_fits(glob, path, size - directory, directory);
}

static void check_row(const struct row *row)
{
    struct glob *glob = parsed(row->pattern);

    CHECK(glob != NULL);
    for (size_t i = 0; glob != NULL && i < 8 && row->fitting[i] != NULL; i++)
        check_that(fits(glob, row->fitting[i]), row->fitting[i], row->pattern, 1);
    for (size_t i = 0; glob != NULL && i < 8 && row->others[i] != NULL; i++)
        check_that(!fits(glob, row->others[i]), row->others[i], row->pattern, 0);
    glob_free(glob);
}

static void check_rows(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].fitting[0] != NULL)
            check_row(rows + i);
    }
}

static void check_faults(void)
{
    static const struct {
        const char *pattern, *reason;
        size_t at;
    } cases[] = {
        {"", "it names nothing", 1},
        {"/", "it names nothing", 1},
        {"./", "it names nothing", 1},
        {".", "it names nothing", 1},
        {"{,}", "it names nothing", 1},
        {"a[bc", "a \"[\" is not closed", 2},
        {"[]", "a \"[\" is not closed", 1},
        {"[!]", "a \"[\" is not closed", 1},
        {"[^]", "a \"[\" is not closed", 1},
        {"[a-", "a \"[\" is not closed", 1},
        {"[a/b]", "a \"[\" is not closed", 1},
        {"\xC3\xA9\xC3\xA9[", "a \"[\" is not closed", 3},
        {"[z-a]", "a range in \"[ ]\" runs backwards", 2},
        {"x[a-c9-0]", "a range in \"[ ]\" runs backwards", 6},
        {"[[:alpha:]]", "names such as [:alpha:] are not known, write a-z", 2},
        {"{a,b", "a \"{\" is not closed", 1},
        {"a{b{c}", "a \"{\" is not closed", 2},
        {"{[}]", "a \"{\" is not closed", 1},
        {"a}", "a \"}\" has no \"{\" before it", 2},
        {"{a}}", "a \"}\" has no \"{\" before it", 4},
        {"a\\", "nothing follows the last \"\\\"", 2},
        {"[a\\", "nothing follows the last \"\\\"", 3},
        {"../a", "\"..\" leads out of the directory", 1},
        {"a/../b", "\"..\" leads out of the directory", 3},
        {"a/{b,..}", "\"..\" leads out of the directory", 6},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct glob_fault fault = {"none", 999};
        struct glob *glob = glob_new(cases[i].pattern, strlen(cases[i].pattern), &fault);

        CHECK(glob == NULL);
        CHECK_TEXT(fault.reason, cases[i].reason);
        CHECK(fault.at == cases[i].at);
        glob_free(glob);
    }
}

/* `count` copies of `piece` between `before` and `after`, and what a glob of it says. */
static struct glob *repeated(const char *before, const char *piece, size_t count, const char *after,
                             struct glob_fault *fault)
{
    size_t size = strlen(before) + strlen(piece) * count + strlen(after);
    char *text = malloc(size + 1);
    struct glob *glob;

    if (text == NULL)
        return NULL;
    strcpy(text, before);
    for (size_t i = 0; i < count; i++)
        memcpy(text + strlen(before) + i * strlen(piece), piece, strlen(piece));
    strcpy(text + size - strlen(after), after);
    glob = glob_new(text, size, fault);
    free(text);
    return glob;
}

static void check_limit(const char *before, const char *piece, size_t count, const char *after,
                        const char *reason)
{
    struct glob_fault fault = {"", 0};
    struct glob *glob = repeated(before, piece, count, after, &fault);

    CHECK((glob != NULL) == (*reason == '\0'));
    CHECK_TEXT(fault.reason, reason);
    glob_free(glob);
}

static void check_limits(void)
{
    check_limit("", "a", 4096, "", "");
    check_limit("", "a", 4097, "", "it is longer than 4096 bytes");
    check_limit("", "\xC3\xA9", 2049, "", "it is longer than 4096 bytes");
    check_limit("[", "a", 5000, "", "it is longer than 4096 bytes");
    check_limit("{a", ",a", 63, "}", "");
    check_limit("{a", ",a", 64, "}", "it has over 64 alternatives");
    check_limit("{a,b}", "{a,b}", 5, "", "");
    check_limit("{a,b}", "{a,b}", 6, "", "it has over 64 alternatives");
    check_limit("", "{a}", 64, "", "");
    check_limit("", "{a}", 65, "", "it has over 64 alternatives");
    check_limit("", "{", 4096, "", "it has over 64 alternatives");
    check_limit("{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{a", "}", 33, "", "");
    check_limit("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "x", 200, "", "");
    check_limit("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "x", 300, "", "its alternatives are too long");
    check_limit("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}[", "x", 300, "]", "its alternatives are too long");
}

static void check_crossing(void)
{
    static const struct {
        const char *pattern;
        bool crosses;
    } cases[] = {
        {"*.md", false},   {"a", false},       {"/a", false},     {"./a", false},
        {"build/", false}, {"/build/", false}, {"{a,b}", false},  {"**", true},
        {"**.md", true},   {"a**", true},      {"**/a", true},    {"a/b", true},
        {"a/*", true},     {"{a,b/c}", true},  {"\\*\\*", false}, {"[**]", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct glob *glob = parsed(cases[i].pattern);

        CHECK(glob != NULL && glob_crosses(glob) == cases[i].crosses);
        glob_free(glob);
    }
}

static void check_below(void)
{
    static const struct {
        const char *pattern, *path;
        bool may;
    } cases[] = {
        {"*.c", "", true},         {"*.c", "a/b", true},        {"/*.c", "", true},
        {"/*.c", "a", false},      {"src/*.c", "", true},       {"src/*.c", "src", true},
        {"src/*.c", "lib", false}, {"src/*.c", "src/x", false}, {"src/**", "src/x/y", true},
        {"src/**", "lib", false},  {"**/a", "x/y", true},       {"a/**/b/c", "a/q/r", true},
        {"a*/b/c", "ax/b", true},  {"a*/b/c", "ax/c", false},   {"{a/b,c/d}", "c", true},
        {"{a/b,c/d}", "e", false}, {"{a/b,x}", "e", true},      {"{a/b,}", "e", false},
        {"a/b/", "a", true},       {"a/b/", "a/b", false},      {"a/b/c", "a/b/c/d", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct glob *glob = parsed(cases[i].pattern);

        check_that(glob != NULL && glob_may_fit_below(glob, cases[i].path, strlen(cases[i].path)) ==
                                       cases[i].may,
                   cases[i].path, cases[i].pattern, 0);
        glob_free(glob);
    }
}

/* Patterns that a careless matcher takes ages for. */
static void check_time(void)
{
    struct glob_fault fault;
    clock_t start = clock();
    char path[4096], deep[4096];
    struct glob *stars = repeated("", "*a", 1000, "*b", &fault);
    struct glob *levels = repeated("", "**/a/", 700, "b", &fault);
    struct glob *mixed = repeated("", "**/*a*a*/", 400, "b", &fault);
    struct glob *braces = repeated("*{a,b}*{a,b}*{a,b}*{a,b}*{a,b}*{a,b}", "*?", 80, "x", &fault);

    memset(path, 'a', sizeof path);
    for (size_t i = 0; i < sizeof deep; i++)
        deep[i] = i % 2 == 0 ? 'a' : '/';
    CHECK(stars != NULL && !glob_fits(stars, path, sizeof path, false));
    CHECK(levels != NULL && !glob_fits(levels, deep, sizeof deep - 1, false));
    CHECK(mixed != NULL && !glob_fits(mixed, deep, sizeof deep - 1, false));
    CHECK(mixed != NULL && !glob_fits(mixed, path, sizeof path, false));
    CHECK(braces != NULL && !glob_fits(braces, path, sizeof path, false));
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 5.0);
    glob_free(stars);
    glob_free(levels);
    glob_free(mixed);
    glob_free(braces);
}

int main(void)
{
    check_rows();
    check_faults();
    check_limits();
    check_crossing();
    check_below();
    check_time();
    glob_free(NULL);
    return check_report("glob");
}
