/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"

static struct budget budget;
static struct page page;
static croft_error err;
static char shown[64 * 1024];

static int file_of(const char *data, size_t size)
{
    char name[] = "/tmp/croft-page.XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    unlink(name);
    return fd;
}

/* Reads a page of `data`; its text is then in `shown`, all else in `page`. */
static const char *read_bytes(const char *data, size_t size, struct page_options options)
{
    int fd = file_of(data, size);
    croft_status status;

    if (options.bytes == 0)
        options.bytes = 32 * 1024;
    budget_start(&budget, 1000000000, 60000, NULL);
    options.budget = &budget;
    status = page_read(&sys_kernel, fd, &options, &page, &err);
    close(fd);
    CHECK(status == CROFT_OK);
    CHECK(page.text.size <= options.bytes);
    snprintf(shown, sizeof shown, "%s", status == CROFT_OK ? bytes_end(&page.text) : "failed");
    page_free(&page);
    return shown;
}

static const char *read_text(const char *text, struct page_options options)
{
    return read_bytes(text, strlen(text), options);
}

static const char *all(const char *text)
{
    return read_text(text, (struct page_options){0});
}

#define OPTIONS(...) ((struct page_options){__VA_ARGS__})

static void numbers_every_line(void)
{
    CHECK_TEXT(all("a\nb\n"), "1|a\n2|b");
    CHECK(page.first == 1 && page.last == 2 && page.total == 2 && page.size == 4);
    CHECK(page.final_newline && page.lf == 2 && page.crlf == 0 && page.end == PAGE_FILE_END);
    CHECK_TEXT(all("a\nb"), "1|a\n2|b");
    CHECK(page.total == 2 && !page.final_newline && page.lf == 1);
    CHECK_TEXT(all("\n"), "1|");
    CHECK(page.total == 1 && page.final_newline);
    CHECK_TEXT(all("\n\na\n\n"), "1|\n2|\n3|a\n4|");
    CHECK_TEXT(all("\tindented |\n"), "1|\tindented |");
    CHECK_TEXT(all("a\fb\vc\xC2\x85"
                   "d\xE2\x80\xA8"
                   "e\nf\n"),
               "1|a\fb\vc\xC2\x85"
               "d\xE2\x80\xA8"
               "e\n2|f");
}

/* The number of a row is made of the one before it: over each new digit, and from any line on. */
static void counts_on_over_each_power_of_ten(void)
{
    enum { LINES = 100100 };
    static char text[LINES + 1];
    char wanted[64];

    memset(text, '\n', LINES);
    for (unsigned first = 8; first < LINES; first = (first + 2) * 10 - 2) {
        snprintf(wanted, sizeof wanted, "%u|\n%u|\n%u|\n%u|", first, first + 1, first + 2,
                 first + 3);
        CHECK_TEXT(read_bytes(text, LINES, OPTIONS(.first = first, .limit = 4)), wanted);
    }
    CHECK_TEXT(read_bytes(text, LINES, OPTIONS(.first = 1, .limit = 11)),
               "1|\n2|\n3|\n4|\n5|\n6|\n7|\n8|\n9|\n10|\n11|");
}

static void tells_an_empty_file(void)
{
    CHECK_TEXT(all(""), "");
    CHECK(page.total == 0 && page.first == 0 && page.last == 0 && page.size == 0);
    CHECK(page.end == PAGE_FILE_END && !page.final_newline && !page.binary && page.head_size == 0);
    CHECK_TEXT(read_text("", OPTIONS(.first = -5)), "");
    CHECK(page.end == PAGE_FILE_END);
    CHECK_TEXT(read_text("", OPTIONS(.first = 2)), "");
    CHECK(page.end == PAGE_PAST_END);
}

static void leaves_a_byte_order_mark_out(void)
{
    CHECK_TEXT(all("\xEF\xBB\xBF"
                   "a\nb\n"),
               "1|a\n2|b");
    CHECK(page.bom && page.size == 7 && page.invalid == 0);
    CHECK_TEXT(all("\xEF\xBB\xBF"), "");
    CHECK(page.bom && page.total == 0 && page.size == 3 && !page.final_newline);
    CHECK(page.end == PAGE_FILE_END);
    CHECK_TEXT(all("\xEF\xBB\xBF\n"), "1|");
    CHECK_TEXT(read_text("\xEF\xBB\xBF"
                         "a\nb\n",
                         OPTIONS(.first = -9)),
               "1|a\n2|b");
    CHECK_TEXT(read_text("\xEF\xBB\xBF"
                         "abc\n",
                         OPTIONS(.column = 2)),
               "1|bc");
    CHECK_TEXT(all("a\xEF\xBB\xBF"), "1|a\xEF\xBB\xBF");
    CHECK(!page.bom);
}

