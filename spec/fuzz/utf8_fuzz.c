/* SPDX-License-Identifier: MIT */
/* UTF-8: the quick functions agree with a slow one, and what was repaired is valid and stays so. */
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
    if (!good)
        abort();
}

/* Length of the character at `text` by the definition: what encodes to the very same bytes. */
static size_t slow_length(const char *text, size_t size)
{
    for (size_t length = 1; length <= 4 && length <= size; length++) {
        uint32_t code = utf8_decode(text, length);
        char again[4];

        if (code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) &&
            utf8_encode(code, again) == length && memcmp(again, text, length) == 0)
            return length;
    }
    return 0;
}

static void check_lengths(const char *text, size_t size)
{
    size_t valid = utf8_valid(text, size), at = 0;

    require(valid <= size);
    while (at < valid) {
        size_t length = utf8_length(text + at, size - at);

        require(length > 0 && length == slow_length(text + at, size - at));
        at += length;
    }
    require(at == valid);
    require(valid == size || (utf8_length(text + valid, size - valid) == 0 &&
                              slow_length(text + valid, size - valid) == 0));
}

/* The boundaries that utf8_cut finds are those that a walk from the start meets. */
static void check_cuts(const char *text, size_t size)
{
    size_t boundary = 0, next = 0;

    for (size_t at = 0; at <= size; at++) {
        if (at == next && at < size) {
            size_t length = utf8_length(text + at, size - at);

            boundary = at;
            next = at + (length == 0 ? 1 : length);
        } else if (at == size) {
            boundary = size;
        }
        require(utf8_cut(text, size, at) == boundary);
    }
    require(utf8_cut(text, size, size + 1) == size);
}

static void check_repair(const char *text, size_t size)
{
    struct bytes once = {0}, twice = {0};
    size_t wrong = utf8_repair(&once, text, size);

    require(!once.failed);
    require(once.size == size + 2 * wrong);
    require((wrong == 0) == (utf8_valid(text, size) == size));
    require(utf8_valid(once.data, once.size) == once.size);
    require(utf8_repair(&twice, once.data, once.size) == 0 && twice.size == once.size);
    bytes_free(&once);
    bytes_free(&twice);
}

static void check_name(const char *text, size_t size)
{
    struct bytes shown = {0};
    bool sendable = utf8_add_name(&shown, text, size);

    require(sendable == (utf8_valid(text, size) == size));
    require(utf8_valid(shown.data, shown.size) == shown.size);
    for (size_t i = 0; i < shown.size; i++)
        require((unsigned char)shown.data[i] >= 0x20 && shown.data[i] != 0x7F);
    bytes_free(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;

    check_lengths(text, size);
    check_cuts(text, size);
    check_repair(text, size);
    check_name(text, size);
    return 0;
}
