/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <stdlib.h>

#include "check.h"

/* What lines_count and lines_count_crlf have to say, byte by byte. */
static bool counts_are_right(const char *text, size_t size, char before)
{
    size_t ends = 0, pairs = 0;

    for (size_t i = 0; i < size; i++) {
        char previous = i == 0 ? before : text[i - 1];

        ends += text[i] == '\n';
        pairs += text[i] == '\n' && previous == '\r';
    }
    return lines_count(text, size) == ends && lines_count_crlf(text, size, before) == pairs;
}

static void counts_exactly_at_every_size_and_place(void)
{
    enum { SIZE = 20000 };
    static const char kinds[] = "\n\r\nx\xFF\r\n";
    char *text = malloc(SIZE);
    bool right = true;
    unsigned state = 1;

    for (size_t i = 0; i < SIZE; i++) {
        state = state * 1103515245u + 12345u;
        text[i] = kinds[(state >> 16) % 7];
    }
    for (size_t from = 0; from < 70; from++) {
        for (size_t size = 0; size < 200; size++)
            right = right && counts_are_right(text + from, size, size % 2 == 0 ? '\r' : 'x');
    }
    CHECK(right);
    CHECK(counts_are_right(text, SIZE, '\0'));
    memset(text, '\n', SIZE);
    CHECK(lines_count(text, SIZE) == SIZE && lines_count_crlf(text, SIZE, '\r') == 1);
    for (size_t i = 0; i < SIZE; i += 2)
        text[i] = '\r';
    CHECK(lines_count_crlf(text, SIZE, '\0') == SIZE / 2);
    CHECK(lines_count(NULL, 0) == 0 && lines_count_crlf(NULL, 0, '\r') == 0);
    free(text);
}

static void finds_where_lines_begin_and_end(void)
{
    static const char text[] = "ab\r\n\nc\r";
    size_t size = 7;

    CHECK(lines_end(text, size, 0) == 3 && lines_trim(text, size, 0, 3) == 2);
    CHECK(lines_end(text, size, 4) == 4 && lines_trim(text, size, 4, 4) == 4);
    CHECK(lines_end(text, size, 5) == 7 && lines_trim(text, size, 5, 7) == 7); /* no LF: text */
    CHECK(lines_end(text, size, 7) == 7);
    CHECK(lines_start(text, 0, 3) == 0 && lines_start(text, 0, 4) == 4);
    CHECK(lines_start(text, 0, 7) == 5 && lines_start(text, 4, 4) == 4);
    CHECK(lines_trim("\n\n", 2, 1, 1) == 1);
    CHECK(lines_trim("\r\n", 2, 0, 1) == 0);
}

static void knows_binary_files_and_byte_order_marks(void)
{
    char text[TEXT_PROBE + 1];

    memset(text, 'x', sizeof text);
    CHECK(!lines_binary(text, sizeof text) && !lines_binary(text, 0));
    text[TEXT_PROBE] = '\0';
    CHECK(!lines_binary(text, sizeof text));
    text[TEXT_PROBE - 1] = '\0';
    CHECK(lines_binary(text, sizeof text) && !lines_binary(text, TEXT_PROBE - 1));
    CHECK(lines_mark("\xEF\xBB\xBFx", 4) == 3 && lines_mark("\xEF\xBB\xBF", 3) == 3);
    CHECK(lines_mark("\xEF\xBB", 2) == 0 && lines_mark("x\xEF\xBB\xBF", 4) == 0);
}

int main(void)
{
    counts_exactly_at_every_size_and_place();
    finds_where_lines_begin_and_end();
    knows_binary_files_and_byte_order_marks();
    return check_report("lines");
}
