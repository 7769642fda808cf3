/* SPDX-License-Identifier: MIT */
#include "utf8.h"

#include "check.h"

/* A string literal with its size, so that it may hold NUL. */
#define TEXT(literal) literal, sizeof(literal) - 1

static void check_lengths(void)
{
    static const struct {
        const char *text;
        size_t size, length;
    } cases[] = {
        {TEXT(""), 0},
        {TEXT("a"), 1},
        {TEXT("\0"), 1},
        {TEXT("\x7F"), 1},
        {TEXT("\x80"), 0},
        {TEXT("\xBF"), 0},
        {TEXT("\xC0\x80"), 0}, /* overlong NUL */
        {TEXT("\xC1\xBF"), 0},
        {TEXT("\xC2\x80"), 2},
        {TEXT("\xC2"), 0},
        {TEXT("\xC2\x7F"), 0},
        {TEXT("\xC2\xC0"), 0},
        {TEXT("\xDF\xBF"), 2},
        {TEXT("\xE0\x9F\xBF"), 0}, /* overlong */
        {TEXT("\xE0\xA0\x80"), 3},
        {TEXT("\xE2\x82"), 0},
        {TEXT("\xE2\x82\xAC"), 3},
        {TEXT("\xE2\x28\xA1"), 0},
        {TEXT("\xE2\x82\x28"), 0},
        {TEXT("\xED\x9F\xBF"), 3},
        {TEXT("\xED\xA0\x80"), 0}, /* U+D800 */
        {TEXT("\xED\xBF\xBF"), 0}, /* U+DFFF */
        {TEXT("\xEE\x80\x80"), 3},
        {TEXT("\xEF\xBB\xBF"), 3},
        {TEXT("\xEF\xBF\xBF"), 3}, /* U+FFFF is no character, but a code point */
        {TEXT("\xF0\x8F\xBF\xBF"), 0},
        {TEXT("\xF0\x90\x80\x80"), 4},
        {TEXT("\xF0\x9F\x98\x80"), 4},
        {TEXT("\xF0\x9F\x98"), 0},
        {TEXT("\xF0\x9F\x98\x28"), 0},
        {TEXT("\xF0\x9F\x28\x80"), 0},
        {TEXT("\xF4\x8F\xBF\xBF"), 4},
        {TEXT("\xF4\x90\x80\x80"), 0}, /* U+110000 */
        {TEXT("\xF5\x80\x80\x80"), 0},
        {TEXT("\xF8\x88\x80\x80\x80"), 0},
        {TEXT("\xFE"), 0},
        {TEXT("\xFF"), 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(utf8_length(cases[i].text, cases[i].size) == cases[i].length);
        CHECK((utf8_valid(cases[i].text, cases[i].size) == cases[i].size) ==
              (cases[i].length == cases[i].size));
    }
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code <= 0xDFFF;
}

static void check_every_code_point(void)
{
    uint32_t wrong = 0;

    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char text[4];
        size_t size = utf8_encode(code, text);

        if (is_surrogate(code))
            wrong += utf8_length(text, size) != 0;
        else
            wrong += utf8_length(text, size) != size || utf8_decode(text, size) != code;
    }
    CHECK(wrong == 0);
}

/* Of all sequences of three bytes exactly those that an encoder makes are valid. */
static void check_every_three_bytes(void)
{
    size_t valid = 0;

    for (unsigned i = 0; i < 1u << 24; i++) {
        char text[3] = {(char)(i >> 16), (char)(i >> 8 & 255), (char)(i & 255)};

        valid += utf8_length(text, 3) == 3;
    }
    CHECK(valid == 0x10000 - 0x800 - 0x800);
}

/* A bad byte at each place of a long text, so that each alignment of the fast path meets it. */
static void check_valid_runs(void)
{
    char text[64];

    memset(text, 'x', sizeof text);
    CHECK(utf8_valid(NULL, 0) == 0);
    for (size_t size = 0; size <= sizeof text; size++) {
        CHECK(utf8_valid(text, size) == size);
        for (size_t at = 0; at < size; at++) {
            text[at] = '\x80';
            CHECK(utf8_valid(text, size) == at);
            text[at] = 'x';
        }
    }
    CHECK(utf8_valid(TEXT("\xD0\x96\xD0\x96\xD0\x96 abcdefgh \xF0\x9F\x98\x80.\xC3")) == 21);
    CHECK(utf8_valid(TEXT("abc\0def")) == 7);
}