static void hides_a_cr_before_lf_only(void)
{
    CHECK_TEXT(all("a\r\nb\r\n"), "1|a\n2|b");
    CHECK(page.crlf == 2 && page.lf == 0);
    CHECK_TEXT(all("a\r\nb\nc\r\n"), "1|a\n2|b\n3|c");
    CHECK(page.crlf == 2 && page.lf == 1);
    CHECK_TEXT(all("a\rb\nc\r\r\nd\r"), "1|a\rb\n2|c\r\n3|d\r");
    CHECK(page.crlf == 1 && page.lf == 1 && page.total == 3);
    CHECK_TEXT(all("\r\n\r\n"), "1|\n2|");
}

static void repairs_what_is_not_utf8(void)
{
    CHECK_TEXT(all("a\xFF"
                   "b\n\xC3\n"),
               "1|a\xEF\xBF\xBD"
               "b\n2|\xEF\xBF\xBD");
    CHECK(page.invalid == 2);
    CHECK_TEXT(read_text("a\xFF\nb\n", OPTIONS(.first = 2)), "2|b");
    CHECK(page.invalid == 0); /* of the page, not of the file */
}

static void shows_nothing_of_a_binary_file(void)
{
    static char large[20000];

    CHECK_TEXT(read_bytes("\x7F"
                          "ELF\0abc\n",
                          9, OPTIONS(0)),
               "");
    CHECK(page.binary && page.size == 9 && page.head_size == 9);
    CHECK(memcmp(page.head,
                 "\x7F"
                 "ELF",
                 4) == 0 &&
          page.total == 0);
    CHECK_TEXT(read_bytes("\xEF\xBB\xBF\0", 4, OPTIONS(0)), "");
    CHECK(page.binary && !page.bom);
    memset(large, 'x', sizeof large);
    large[8191] = '\0';
    read_bytes(large, sizeof large, OPTIONS(0));
    CHECK(page.binary && page.size == sizeof large && page.head_size == 16);
    large[8191] = 'x';
    large[8192] = '\0'; /* behind the probe: text */
    read_bytes(large, sizeof large, OPTIONS(0));
    CHECK(!page.binary && page.total == 1);
}

static void shows_the_window_that_is_asked_for(void)
{
    static const char text[] = "11\n12\n13\n14\n15\n";

    CHECK_TEXT(read_text(text, OPTIONS(.first = 3, .limit = 2)), "3|13\n4|14");
    CHECK(page.end == PAGE_LIMIT && page.first == 3 && page.last == 4 && page.total == 5);
    CHECK_TEXT(read_text(text, OPTIONS(.first = 4, .limit = 2)), "4|14\n5|15");
    CHECK(page.end == PAGE_FILE_END);
    CHECK_TEXT(read_text(text, OPTIONS(.first = 5, .limit = 9)), "5|15");
    CHECK_TEXT(read_text(text, OPTIONS(.first = 0, .limit = 1)), "1|11");
    CHECK_TEXT(read_text(text, OPTIONS(.first = 6)), "");
    CHECK(page.end == PAGE_PAST_END && page.total == 5 && page.crlf == 0 && page.lf == 5);
    CHECK_TEXT(read_text(text, OPTIONS(.first = INT64_MAX)), "");
    CHECK(page.end == PAGE_PAST_END);
}

static void counts_from_the_end(void)
{
    CHECK_TEXT(read_text("a\nb\nc\n", OPTIONS(.first = -2)), "2|b\n3|c");
    CHECK(page.first == 2 && page.last == 3 && page.end == PAGE_FILE_END);
    CHECK_TEXT(read_text("a\nb\nc", OPTIONS(.first = -2)), "2|b\n3|c");
    CHECK_TEXT(read_text("a\nb\nc", OPTIONS(.first = -1)), "3|c");
    CHECK_TEXT(read_text("a\nb\n\n", OPTIONS(.first = -1)), "3|");
    CHECK_TEXT(read_text("a\nb\nc\n", OPTIONS(.first = -3)), "1|a\n2|b\n3|c");
    CHECK_TEXT(read_text("a\nb\nc\n", OPTIONS(.first = -4)), "1|a\n2|b\n3|c");
    CHECK_TEXT(read_text("a\nb\nc\n", OPTIONS(.first = INT64_MIN)), "1|a\n2|b\n3|c");
    CHECK_TEXT(read_text("a\nb\nc\n", OPTIONS(.first = -3, .limit = 2)), "1|a\n2|b");
    CHECK(page.end == PAGE_LIMIT);
    CHECK_TEXT(read_text("a\r\nb\r\nc\r\n", OPTIONS(.first = -2)), "2|b\n3|c");
}

