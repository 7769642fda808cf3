/* SPDX-License-Identifier: MIT */
#include "bytes.h"
#include "check.h"

static void check_growth(void)
{
    struct bytes bytes = {0};
    bool right = true;

    for (int i = 0; i < 100000; i++)
        bytes_add_char(&bytes, (char)('a' + i % 26));
    for (int i = 0; i < 100000; i++)
        right = right && bytes.data[i] == (char)('a' + i % 26);
    CHECK(right);
    CHECK(bytes.size == 100000);
    CHECK(bytes.capacity >= bytes.size);
    CHECK(!bytes.failed);
    bytes_free(&bytes);
    CHECK(bytes.data == NULL && bytes.size == 0 && bytes.capacity == 0 && !bytes.failed);
    bytes_free(&bytes);
}

static void check_pieces(void)
{
    struct bytes bytes = {0};

    CHECK_TEXT(bytes_end(&bytes), "");
    CHECK(bytes.size == 0);
    bytes_add(&bytes, NULL, 0);
    bytes_add_text(&bytes, "");
    CHECK(bytes.size == 0);
    bytes_add_text(&bytes, "one ");
    bytes_add(&bytes, "two and more", 3);
    bytes_add_char(&bytes, ' ');
    bytes_add_number(&bytes, 3);
    CHECK_TEXT(bytes_end(&bytes), "one two 3");
    CHECK(bytes.size == 9);
    bytes_add_char(&bytes, '!'); /* over the NUL */
    CHECK_TEXT(bytes_end(&bytes), "one two 3!");
    bytes_add(&bytes, "\0x", 2);
    CHECK(bytes.size == 12);
    bytes_free(&bytes);
}

static void check_numbers(void)
{
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {10, "10"},
        {4096, "4096"},
        {UINT32_MAX, "4294967295"},
        {UINT64_MAX, "18446744073709551615"},
    };
    struct bytes bytes = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes_clear(&bytes);
        bytes_add_number(&bytes, cases[i].number);
        CHECK_TEXT(bytes_end(&bytes), cases[i].text);
    }
    bytes_free(&bytes);
}

static void check_clear_keeps_memory(void)
{
    struct bytes bytes = {0};
    size_t capacity;
    const char *data;

    CHECK(bytes_reserve(&bytes, 1000));
    capacity = bytes.capacity;
    data = bytes.data;
    CHECK(capacity >= 1000);
    CHECK(bytes.size == 0);
    bytes_add_text(&bytes, "text");
    bytes_clear(&bytes);
    CHECK(bytes.size == 0 && bytes.capacity == capacity && bytes.data == data);
    CHECK(bytes_reserve(&bytes, 0));
    bytes_free(&bytes);
}

static void check_failure_sticks(void)
{
    struct bytes bytes = {0};

    bytes_add_text(&bytes, "kept");
    CHECK(!bytes_reserve(&bytes, SIZE_MAX));
    CHECK(bytes.failed);
    CHECK(!bytes_reserve(&bytes, 0));
    bytes_add_char(&bytes, 'x');
    bytes_add_text(&bytes, "more");
    bytes_add_number(&bytes, 1);
    CHECK(bytes.size == 4 && memcmp(bytes.data, "kept", 4) == 0);
    CHECK_TEXT(bytes_end(&bytes), "");
    bytes_clear(&bytes);
    CHECK(bytes.failed);
    bytes_free(&bytes);
    CHECK(!bytes.failed);
}

int main(void)
{
    check_growth();
    check_pieces();
    check_numbers();
    check_clear_keeps_memory();
    check_failure_sticks();
    return check_report("bytes");
}
