/* SPDX-License-Identifier: MIT */
#include "search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

#include "ceilings.h"
#include "check.h"
#include "tree_fixture.h"

static struct root *root;
static struct budget budget;
static struct search_result result;
static croft_error err;
static char shown[256 * 1024];

static void begin(const char *lines)
{
    fixture_make(lines);
    root = fixture_root(CROFT_RESOLVER_AUTO);
}

static void end(void)
{
    root_close(root);
    fixture_remove();
}

static size_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* Writes a file below ws/. */
static void put(const char *name, const void *data, size_t size)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/ws/%s", fixture_base, name);
    file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static struct search_options fill_in(struct search_options options, const struct regex *regex)
{
    options.regex = regex;
    if (options.match_ceiling == 0)
        options.match_ceiling = 200;
    if (options.byte_ceiling == 0)
        options.byte_ceiling = 32 * KIB;
    if (options.file_ceiling == 0)
        options.file_ceiling = 4 * MIB;
    if (options.tree.depth_ceiling == 0)
        options.tree.depth_ceiling = 64;
    if (options.tree.budget == NULL) {
        budget_start(&budget, 50000000, 60000, NULL);
        options.tree.budget = &budget;
    }
    return options;
}

static struct regex *compile(const char *pattern)
{
    struct regex *regex = NULL;
    struct regex_fault fault;

    CHECK(regex_new(pattern, strlen(pattern), 0, &regex, &fault, &err) == CROFT_OK);
    return regex;
}

static void keep(croft_status status)
{
    snprintf(shown, sizeof shown, "%s", status == CROFT_OK ? bytes_end(&result.text) : "failed");
    search_result_free(&result);
}

static croft_status tree_status(const char *pattern, struct search_options given)
{
    struct regex *regex = compile(pattern);
    struct search_options options = fill_in(given, regex);
    size_t before = open_descriptors();
    int fd = openat(root->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    croft_status status = search_tree(root, fd, &options, &result, &err);

    CHECK(result.text.size <= options.byte_ceiling);
    close(fd);
    CHECK(open_descriptors() == before);
    regex_free(regex);
    keep(status);
    return status;
}

static const char *search(const char *pattern, struct search_options given)
{
    CHECK(tree_status(pattern, given) == CROFT_OK);
    return shown;
}

static croft_status file_status(const char *name, const char *pattern, struct search_options given)
{
    struct regex *regex = compile(pattern);
    struct search_options options = fill_in(given, regex);
    int fd = openat(root->fd, name, O_RDONLY | O_CLOEXEC);
    struct node node;
    croft_status status;

    CHECK(root->sys->node(fd, &node) == 0);
    status = search_file(root, fd, &node, name, &options, &result, &err);
    close(fd);
    regex_free(regex);
    keep(status);
    return status;
}

static const char *search_one(const char *name, const char *pattern, struct search_options given)
{
    CHECK(file_status(name, pattern, given) == CROFT_OK);
    return shown;
}

#define OPTIONS(...) ((struct search_options){__VA_ARGS__})
#define PLAIN OPTIONS(.context = 0)

static size_t rows(void)
{
    size_t count = shown[0] != '\0';

    for (const char *c = shown; *c != '\0'; c++)
        count += *c == '\n';
    return count;
}

/* ---- what is shown ---- */

static void shows_each_matching_line_with_path_and_number(void)
{
    begin("mkdir ws/d");
    put_text("b.txt", "alpha\nbeta\ngamma");
    put_text("d/a.txt", "x\nalphabet\n");
    CHECK_TEXT(search("alpha|gamma", PLAIN), "b.txt:1|alpha\nb.txt:3|gamma\nd/a.txt:2|alphabet");
    CHECK(result.matches == 3 && result.files_matched == 2 && result.files_searched == 2);
    CHECK(result.files_seen == 2 && result.end == SEARCH_COMPLETE && !result.too_expensive);
    CHECK_TEXT(search("zeta", PLAIN), "");
    CHECK(result.files_searched == 2 && result.matches == 0);
    CHECK_TEXT(search("alphabet", OPTIONS(.prefix = "src/")), "src/d/a.txt:2|alphabet");
    end();
}

static void shows_files_or_counts_when_asked(void)
{
    begin("true");
    put_text("a", "hit\nhit hit\nx\n");
    put_text("b", "x\n");
    put_text("c", "hit\r\n");
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_FILES)), "a\nc");
    CHECK(result.files_matched == 2 && result.matches == 2 && result.files_searched == 3);
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_COUNT)), "a: 2\nc: 1");
    CHECK(result.files_matched == 2 && result.matches == 3);
    end();
}