static void fills_a_page_to_the_last_byte(void)
{
    static const char text[] =
        "0123456789\n0123456789\n0123456789\n"; /* rows of 12, and the LF between */

    read_text(text, OPTIONS(.bytes = 38));
    CHECK(page.last == 3 && page.end == PAGE_FILE_END);
    read_text(text, OPTIONS(.bytes = 37));
    CHECK(page.last == 2 && page.end == PAGE_BYTES);
    CHECK(strlen(shown) == 25);
    read_text("0123456789012345678901234567\r\n0\r\n", OPTIONS(.bytes = 34));
    CHECK(page.last == 2 && page.end == PAGE_FILE_END);
    read_text("0123456789012345678901234567\r\n0\r\n", OPTIONS(.bytes = 33));
    CHECK(page.last == 1 && page.end == PAGE_BYTES);
    read_text("012345678901234567890123456789", OPTIONS(.bytes = 32));
    CHECK(page.last == 1 && page.end == PAGE_FILE_END);
    read_text("0123456789012345678901234\xFF\xFF", OPTIONS(.bytes = 33)); /* shown with 4 more */
    CHECK(page.last == 1 && page.end == PAGE_FILE_END && page.invalid == 2);
    read_text("0123456789012345678901234\xFF\xFF", OPTIONS(.bytes = 32));
    CHECK(page.end == PAGE_LONG_LINE && page.last_byte == 26 && page.invalid == 1);
}

static void pages_through_a_long_line(void)
{
    enum { SIZE = 40000 };
    static char text[SIZE + 8];

    memset(text, 'x', SIZE);
    strcpy(text + SIZE, "\r\ntail\n");
    read_text(text, OPTIONS(.bytes = 32768));
    CHECK(page.end == PAGE_LONG_LINE && page.first == 1 && page.last == 1 && page.total == 2);
    CHECK(page.line_bytes == SIZE && page.last_byte == 32766 && strlen(shown) == 32768);
    read_text(text, OPTIONS(.bytes = 32768, .column = 32767));
    CHECK(page.end == PAGE_FILE_END && page.first == 1 && page.last == 2);
    CHECK(strlen(shown) == 2 + SIZE - 32766 + 1 + 6);
    CHECK(strcmp(shown + strlen(shown) - 6, "2|tail") == 0);
    read_text(text, OPTIONS(.bytes = 100, .column = 101));
    CHECK(page.end == PAGE_LONG_LINE && page.last_byte == 198 && page.line_bytes == SIZE);
    CHECK_TEXT(read_text(text, OPTIONS(.bytes = 100, .column = SIZE, .limit = 1)), "1|x");
    CHECK(page.end == PAGE_LIMIT);
    CHECK_TEXT(read_text(text, OPTIONS(.column = SIZE + 1)), "");
    CHECK(page.end == PAGE_PAST_LINE && page.line_bytes == SIZE && page.first == 1);
    CHECK_TEXT(read_text(text, OPTIONS(.first = 2)), "2|tail");
    CHECK_TEXT(read_text(text, OPTIONS(.first = -1, .column = 3)), "2|il");
    CHECK_TEXT(read_text("a\n\nb", OPTIONS(.first = 2, .column = 1)), "2|\n3|b");
    CHECK_TEXT(read_text("a\n\nb", OPTIONS(.first = 2, .column = 2)), "");
    CHECK(page.end == PAGE_PAST_LINE && page.line_bytes == 0);
}

static void never_halves_a_character(void)
{
    static char text[3 * 100 + 1];

    for (size_t i = 0; i < 100; i++)
        memcpy(text + 3 * i, "\xE2\x82\xAC", 3);
    for (uint64_t bytes = 32; bytes < 40; bytes++) {
        read_text(text, OPTIONS(.bytes = bytes));
        CHECK(page.end == PAGE_LONG_LINE && page.last_byte % 3 == 0 && page.invalid == 0);
        CHECK(page.last_byte == (bytes - 2) / 3 * 3);
    }
    for (uint64_t column = 31; column < 34; column++) { /* inside: from its begin */
        read_text(text, OPTIONS(.bytes = 32, .column = column));
        CHECK(page.last_byte == 60 && page.invalid == 0 && strlen(shown) == 32);
    }
    CHECK_TEXT(read_text("a\xF0\x9F\x98\x80"
                         "b",
                         OPTIONS(.column = 5)),
               "1|\xF0\x9F\x98\x80"
               "b");
    CHECK_TEXT(read_text("a\xF0\x9F\x98\x80"
                         "b",
                         OPTIONS(.column = 6)),
               "1|b");
    CHECK_TEXT(read_text("a\x80\x80"
                         "b",
                         OPTIONS(.column = 3)),
               "1|\xEF\xBF\xBD"
               "b");
    CHECK_TEXT(read_text("\xF0\x9F\n\x98\x80", OPTIONS(.first = 2, .column = 2)), "2|\xEF\xBF\xBD");
}