static void check_repair(void)
{
    static const struct {
        const char *text;
        size_t size, wrong;
        const char *repaired;
    } cases[] = {
        {TEXT(""), 0, ""},
        {TEXT("plain"), 0, "plain"},
        {TEXT("\xC3\xA9"), 0, "\xC3\xA9"},
        {TEXT("\xE9"), 1, "\xEF\xBF\xBD"},
        {TEXT("a\xE9z"), 1, "a\xEF\xBF\xBDz"},
        {TEXT("\xE2\x82"), 2, "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {TEXT("\xED\xA0\x80"), 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {TEXT("\xFF\xFEh"), 2, "\xEF\xBF\xBD\xEF\xBF\xBDh"},
        {TEXT("12345678\xFF"
              "12345678"),
         1,
         "12345678\xEF\xBF\xBD"
         "12345678"},
        {TEXT("\xEF\xBF\xBD"), 0, "\xEF\xBF\xBD"},
    };
    struct bytes out = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes_clear(&out);
        CHECK(utf8_repair(&out, cases[i].text, cases[i].size) == cases[i].wrong);
        CHECK_TEXT(bytes_end(&out), cases[i].repaired);
    }
    bytes_clear(&out);
    CHECK(utf8_repair(&out, NULL, 0) == 0 && out.size == 0);
    bytes_free(&out);
}

static void check_cut(void)
{
    static const struct {
        const char *text;
        size_t size, at, cut;
    } cases[] = {
        {TEXT(""), 0, 0},
        {TEXT(""), 9, 0},
        {TEXT("abc"), 0, 0},
        {TEXT("abc"), 2, 2},
        {TEXT("abc"), 3, 3},
        {TEXT("abc"), 4, 3},
        {TEXT("\xC3\xA9x"), 1, 0},
        {TEXT("\xC3\xA9x"), 2, 2},
        {TEXT("a\xE2\x82\xACz"), 1, 1},
        {TEXT("a\xE2\x82\xACz"), 2, 1},
        {TEXT("a\xE2\x82\xACz"), 3, 1},
        {TEXT("a\xE2\x82\xACz"), 4, 4},
        {TEXT("\xF0\x9F\x98\x80"), 1, 0},
        {TEXT("\xF0\x9F\x98\x80"), 3, 0},
        {TEXT("\xF0\x9F\x98\x80"), 4, 4},
        {TEXT("\xF0\x9F\x98"), 2, 2}, /* cut off: bytes of their own */
        {TEXT("\x80\x80\x80\x80"), 3, 3},
        {TEXT("\xC3\xA9\xA9"), 2, 2},
        {TEXT("\xC3\xC3\xA9"), 1, 1},
        {TEXT("\xC3\xC3\xA9"), 2, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(utf8_cut(cases[i].text, cases[i].size, cases[i].at) == cases[i].cut);
}

static void check_names(void)
{
    static const struct {
        const char *name;
        size_t size;
        bool sendable;
        const char *shown;
    } cases[] = {
        {TEXT(""), true, ""},
        {TEXT("src/main.c"), true, "src/main.c"},
        {TEXT("a b\\c\"d"), true, "a b\\c\"d"},
        {TEXT("caf\xC3\xA9"), true, "caf\xC3\xA9"},
        {TEXT("\xF0\x9F\x98\x80"), true, "\xF0\x9F\x98\x80"},
        {TEXT("a\nb"), true, "a\\x0ab"},
        {TEXT("\x1B[2J"), true, "\\x1b[2J"},
        {TEXT("\0"), true, "\\x00"},
        {TEXT("\x7F"), true, "\\x7f"},
        {TEXT("\xC2\x80"), true, "\\xc2\\x80"},
        {TEXT("\xC2\x9F"), true, "\\xc2\\x9f"},
        {TEXT("\xC2\xA0"), true, "\xC2\xA0"},
        {TEXT("\xD8\x9C"), true, "\\xd8\\x9c"},       /* U+061C */
        {TEXT("\xE2\x80\x8D"), true, "\xE2\x80\x8D"}, /* U+200D joins emoji */
        {TEXT("\xE2\x80\x8E\xE2\x80\x8F"), true, "\\xe2\\x80\\x8e\\xe2\\x80\\x8f"},
        {TEXT("\xE2\x80\xA7"), true, "\xE2\x80\xA7"},
        {TEXT("\xE2\x80\xA8"), true, "\\xe2\\x80\\xa8"},
        {TEXT("\xE2\x80\xA9"), true, "\\xe2\\x80\\xa9"},
        {TEXT("x\xE2\x80\xAEgpj.exe"), true, "x\\xe2\\x80\\xaegpj.exe"}, /* U+202E */
        {TEXT("\xE2\x80\xAF"), true, "\xE2\x80\xAF"},
        {TEXT("\xE2\x81\xA5"), true, "\xE2\x81\xA5"},
        {TEXT("\xE2\x81\xA6\xE2\x81\xA9"), true, "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
        {TEXT("\xE2\x81\xAA"), true, "\xE2\x81\xAA"},
        {TEXT("\xE9t\xE9"), false, "\\xe9t\\xe9"},
        {TEXT("\xED\xA0\x80"), false, "\\xed\\xa0\\x80"},
        {TEXT("ok\xC3"), false, "ok\\xc3"},
    };
    struct bytes out = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes_clear(&out);
        CHECK(utf8_add_name(&out, cases[i].name, cases[i].size) == cases[i].sendable);
        CHECK_TEXT(bytes_end(&out), cases[i].shown);
    }
    bytes_free(&out);
}

int main(void)
{
    check_lengths();
    check_every_code_point();
    check_every_three_bytes();
    check_valid_runs();
    check_repair();
    check_cut();
    check_names();
    return check_report("utf8");
}