static void reads_lines_as_everybody_does(void)
{
    begin("true");
    put_text("crlf", "foo\r\nfoobar\r\n");
    CHECK_TEXT(search_one("crlf", "^foo$", PLAIN), "crlf:1|foo");
    CHECK_TEXT(search_one("crlf", "o$", PLAIN), "crlf:1|foo");
    CHECK(result.lines_searched == 2);
    put_text("bom", "\xEF\xBB\xBF"
                    "foo\nfoo\n");
    CHECK_TEXT(search_one("bom", "^foo", PLAIN), "bom:1|foo\nbom:2|foo");
    put_text("lone", "a\rb\nc\r");
    CHECK_TEXT(search_one("lone", "[bc]", PLAIN), "lone:1|a\rb\nlone:2|c\r");
    put_text("empty", "");
    CHECK_TEXT(search_one("empty", "^", PLAIN), "");
    CHECK(result.files_searched == 1 && result.lines_searched == 0);
    put_text("blank", "\n\n");
    CHECK_TEXT(search_one("blank", "^$", PLAIN), "blank:1|\nblank:2|");
    put_text("mark", "\xEF\xBB\xBF");
    CHECK_TEXT(search_one("mark", "", PLAIN), "");
    put_text("bad", "caf\xE9 x\n\xFF\n");
    CHECK_TEXT(search_one("bad", "x", PLAIN), "bad:1|caf\xEF\xBF\xBD x");
    put_text("feed", "a\fb\vc\xC2\x85"
                     "d\ne\n");
    CHECK_TEXT(search_one("feed", "e", PLAIN), "feed:2|e");
    put_text("unfinished", "a\nb");
    search_one("unfinished", "z", PLAIN);
    CHECK(result.lines_searched == 2);
    end();
}

/* What a file was read over is no part of it, though PCRE2 looks behind a text that ends so. */
static void forgets_the_file_before(void)
{
    static const char *const ends[] = {"a\xC3", "a\xE2\x82", "a\xF0\x9F\x98"};
    static const char *const before[] = {"xxx\xA9\xA9\xA9\xA9", "xxxxxxx", "xx\xA9\xA9\xA9\xA9xx"};

    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            begin("true");
            put_text("1", before[k]);
            put_text("2", ends[i]);
            CHECK(strstr(search("\\B$", PLAIN), "2:1|a") != NULL);
            CHECK(strstr(search("\\b$", PLAIN), "2:1|a") == NULL);
            end();
        }
    }
}

static void shows_context_once_and_parts_groups(void)
{
    begin("true");
    put_text("f", "1\n2 hit\n3\n4\n5\n6\n7 hit\n8\n9 hit\n10\n11\n");
    CHECK_TEXT(search("hit", OPTIONS(.context = 1)),
               "f:1-1\nf:2|2 hit\nf:3-3\n--\nf:6-6\nf:7|7 hit\nf:8-8\nf:9|9 hit\nf:10-10");
    CHECK(result.matches == 3);
    CHECK_TEXT(search("hit", OPTIONS(.context = 2)),
               "f:1-1\nf:2|2 hit\nf:3-3\nf:4-4\nf:5-5\nf:6-6\nf:7|7 hit\nf:8-8\nf:9|9 hit\n"
               "f:10-10\nf:11-11");
    CHECK_TEXT(search("1$", OPTIONS(.context = 10)),
               "f:1|1\nf:2-2 hit\nf:3-3\nf:4-4\nf:5-5\nf:6-6\nf:7-7 hit\nf:8-8\nf:9-9 hit\n"
               "f:10-10\nf:11|11");
    put_text("g", "a\r\nhit\r\n");
    CHECK_TEXT(search("^hit|^1$", OPTIONS(.context = 1)), "f:1|1\nf:2-2 hit\n--\ng:1-a\ng:2|hit");
    end();
}