static void is_exact_in_a_file_of_many_windows(void)
{
    enum { LINES = 200000 };
    char *text = malloc(LINES * 9 + 1);
    char wanted[64];
    size_t size = 0;

    for (unsigned i = 1; i <= LINES; i++)
        size += (size_t)sprintf(text + size, "%06u%s", i, i % 2 == 0 ? "\r\n" : "\n");
    for (unsigned first = 1; first <= LINES; first += 9973) {
        snprintf(wanted, sizeof wanted, "%u|%06u", first, first);
        CHECK_TEXT(read_bytes(text, size, OPTIONS(.first = first, .limit = 1)), wanted);
        CHECK_TEXT(read_bytes(text, size, OPTIONS(.first = (int64_t)first - LINES - 1, .limit = 1)),
                   wanted);
        CHECK(page.total == LINES && page.crlf == LINES / 2 && page.lf == LINES / 2);
        CHECK(page.size == size && page.final_newline);
    }
    free(text);
}

static void finds_line_ends_at_the_edge_of_a_window(void)
{
    enum { WINDOW = 256 * 1024 };
    char *text = malloc(WINDOW + 64);

    for (int shift = -3; shift <= 3; shift++) {
        size_t end = (size_t)(WINDOW + shift);

        memset(text, 'x', WINDOW + 64);
        memcpy(text + end - 2, "\r\n", 2);
        memcpy(text + end, "tail\n", 5);
        CHECK_TEXT(read_bytes(text, end + 5, OPTIONS(.first = 2)), "2|tail");
        CHECK(page.crlf == 1 && page.lf == 1 && page.total == 2);
        CHECK_TEXT(read_bytes(text, end + 5, OPTIONS(.first = -1)), "2|tail");
        read_bytes(text, end + 5, OPTIONS(.bytes = 64));
        CHECK(page.end == PAGE_LONG_LINE && page.line_bytes == end - 2);
        read_bytes(text, end, OPTIONS(.first = -1, .bytes = 64));
        CHECK(page.total == 1 && page.first == 1 && page.line_bytes == end - 2);
        read_bytes(text, WINDOW, OPTIONS(.first = 3));
        CHECK(page.size == WINDOW && page.end == PAGE_PAST_END);
    }
    free(text);
}

static void charges_and_honours_the_budget(void)
{
    enum { SIZE = 1024 * 1024 };
    char *text = malloc(SIZE);
    struct page_options options = {.bytes = 32768, .budget = &budget};
    atomic_bool cancelled = true;
    int fd;

    memset(text, '\n', SIZE);
    fd = file_of(text, SIZE);
    budget_start(&budget, 1000000, 60000, NULL);
    CHECK(page_read(&sys_kernel, fd, &options, &page, &err) == CROFT_OK);
    CHECK(budget.steps_given - budget.steps_left >= SIZE / 64);
    CHECK(budget.steps_given - budget.steps_left < SIZE / 16);
    page_free(&page);
    budget_start(&budget, 10000, 60000, NULL);
    CHECK(page_read(&sys_kernel, fd, &options, &page, &err) == CROFT_STOPPED);
    budget_start(&budget, 1000000, 60000, &cancelled);
    CHECK(page_read(&sys_kernel, fd, &options, &page, &err) == CROFT_CANCELLED);
    close(fd);
    free(text);
}

static void tells_that_reading_failed(void)
{
    struct page_options options = {.bytes = 32768, .budget = &budget};

    budget_start(&budget, 1000000, 60000, NULL);
    CHECK(page_read(&sys_kernel, -1, &options, &page, &err) == CROFT_IO);
    CHECK(page.text.data == NULL);
}

int main(void)
{
    numbers_every_line();
    counts_on_over_each_power_of_ten();
    tells_an_empty_file();
    leaves_a_byte_order_mark_out();
    hides_a_cr_before_lf_only();
    repairs_what_is_not_utf8();
    shows_nothing_of_a_binary_file();
    shows_the_window_that_is_asked_for();
    counts_from_the_end();
    fills_a_page_to_the_last_byte();
    pages_through_a_long_line();
    never_halves_a_character();
    is_exact_in_a_file_of_many_windows();
    finds_line_ends_at_the_edge_of_a_window();
    charges_and_honours_the_budget();
    tells_that_reading_failed();
    return check_report("page");
}