static void cuts_long_lines_around_the_match(void)
{
    enum { SIZE = 40000 };
    char *line = malloc(SIZE + 1);
    size_t length;

    begin("true");
    memset(line, 'x', SIZE);
    line[SIZE] = '\n';
    memcpy(line + 20000, "needle", 6);
    put("f", line, SIZE + 1);
    search("needle", PLAIN);
    CHECK(strlen(shown) == 4 + 3 + 200 + 6 + 200 + 3);
    CHECK(strncmp(shown, "f:1|...xxx", 10) == 0 && strcmp(shown + strlen(shown) - 4, "x...") == 0);
    search("^x", PLAIN);
    CHECK(strlen(shown) == 4 + 1 + 200 + 3);
    search("x$", PLAIN);
    CHECK(strlen(shown) == 4 + 3 + 200 + 1);
    search("needle.*", PLAIN); /* a long match is cut too */
    CHECK(strlen(shown) == 4 + 3 + 200 + 200 + 200 + 3);
    put("g", line, 400);
    search_one("g", "x", PLAIN);
    CHECK(strlen(shown) == 4 + 400); /* not long */
    for (size_t i = 0; i < 999; i++)
        memcpy(line + 3 * i, "\xE2\x82\xAC", 3);
    for (length = 1500; length < 1506; length++) {
        memcpy(line + length, "X", 1);
        put("h", line, 2997);
        search_one("h", "X", PLAIN);
        memcpy(line + length, &"\xE2\x82\xAC"[length % 3], 1);
        CHECK(strlen(shown) < 450 && strstr(shown, "...\xE2\x82\xAC") != NULL);
    }
    end();
    free(line);
}

static void cuts_long_lines_of_context(void)
{
    char text[1200];

    begin("true");
    memset(text, 'y', 1000);
    strcpy(text + 1000, "\nhit\n");
    put_text("f", text);
    search("hit", OPTIONS(.context = 1));
    CHECK(strlen(shown) == 4 + 200 + 3 + 1 + 7);
    CHECK(strcmp(shown + strlen(shown) - 11, "...\nf:2|hit") == 0);
    end();
}

static void escapes_names_that_would_mislead(void)
{
    begin("cd ws && echo hit > \"$(printf 'a\\nb:1|x')\" && echo hit > \"$(printf 'z\\377')\" && "
          "mkdir 'dir with space' && echo hit > 'dir with space/f'");
    CHECK_TEXT(search("hit", PLAIN), "a\\x0ab:1|x:1|hit\ndir with space/f:1|hit\nz\\xff:1|hit");
    CHECK(result.unsendable == 1);
    CHECK_TEXT(result.first_escaped, "a\nb:1|x");
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_FILES, .prefix = "s/")),
               "s/a\\x0ab:1|x\ns/dir with space/f\ns/z\\xff");
    CHECK_TEXT(result.first_escaped, "s/a\nb:1|x");
    search("miss", PLAIN);
    CHECK_TEXT(result.first_escaped, "");
    end();
}

/* ---- what is not searched ---- */

static void skips_and_counts_binary_and_large_files(void)
{
    enum { LIMIT = 4 * MIB };
    char *data = calloc(1, LIMIT + 1);

    begin("true");
    memset(data, 'x', LIMIT + 1);
    memcpy(data, "needle\n", 7);
    put("exact", data, LIMIT);
    put("over", data, LIMIT + 1);
    put("bin1", "needle\0\1", 8);
    data[8191] = '\0';
    put("bin2", data, 20000);
    data[8191] = 'x';
    data[8192] = '\0';
    put("late", data, 20000);
    CHECK_TEXT(search("needle", OPTIONS(.output = SEARCH_FILES)), "exact\nlate");
    CHECK(result.binary == 2 && result.large == 1 && result.files_searched == 2);
    CHECK(result.files_seen == 5);
    CHECK_TEXT(result.first_binary, "bin1");
    CHECK_TEXT(result.first_large, "over");
    search("x", OPTIONS(.prefix = "d/", .file_ceiling = 7, .output = SEARCH_FILES));
    CHECK_TEXT(result.first_large, "d/bin1");
    CHECK(file_status("over", "needle", PLAIN) == CROFT_TOO_LARGE);
    CHECK(file_status("bin1", "needle", PLAIN) == CROFT_OK && result.binary == 1);
    CHECK(result.files_searched == 0 && result.files_seen == 1);
    CHECK_TEXT(search_one("exact", "^needle", PLAIN), "exact:1|needle");
    end();
    free(data);
}

static void follows_no_link_and_opens_no_pipe(void)
{
    begin("cd ws && echo hit > real && ln -s real link && ln -s /etc/passwd pw && mkdir d && "
          "ln -s .. d/up && mkfifo pipe && ln -s ../outside out");
    CHECK_TEXT(search("hit|root|SECRET", PLAIN), "real:1|hit");
    CHECK(result.files_seen == 1 && result.unreadable == 0);
    end();
}

static void searches_what_fits_the_glob(void)
{
    struct glob_fault fault;
    struct glob *only = glob_new("*.c", 3, &fault), *leave = glob_new("gen", 3, &fault);
    const struct glob *const exclude[] = {leave};
    struct search_options options = {.only = only};

    begin("cd ws && mkdir -p src gen && echo hit | tee a.c src/b.c src/b.h gen/c.c > d.md");
    CHECK_TEXT(search("hit", options), "a.c:1|hit\ngen/c.c:1|hit\nsrc/b.c:1|hit");
    CHECK(result.files_seen == 5 && result.files_searched == 3);
    options.tree.exclude = exclude;
    options.tree.exclude_count = 1;
    CHECK_TEXT(search("hit", options), "a.c:1|hit\nsrc/b.c:1|hit");
    CHECK(result.notes.excluded == 1);
    CHECK_TEXT(result.notes.excluded_names, "gen");
    end();
    glob_free(only);
    glob_free(leave);
}

static void tells_of_directories_below_the_ceiling(void)
{
    begin("mkdir -p ws/a/b/c && echo hit | tee ws/a/f ws/a/b/f > ws/a/b/c/f");
    CHECK_TEXT(search("hit", OPTIONS(.tree.depth_ceiling = 2)), "a/b/f:1|hit\na/f:1|hit");
    CHECK(result.notes.deep == 1);
    CHECK_TEXT(result.notes.first_deep, "a/b/c");
    end();
}

static struct sys odd;
static const char *odd_name;
static int odd_errno;

static int odd_openat(int dir, const char *name, int flags, mode_t mode)
{
    if (strcmp(name, odd_name) == 0) {
        errno = odd_errno;
        return -1;
    }
    return sys_kernel.openat(dir, name, flags, mode);
}

static ssize_t failing_pread(int fd, void *buffer, size_t size, off_t offset)
{
    (void)fd, (void)buffer, (void)size, (void)offset;
    errno = EIO;
    return -1;
}

static ssize_t short_pread(int fd, void *buffer, size_t size, off_t offset)
{
    return sys_kernel.pread(fd, buffer, size < 3 ? size : 3, offset);
}

static void counts_files_that_cannot_be_read(void)
{
    begin("cd ws && mkdir d && echo hit | tee a b > d/c");
    odd = sys_kernel;
    odd.openat = odd_openat;
    odd_name = "a";
    odd_errno = EACCES;
    root->sys = &odd;
    CHECK_TEXT(search("hit", PLAIN), "b:1|hit\nd/c:1|hit");
    CHECK(result.unreadable == 1 && result.files_seen == 3 && result.files_searched == 2);
    odd_errno = ENOENT; /* gone meanwhile */
    search("hit", PLAIN);
    CHECK(result.unreadable == 0);
    odd_name = "d";
    odd_errno = EACCES;
    CHECK_TEXT(search("hit", PLAIN), "a:1|hit\nb:1|hit");
    CHECK(result.notes.unreadable == 1);
    CHECK_TEXT(result.notes.first_unreadable, "d");
    odd = sys_kernel;
    odd.pread = failing_pread;
    CHECK_TEXT(search("hit", PLAIN), "");
    CHECK(result.unreadable == 3 && result.files_searched == 0);
    CHECK(file_status("a", "hit", PLAIN) == CROFT_IO);
    odd.pread = short_pread;
    CHECK_TEXT(search("hit", PLAIN), "a:1|hit\nb:1|hit\nd/c:1|hit");
    end();
}

/* ---- files that are larger than what is read at once ---- */

enum { MANY_LINES = 60000 };

struct slow_line {
    const char *text;
    size_t size;
    bool hit;
};

/* The rows for `text` with so much context, in the slow and obvious way: line by line. */
static void slow_rows(const char *text, size_t size, size_t context, struct bytes *out)
{
    static struct slow_line all[MANY_LINES];
    size_t count = 0, last = 0;

    for (size_t at = 0; at < size; count++) {
        const char *lf = memchr(text + at, '\n', size - at);
        size_t end = lf == NULL ? size : (size_t)(lf - text);

        all[count] = (struct slow_line){text + at, end - at, false};
        all[count].hit = memmem(text + at, end - at, "hit", 3) != NULL;
        at = end + 1;
    }
    for (size_t i = 0; i < count; i++) {
        bool near = false;

        for (size_t k = i < context ? 0 : i - context; k <= i + context && k < count; k++)
            near = near || all[k].hit;
        if (!near)
            continue;
        if (out->size > 0)
            bytes_add_text(out, context > 0 && last != i ? "\n--\n" : "\n");
        bytes_add_text(out, "f:");
        bytes_add_number(out, i + 1);
        bytes_add_char(out, all[i].hit ? '|' : '-');
        bytes_add(out, all[i].text, all[i].size);
        last = i + 1;
    }
}

static size_t random_lines(char *text, size_t room, unsigned seed)
{
    size_t size = 0;

    while (size + 400 < room) {
        seed = seed * 1664525u + 1013904223u;
        if ((seed >> 8) % 90 == 0) {
            memcpy(text + size, "a hit\n", 6);
            size += 6;
        } else {
            size_t length = (seed >> 12) % 60;

            memset(text + size, 'x', length);
            text[size + length] = '\n';
            size += length + 1;
        }
    }
    return size;
}

static void finds_in_a_large_file_what_it_finds_line_by_line(void)
{
    enum { SIZE = 1200 * KIB };
    char *text = malloc(SIZE);

    begin("true");
    for (size_t context = 0; context < 4; context++) {
        for (unsigned seed = 1; seed < 5; seed++) {
            size_t size = random_lines(text, SIZE, seed);
            struct bytes wanted = {0};

            put("f", text, size);
            slow_rows(text, size, context, &wanted);
            search("hit", OPTIONS(.context = context, .match_ceiling = 1000000,
                                  .byte_ceiling = sizeof shown - 1));
            CHECK_TEXT(shown, bytes_end(&wanted));
            CHECK(result.end == SEARCH_COMPLETE && result.files_searched == 1);
            bytes_free(&wanted);
        }
    }
    end();
    free(text);
}

static void finds_lines_that_are_longer_than_a_window(void)
{
    enum { SIZE = 3 * MIB };
    char *text = malloc(SIZE);

    begin("true");
    memset(text, 'x', SIZE);
    memcpy(text, "one\ntwo\n", 8);
    memcpy(text + 2 * MIB, "\nhit\n", 5);
    memcpy(text + SIZE - 5, "\nhit\n", 5);
    put("f", text, SIZE);
    CHECK_TEXT(search("^hit$", PLAIN), "f:4|hit\nf:6|hit");
    CHECK_TEXT(search("^x", OPTIONS(.output = SEARCH_COUNT)), "f: 2");
    CHECK_TEXT(search("t", OPTIONS(.output = SEARCH_COUNT)), "f: 3");
    search_one("f", "nothing", PLAIN);
    CHECK(result.lines_searched == 6);
    search_one("f", "two", OPTIONS(.match_ceiling = 1));
    CHECK(result.matches == 1 && result.end == SEARCH_COMPLETE);
    end();
    free(text);
}

static ssize_t growing_pread(int fd, void *buffer, size_t size, off_t offset)
{
    ssize_t count = sys_kernel.pread(fd, buffer, size, offset);

    if (count > 0 || offset < 300 * KIB)
        return count;
    memset(buffer, '\n', size); /* it was written to meanwhile, and has no end */
    return (ssize_t)size;
}

static void takes_back_what_it_showed_of_a_file_that_grew_too_large(void)
{
    enum { SIZE = 400 * KIB };
    char *text = malloc(SIZE);

    begin("true");
    memset(text, '\n', SIZE);
    memcpy(text, "hit\n", 4);
    put("f", text, SIZE);
    put_text("g", "hit\n");
    odd = sys_kernel;
    odd.pread = growing_pread;
    root->sys = &odd;
    CHECK_TEXT(search("hit", PLAIN), "g:1|hit");
    CHECK(result.large == 1 && result.matches == 1 && result.files_matched == 1);
    end();
    free(text);
}

/* ---- ceilings ---- */

static void put_hits(const char *name, unsigned count)
{
    char text[8192];
    size_t size = 0;

    for (unsigned i = 1; i <= count; i++)
        size += (size_t)sprintf(text + size, "hit %u.\n", i);
    put(name, text, size);
}

static void stops_at_the_201st_match(void)
{
    begin("true");
    put_hits("f", 200);
    search("hit", PLAIN);
    CHECK(result.matches == 200 && result.end == SEARCH_COMPLETE && rows() == 200);
    put_hits("f", 201);
    search("hit", PLAIN);
    CHECK(result.matches == 200 && result.end == SEARCH_MATCH_CEILING && rows() == 200);
    CHECK(strstr(shown, "hit 200.") != NULL && strstr(shown, "hit 201.") == NULL);
    CHECK(result.files_searched == 1);
    put_hits("f", 200);
    put_hits("g", 1);
    search("hit", PLAIN);
    CHECK(result.matches == 200 && result.end == SEARCH_MATCH_CEILING);
    CHECK(result.files_matched == 1 && result.files_searched == 2);
    put_text("g", "no\n");
    search("hit", PLAIN);
    CHECK(result.end == SEARCH_COMPLETE && result.files_searched == 2);
    end();
}

static void counts_files_against_the_ceiling_where_files_are_shown(void)
{
    begin("cd ws && for i in 1 2 3 4; do printf 'hit\\nhit\\n' > $i; done");
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_FILES, .match_ceiling = 4)), "1\n2\n3\n4");
    CHECK(result.end == SEARCH_COMPLETE);
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_FILES, .match_ceiling = 3)), "1\n2\n3");
    CHECK(result.end == SEARCH_MATCH_CEILING && result.files_matched == 3);
    CHECK_TEXT(search("hit", OPTIONS(.output = SEARCH_COUNT, .match_ceiling = 3)),
               "1: 2\n2: 2\n3: 2");
    CHECK(result.end == SEARCH_MATCH_CEILING && result.matches == 6);
    end();
}

static void shows_the_context_of_the_last_match_at_the_ceiling(void)
{
    begin("true");
    put_text("f", "hit\na\nb\nhit\n");
    CHECK_TEXT(search("hit", OPTIONS(.context = 1, .match_ceiling = 1)), "f:1|hit\nf:2-a");
    CHECK_TEXT(search("hit", OPTIONS(.context = 5, .match_ceiling = 1)), "f:1|hit\nf:2-a\nf:3-b");
    CHECK(result.end == SEARCH_MATCH_CEILING);
    end();
}

static void stops_before_the_row_that_does_not_fit(void)
{
    begin("true");
    put_text("f", "hit a\nhit b\nx\n");
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 19)), "f:1|hit a\nf:2|hit b");
    CHECK(result.end == SEARCH_COMPLETE);
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 18)), "f:1|hit a");
    CHECK(result.end == SEARCH_BYTE_CEILING && result.matches == 1 && result.files_matched == 1);
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 8)), "");
    CHECK(result.end == SEARCH_BYTE_CEILING && result.matches == 0 && result.files_matched == 0);
    CHECK_TEXT(search("hit b", OPTIONS(.byte_ceiling = 18, .context = 1)),
               ""); /* no lone context */
    CHECK_TEXT(search("hit b", OPTIONS(.byte_ceiling = 19, .context = 1)), "f:1-hit a\nf:2|hit b");
    CHECK(result.end == SEARCH_BYTE_CEILING && result.matches == 1);
    CHECK_TEXT(search("hit b", OPTIONS(.byte_ceiling = 25, .context = 1)),
               "f:1-hit a\nf:2|hit b\nf:3-x");
    CHECK(result.end == SEARCH_COMPLETE);
    put_text("g", "hit\n");
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 3, .output = SEARCH_FILES)), "f\ng");
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 2, .output = SEARCH_FILES)), "f");
    CHECK(result.end == SEARCH_BYTE_CEILING && result.files_matched == 1);
    CHECK_TEXT(search("hit", OPTIONS(.byte_ceiling = 8, .output = SEARCH_COUNT)), "f: 2");
    CHECK(result.end == SEARCH_BYTE_CEILING && result.matches == 2);
    end();
}

/* ---- budget ---- */

static void names_the_file_and_line_that_are_too_expensive(void)
{
    char text[6000] = "fine\n";

    begin("cd ws && echo aaa > a && echo never > z");
    memset(text + 5, 'a', 5000);
    strcpy(text + 5005, "!\nfine\n");
    put_text("f", text);
    search("(a+)+$", OPTIONS(.prefix = "d/"));
    CHECK(result.too_expensive && result.expensive_line == 2);
    CHECK_TEXT(result.expensive_file, "d/f");
    CHECK_TEXT(shown, "d/a:1|aaa");
    CHECK(result.files_searched == 1);
    end();
}

static void ends_in_order_when_the_budget_is_short_and_fails_when_it_is_gone(void)
{
    struct budget tight;
    atomic_bool cancelled = true;
    char *text = malloc(2 * MIB);

    begin("true");
    memset(text, '\n', 2 * MIB);
    for (char name[] = "a"; name[0] <= 'f'; name[0]++)
        put(name, text, 2 * MIB);
    put_text("A", "hit\n");
    budget_start(&tight, 9400, 60000, NULL);
    CHECK(tree_status("hit", OPTIONS(.tree.budget = &tight)) == CROFT_OK);
    CHECK(result.end == SEARCH_TIME && result.files_searched >= 3 && result.files_searched < 6);
    CHECK_TEXT(shown, "A:1|hit");
    budget_start(&tight, 9400, 60000, NULL);
    CHECK(file_status("a", "hit", OPTIONS(.tree.budget = &tight)) == CROFT_OK);
    CHECK(result.end == SEARCH_COMPLETE);
    budget_start(&tight, 1250, 60000, NULL);
    CHECK(file_status("a", "hit", OPTIONS(.tree.budget = &tight)) == CROFT_OK);
    CHECK(result.end == SEARCH_TIME && result.files_searched == 0);
    budget_start(&tight, 3, 60000, NULL);
    CHECK(tree_status("hit", OPTIONS(.tree.budget = &tight)) == CROFT_STOPPED);
    budget_start(&tight, 9400, 60000, &cancelled);
    CHECK(tree_status("hit", OPTIONS(.tree.budget = &tight)) == CROFT_CANCELLED);
    end();
    free(text);
}

int main(void)
{
    shows_each_matching_line_with_path_and_number();
    shows_files_or_counts_when_asked();
    reads_lines_as_everybody_does();
    forgets_the_file_before();
    shows_context_once_and_parts_groups();
    cuts_long_lines_around_the_match();
    cuts_long_lines_of_context();
    escapes_names_that_would_mislead();
    skips_and_counts_binary_and_large_files();
    follows_no_link_and_opens_no_pipe();
    searches_what_fits_the_glob();
    tells_of_directories_below_the_ceiling();
    counts_files_that_cannot_be_read();
    finds_in_a_large_file_what_it_finds_line_by_line();
    finds_lines_that_are_longer_than_a_window();
    takes_back_what_it_showed_of_a_file_that_grew_too_large();
    stops_at_the_201st_match();
    counts_files_against_the_ceiling_where_files_are_shown();
    shows_the_context_of_the_last_match_at_the_ceiling();
    stops_before_the_row_that_does_not_fit();
    names_the_file_and_line_that_are_too_expensive();
    ends_in_order_when_the_budget_is_short_and_fails_when_it_is_gone();
    return check_report("search");
}
