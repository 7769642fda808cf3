/* SPDX-License-Identifier: MIT */
#include "json_scan.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "check.h"
#include "utf8.h"

enum { DEPTH = 128 };

/* A string literal with its size, so that it may hold NUL. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct json_slice slice(const char *text)
{
    return (struct json_slice){text, strlen(text)};
}

static const struct json_slice good[] = {
    TEXT("null"),
    TEXT("true"),
    TEXT("false"),
    TEXT("0"),
    TEXT("\"\""),
    TEXT("[]"),
    TEXT("{}"),
    TEXT(" \t\r\n null \t\r\n "),
    TEXT("[ ]"),
    TEXT("{ }"),
    TEXT("[\n]"),
    TEXT("{\t}\n"),
    /* numbers */
    TEXT("-0"),
    TEXT("1"),
    TEXT("-1"),
    TEXT("10"),
    TEXT("1234567890"),
    TEXT("0.0"),
    TEXT("-0.5"),
    TEXT("1.25"),
    TEXT("0e0"),
    TEXT("0E+1"),
    TEXT("1e400"),
    TEXT("-1e400"),
    TEXT("1e-400"),
    TEXT("1E22"),
    TEXT("1.5e+9"),
    TEXT("123.456e-78"),
    TEXT("1e00"),
    TEXT("1e0123"),
    TEXT("9007199254740993"),
    TEXT("100000000000000000000000000000000000000000000000000000000"),
    TEXT("-123123123123123123123123123123"),
    TEXT("0.1234567890123456789012345678901234567890"),
    TEXT("[ 4]"),
    TEXT("[-0]"),
    TEXT("[1e1 ]"),
    TEXT(" 1 "),
    /* strings */
    TEXT("\"a\""),
    TEXT("\"\\\"\""),
    TEXT("\"\\\\\""),
    TEXT("\"\\/\\b\\f\\n\\r\\t\""),
    TEXT("\"\\u0000\""),
    TEXT("\"\\u001f\\u0020\\uFFFF\\uabcd\\uABCD\""),
    TEXT("\"\x7F\""),
    TEXT("\"\\\\n\""),
    TEXT("\"\\\\\\\"\""),
    TEXT("\" \""),
    TEXT("\"/\""),
    TEXT("\"'\""),
    TEXT("\"\xC3\xA9\""),
    TEXT("\"\xE2\x82\xAC\""),
    TEXT("\"\xF0\x9F\x98\x80\""),
    TEXT("\"\xF4\x8F\xBF\xBF\""),
    TEXT("\"\xE2\x80\xA8\xE2\x80\xA9\""),
    TEXT("\"\xEF\xBB\xBF\""),
    TEXT("\"\xEF\xBF\xBE\xEF\xBF\xBF\""),
    TEXT("\"\xC2\x80\""),
    TEXT("\"\\ud83d\\ude00\""),
    TEXT("\"\\uD800\""),
    TEXT("\"\\uDC00\""),
    TEXT("\"\\uDC00\\uD800\""),
    TEXT("\"\\ud800abc\""),
    TEXT("\"\\uD800\\uD800\\uDC00\""),
    TEXT("\"\\uDBFF\\u0041\""),
    TEXT("\"a long text of plain characters, over several words of eight\""),
    TEXT("\"[{]},:\""),
    TEXT("\"/* no comment */\""),
    /* arrays */
    TEXT("[1]"),
    TEXT("[1,2]"),
    TEXT("[ 1 , 2 ]"),
    TEXT("[null,1,\"1\",{},[],true,false]"),
    TEXT("[[]]"),
    TEXT("[[[[]],[]]]"),
    TEXT("[[] ,[ ]]"),
    TEXT("[\"\"]"),
    TEXT("[false]"),
    TEXT("[1,null,null,null,2]"),
    TEXT("[\"a\",\n4\n,1]"),
    TEXT("[true]\n"),
    TEXT(" [1]"),
    TEXT("[[1],{\"a\":[2]},3]"),
    /* objects */
    TEXT("{\"a\":1}"),
    TEXT("{\"\":0}"),
    TEXT("{\"a\":1,\"b\":2}"),
    TEXT("{ \"a\" : 1 , \"b\" : 2 }"),
    TEXT("{\"a\":1,\"a\":2}"),
    TEXT("{\"a\":1,\"a\":1}"),
    TEXT("{\"a\":{}}"),
    TEXT("{\"a\":[]}"),
    TEXT("{\"a\":{\"b\":{\"c\":[{\"d\":null}]}}}"),
    TEXT("{\"\\u0000\":1}"),
    TEXT("{\"\xC3\xA9\":1}"),
    TEXT("{\"a\":[],\"b\":{},\"c\":[[]]}"),
    TEXT("{\n\"a\": \"b\"\n}"),
    TEXT("[{},{},{\"a\":0}]"),
    TEXT("{\"min\": -1.0e+28, \"max\": 1.0e+28}"),
    TEXT("{\"a\":\"}\"}"),
    TEXT("{\"x\":[{\"y\":1}],\"z\":2}"),
};

static const struct {
    struct json_slice text;
    size_t at;
    const char *reason;
} bad[] = {
    /* ends too early, or nothing at all */
    {TEXT(""), 0, "it ends too early"},
    {TEXT(" \n"), 2, "it ends too early"},
    {TEXT("["), 1, "it ends too early"},
    {TEXT("[1"), 2, "it ends too early"},
    {TEXT("[1,"), 3, "it ends too early"},
    {TEXT("[[1]"), 4, "it ends too early"},
    {TEXT("{"), 1, "it ends too early"},
    {TEXT("{\"a\""), 4, "it ends too early"},
    {TEXT("{\"a\":"), 5, "it ends too early"},
    {TEXT("{\"a\":1"), 6, "it ends too early"},
    {TEXT("{\"a\":1,"), 7, "it ends too early"},
    {TEXT("tru"), 3, "it ends too early"},
    {TEXT("[fals"), 5, "it ends too early"},
    {TEXT("nul"), 3, "it ends too early"},
    /* structure */
    {TEXT("]"), 0, "an unexpected character"},
    {TEXT("}"), 0, "an unexpected character"},
    {TEXT(","), 0, "an unexpected character"},
    {TEXT(":"), 0, "an unexpected character"},
    {TEXT("[,]"), 1, "an unexpected character"},
    {TEXT("[1,]"), 3, "an unexpected character"},
    {TEXT("[,1]"), 1, "an unexpected character"},
    {TEXT("[1,,2]"), 3, "an unexpected character"},
    {TEXT("[1 2]"), 3, "an unexpected character"},
    {TEXT("[1:2]"), 2, "an unexpected character"},
    {TEXT("[1}"), 2, "an unexpected character"},
    {TEXT("[}"), 1, "an unexpected character"},
    {TEXT("[\"a\" true]"), 5, "an unexpected character"},
    {TEXT("[3[4]]"), 2, "an unexpected character"},
    {TEXT("[][]"), 2, "something stands behind the value"},
    {TEXT("[1]]"), 3, "something stands behind the value"},
    {TEXT("[1],"), 3, "something stands behind the value"},
    {TEXT("{}}"), 2, "something stands behind the value"},
    {TEXT("1 2"), 2, "something stands behind the value"},
    {TEXT("null null"), 5, "something stands behind the value"},
    {TEXT("\"a\"x"), 3, "something stands behind the value"},
    {TEXT("{\"a\":1}#"), 7, "something stands behind the value"},
    {TEXT("{\"a\":1}/**/"), 7, "something stands behind the value"},
    {TEXT("{]"), 1, "an unexpected character"},
    {TEXT("{,}"), 1, "an unexpected character"},
    {TEXT("{a:1}"), 1, "an unexpected character"},
    {TEXT("{'a':1}"), 1, "an unexpected character"},
    {TEXT("{1:1}"), 1, "an unexpected character"},
    {TEXT("{null:1}"), 1, "an unexpected character"},
    {TEXT("{[1]:1}"), 1, "an unexpected character"},
    {TEXT("{\"a\" 1}"), 5, "an unexpected character"},
    {TEXT("{\"a\",1}"), 4, "an unexpected character"},
    {TEXT("{\"a\"=1}"), 4, "an unexpected character"},
    {TEXT("{\"a\"}"), 4, "an unexpected character"},
    {TEXT("{\"a\":}"), 5, "an unexpected character"},
    {TEXT("{\"a\"::1}"), 5, "an unexpected character"},
    {TEXT("{\"a\":1,}"), 7, "an unexpected character"},
    {TEXT("{\"a\":1,,\"b\":2}"), 7, "an unexpected character"},
    {TEXT("{\"a\":1 \"b\":2}"), 7, "an unexpected character"},
    {TEXT("{\"a\":1]"), 6, "an unexpected character"},
    {TEXT("{\"a\":[1}"), 7, "an unexpected character"},
    {TEXT("{\"a\":1,1}"), 7, "an unexpected character"},
    {TEXT("[{\"a\":1]"), 7, "an unexpected character"},
    {TEXT("[1\x0C]"), 2, "an unexpected character"}, /* form feed is no white space */
    {TEXT("[\v1]"), 1, "an unexpected character"},
    {TEXT("\xC2\xA0"
          "1"),
     0, "an unexpected character"},
    {TEXT("\xE2\x81\xA0"
          "1"),
     0, "an unexpected character"},
    {TEXT("[1,//\n2]"), 3, "an unexpected character"},
    {TEXT("/**/1"), 0, "an unexpected character"},
    {TEXT("*"), 0, "an unexpected character"},
    {TEXT("[a]"), 1, "an unexpected character"},
    {TEXT("'a'"), 0, "an unexpected character"},
    {TEXT("`a`"), 0, "an unexpected character"},
    {TEXT("<null>"), 0, "an unexpected character"},
    {TEXT("undefined"), 0, "an unexpected character"},
    {TEXT("\\u0041"), 0, "an unexpected character"},
    {TEXT("\0"), 0, "an unexpected character"},
    {TEXT("1\0"), 1, "something stands behind the value"},
    {TEXT("[1,\0"
          "2]"),
     3, "an unexpected character"},
    {TEXT("[]\0"), 2, "something stands behind the value"},
    /* words */
    {TEXT("True"), 0, "an unexpected character"},
    {TEXT("tRue"), 1, "an unexpected character"},
    {TEXT("truf"), 3, "an unexpected character"},
    {TEXT("truetrue"), 4, "something stands behind the value"},
    {TEXT("nulll"), 4, "something stands behind the value"},
    {TEXT("NULL"), 0, "an unexpected character"},
    {TEXT("nil"), 1, "an unexpected character"},
    {TEXT("NaN"), 0, "an unexpected character"},
    {TEXT("nan"), 1, "an unexpected character"},
    {TEXT("Infinity"), 0, "an unexpected character"},
    {TEXT("-Infinity"), 1, "a number that JSON does not have"},
    {TEXT("inf"), 0, "an unexpected character"},
    /* numbers */
    {TEXT("-"), 1, "a number that JSON does not have"},
    {TEXT("--1"), 1, "a number that JSON does not have"},
    {TEXT("+1"), 0, "an unexpected character"},
    {TEXT("-a"), 1, "a number that JSON does not have"},
    {TEXT("- 1"), 1, "a number that JSON does not have"},
    {TEXT(".5"), 0, "an unexpected character"},
    {TEXT("-.5"), 1, "a number that JSON does not have"},
    {TEXT("1."), 2, "a number that JSON does not have"},
    {TEXT("1.e1"), 2, "a number that JSON does not have"},
    {TEXT("1.a"), 2, "a number that JSON does not have"},
    {TEXT("0."), 2, "a number that JSON does not have"},
    {TEXT("1e"), 2, "a number that JSON does not have"},
    {TEXT("1E"), 2, "a number that JSON does not have"},
    {TEXT("1e+"), 3, "a number that JSON does not have"},
    {TEXT("1e-"), 3, "a number that JSON does not have"},
    {TEXT("1e+-1"), 3, "a number that JSON does not have"},
    {TEXT("1ea"), 2, "a number that JSON does not have"},
    {TEXT("1e1e1"), 3, "something stands behind the value"},
    {TEXT("1e1.5"), 3, "something stands behind the value"},
    {TEXT("1.2.3"), 3, "something stands behind the value"},
    {TEXT("00"), 0, "a number with a leading zero"},
    {TEXT("01"), 0, "a number with a leading zero"},
    {TEXT("-01"), 1, "a number with a leading zero"},
    {TEXT("[012.5]"), 1, "a number with a leading zero"},
    {TEXT("0x1F"), 1, "something stands behind the value"},
    {TEXT("1_000"), 1, "something stands behind the value"},
    {TEXT("1a"), 1, "something stands behind the value"},
    {TEXT("[1a]"), 2, "an unexpected character"},
    {TEXT("1,000"), 1, "something stands behind the value"},
    {TEXT("\xEF\xBC\x91"), 0, "an unexpected character"}, /* a wide digit */
    /* strings */
    {TEXT("\""), 1, "a string that does not end"},
    {TEXT("\"abc"), 4, "a string that does not end"},
    {TEXT("\"\\"), 2, "a string that does not end"},
    {TEXT("\"\\\""), 3, "a string that does not end"},
    {TEXT("[\"a]"), 4, "a string that does not end"},
    {TEXT("{\"a"), 3, "a string that does not end"},
    {TEXT("\"a\nb\""), 2, "a control character in a string"},
    {TEXT("\"a\rb\""), 2, "a control character in a string"},
    {TEXT("\"\t\""), 1, "a control character in a string"},
    {TEXT("\"\0\""), 1, "a control character in a string"},
    {TEXT("\"\x1F\""), 1, "a control character in a string"},
    {TEXT("\"12345678\x01"
          "2345678\""),
     9, "a control character in a string"},
    {TEXT("{\"a\nb\":1}"), 3, "a control character in a string"},
    {TEXT("\"\\a\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\v\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\x41\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\'\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\U0041\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\ \""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\\0\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\\n\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\\xC3\xA9\""), 2, "an escape that JSON does not have"},
    {TEXT("\"\\u\""), 3, "\"\\u\" without four hexadecimal digits"},
    {TEXT("\"\\u004\""), 6, "\"\\u\" without four hexadecimal digits"},
    {TEXT("\"\\u00g0\""), 5, "\"\\u\" without four hexadecimal digits"},
    {TEXT("\"\\u+041\""), 3, "\"\\u\" without four hexadecimal digits"},
    {TEXT("\"\\ud83d\\u\""), 9, "\"\\u\" without four hexadecimal digits"},
    {TEXT("\"\\u12"), 5, "\"\\u\" without four hexadecimal digits"},
    /* bytes that are not UTF-8 */
    {TEXT("\"\x80\""), 1, "not UTF-8"},
    {TEXT("\"\xE9\""), 1, "not UTF-8"},
    {TEXT("\"\xC0\x80\""), 1, "not UTF-8"},
    {TEXT("\"\xC3\""), 1, "not UTF-8"},
    {TEXT("\"\xC3"), 1, "not UTF-8"},
    {TEXT("\"\xE2\x82\""), 1, "not UTF-8"},
    {TEXT("\"\xE0\x80\xAF\""), 1, "not UTF-8"},
    {TEXT("\"\xED\xA0\x80\""), 1, "not UTF-8"},
    {TEXT("\"\xF0\x80\x80\xAF\""), 1, "not UTF-8"},
    {TEXT("\"\xF4\x90\x80\x80\""), 1, "not UTF-8"},
    {TEXT("\"ok \xC3\xA9 \xFF\""), 7, "not UTF-8"},
    {TEXT("{\"\xFF\":1}"), 2, "not UTF-8"},
    {TEXT("\xFF"), 0, "not UTF-8"},
    {TEXT("[\xE9]"), 1, "not UTF-8"},
    {TEXT("\xFE\xFF\0"
          "1"),
     0, "not UTF-8"},
    {TEXT("\xFF\xFE[\0]\0"), 0, "not UTF-8"},
    /* byte order marks */
    {TEXT("\xEF\xBB\xBF{}"), 0, "a byte order mark"},
    {TEXT("\xEF\xBB\xBF"), 0, "a byte order mark"},
    {TEXT("\xEF\xBB{}"), 0, "not UTF-8"},
    {TEXT(" \xEF\xBB\xBF{}"), 1, "an unexpected character"},
};

/* A copy of exact size, so that a sanitizer sees the first byte read past it. */
static struct json_slice copied(struct json_slice text)
{
    char *data = malloc(text.size == 0 ? 1 : text.size);

    if (data != NULL)
        memcpy(data, text.data, text.size);
    return (struct json_slice){data, text.size};
}

static void free_copy(struct json_slice copy)
{
    free((void *)(uintptr_t)copy.data);
}

static void check_good(void)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        struct json_slice text = copied(good[i]);
        struct json_fault fault = {"", 0};

        check_that(json_check(text, DEPTH, &fault), good[i].data, fault.reason, (int)fault.at);
        CHECK(json_type(text) != JSON_NONE);
        free_copy(text);
    }
}

static void check_bad(void)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct json_slice text = copied(bad[i].text);
        struct json_fault fault = {"none", 999};

        check_that(!json_check(text, DEPTH, &fault), bad[i].text.data, __FILE__, __LINE__);
        CHECK(!json_check(text, DEPTH, NULL));
        CHECK_TEXT(fault.reason, bad[i].reason);
        check_that(fault.at == bad[i].at, bad[i].text.data, "at", (int)fault.at);
        free_copy(text);
    }
}

/* Every beginning of a text is refused (numbers and white space aside, which may end anywhere). */
static void check_prefixes(void)
{
    static const char text[] =
        "{\"a\\u0041\xC3\xA9\":[1.5e+3,\"\\ud83d\\ude00\",{\"b\":null}],\"c\":true}";

    for (size_t size = 0; size < sizeof text - 1; size++) {
        struct json_slice part = copied((struct json_slice){text, size});

        CHECK(!json_check(part, DEPTH, NULL));
        free_copy(part);
    }
    CHECK(json_check(slice(text), DEPTH, NULL));
}

/* One bad byte at each place of a long string, so that each alignment of the fast path meets it. */
static void check_each_place(void)
{
    static const char special[] = {'"', '\\', '\x1F', '\0', '\x80', '\xFF'};
    char text[64];

    memset(text, 'x', sizeof text);
    text[0] = text[sizeof text - 1] = '"';
    for (size_t at = 1; at < sizeof text - 1; at++) {
        for (size_t i = 0; i < sizeof special; i++) {
            text[at] = special[i];
            CHECK(!json_check((struct json_slice){text, sizeof text}, DEPTH, NULL));
        }
        text[at] = '\x7F';
        CHECK(json_check((struct json_slice){text, sizeof text}, DEPTH, NULL));
        text[at] = 'x';
    }
}

/* `depth` containers in one another, arrays or objects, or one of each by turns. */
static struct json_slice nested(size_t depth, const char *opening, const char *closing)
{
    size_t open = strlen(opening), close = strlen(closing), size = depth * (open + close);
    char *text = malloc(size + 1);

    if (text == NULL)
        return (struct json_slice){NULL, 0};
    for (size_t i = 0; i < depth; i++) {
        memcpy(text + i * open, opening, open);
        memcpy(text + depth * open + i * close, closing, close);
    }
    return (struct json_slice){text, size};
}

static void check_depth_of(size_t depth, size_t levels, const char *opening, const char *closing)
{
    struct json_slice text = nested(depth / levels, opening, closing);
    struct json_fault fault = {"", 0};

    CHECK(json_check(text, DEPTH, &fault) == (depth <= DEPTH));
    CHECK_TEXT(fault.reason, depth <= DEPTH ? "" : "nested too deeply");
    if (depth <= DEPTH) {
        CHECK(!json_deeper(text, (unsigned)depth));
        CHECK(json_deeper(text, (unsigned)depth - 1));
    }
    free_copy(text);
}

static void check_depth(void)
{
    struct json_slice deepest = nested(1024, "[", "]");

    check_depth_of(1, 1, "[", "]");
    check_depth_of(127, 1, "[", "]");
    check_depth_of(128, 1, "[", "]");
    check_depth_of(129, 1, "[", "]");
    check_depth_of(128, 2, "{\"a\":[", "]}");
    check_depth_of(130, 2, "{\"a\":[", "]}");
    check_depth_of(128, 2, "[1,{\"a\":0},[],[", "],2]");
    CHECK(json_check(slice("1"), 0, NULL));
    CHECK(!json_check(slice("[]"), 0, NULL));
    CHECK(json_check(slice("[[],[]]"), 2, NULL));
    CHECK(!json_check(slice("[[],[]]"), 1, NULL));
    CHECK(json_check(deepest, 1024, NULL));
    CHECK(json_check(deepest, UINT32_MAX, NULL));
    free_copy(deepest);
    deepest = nested(1025, "[", "]");
    CHECK(!json_check(deepest, UINT32_MAX, NULL));
    free_copy(deepest);
    CHECK(!json_deeper(slice("\"[[[\""), 0));
    CHECK(!json_deeper(slice(" 1"), 0));
    CHECK(json_deeper(slice(" []"), 0));
    CHECK(!json_deeper(slice("[\"[\",\"\\\"[\"]"), 1));
    CHECK(json_deeper(slice("[1,[],[[]]]"), 2));
}

/* 1 MiB of "[" with 256 KiB of stack: whoever called itself for each of them would die here. */
static void check_huge(void)
{
    struct rlimit limit;
    struct json_slice text = nested(1 << 20, "[", "]"), objects = nested(1 << 18, "{\"\":", "");
    struct json_slice key, value, top;
    struct json_steps state = {0};

    if (getrlimit(RLIMIT_STACK, &limit) == 0) {
        limit.rlim_cur = 256 * 1024;
        setrlimit(RLIMIT_STACK, &limit);
    }
    CHECK(!json_check(text, DEPTH, NULL));
    CHECK(!json_check((struct json_slice){text.data, text.size / 2}, DEPTH, NULL));
    CHECK(!json_check(objects, DEPTH, NULL));
    CHECK(json_deeper(text, DEPTH));
    CHECK(json_next(text, &state, &key, &value) && value.size == text.size - 2);
    CHECK(!json_next(text, &state, &key, &value));
    CHECK(!json_has_lone_surrogate(text, &top));
    CHECK(json_member(objects, "a").data == NULL);
    free_copy(text);
    free_copy(objects);
}

static void check_types(void)
{
    CHECK(json_type((struct json_slice){NULL, 0}) == JSON_NONE);
    CHECK(json_type(slice(" null")) == JSON_NULL);
    CHECK(json_type(slice("false")) == JSON_FALSE);
    CHECK(json_type(slice("\n\ttrue ")) == JSON_TRUE);
    CHECK(json_type(slice("-1")) == JSON_NUMBER);
    CHECK(json_type(slice("0")) == JSON_NUMBER);
    CHECK(json_type(slice("\"null\"")) == JSON_STRING);
    CHECK(json_type(slice("[null]")) == JSON_ARRAY);
    CHECK(json_type(slice(" {}")) == JSON_OBJECT);
}

static void check_members(void)
{
    static const struct {
        const char *object, *name, *value; /* NULL: there is none */
    } cases[] = {
        {"{}", "a", NULL},
        {"{\"a\":1}", "a", "1"},
        {" { \"a\" : 1 } ", "a", "1"},
        {"{\"a\":1}", "b", NULL},
        {"{\"a\":1}", "", NULL},
        {"{\"\":1}", "", "1"},
        {"{\"a\":1}", "ab", NULL},
        {"{\"ab\":1}", "a", NULL},
        {"{\"a\":1,\"b\":[1,{\"c\":2}],\"d\":\"x\"}", "b", "[1,{\"c\":2}]"},
        {"{\"a\":1,\"b\":[1,{\"c\":2}],\"d\":\"x\"}", "c", NULL},
        {"{\"a\":1,\"b\":[1,{\"c\":2}],\"d\" :\n\"x\" }", "d", "\"x\""},
        {"{\"a\":1,\"a\":2}", "a", "2"},
        {"{\"a\":1,\"b\":3,\"a\":null}", "a", "null"},
        {"{\"a\":1,\"\\u0061\":2}", "a", "2"},
        {"{\"\\u0061\":2,\"a\":1}", "a", "1"},
        {"{\"me\\u0074hod\":\"x\"}", "method", "\"x\""},
        {"{\"a\\/b\":1}", "a/b", "1"},
        {"{\"a\\nb\":1}", "a\nb", "1"},
        {"{\"\\u00e9\":1}", "\xC3\xA9", "1"},
        {"{\"\xC3\xA9\":1}", "\xC3\xA9", "1"},
        {"{\"\\ud83d\\ude00\":1}", "\xF0\x9F\x98\x80", "1"},
        {"{\"\\u0000\":1}", "", NULL},
        {"{\"a\\u0000\":1}", "a", NULL},
        {"{\"\\ud800\":1}", "\xEF\xBF\xBD", NULL},
        {"{\"a\\\"\":1,\"\\\"a\":2}", "\"a", "2"},
        {"{\"a\":\"\\\"b\\\":\",\"b\":4}", "b", "4"},
        {"{\"a\":\"\\\\\",\"b\":5}", "b", "5"},
        {"{\"a\":\"]}\",\"b\":6}", "b", "6"},
        {"{\"a\":-1.5e+3}", "a", "-1.5e+3"},
        {"{\"a\":true\t}", "a", "true"},
        {"{\"a\":{}, \"b\":[]}", "b", "[]"},
        {"[\"a\",1]", "a", NULL},
        {"\"a\"", "a", NULL},
        {"1", "a", NULL},
        {"null", "a", NULL},
        {"{\"id\":9007199254740993}", "id", "9007199254740993"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_slice object = copied(slice(cases[i].object)), value;

        CHECK(json_check(object, DEPTH, NULL));
        value = json_member(object, cases[i].name);
        if (cases[i].value == NULL)
            CHECK(value.data == NULL && value.size == 0);
        else
            check_that(value.size == strlen(cases[i].value) &&
                           memcmp(value.data, cases[i].value, value.size) == 0,
                       cases[i].object, cases[i].name, (int)i);
        free_copy(object);
    }
}

/* What the steps hand out, as "key=value;", or "value;" in an array. */
static void check_steps_of(const char *container, const char *wanted)
{
    struct json_slice copy = copied(slice(container)), key, value;
    struct json_steps state = {0};
    struct bytes seen = {0};

    while (json_next(copy, &state, &key, &value)) {
        bytes_add(&seen, key.data, key.size);
        bytes_add_text(&seen, key.data == NULL ? "" : "=");
        bytes_add(&seen, value.data, value.size);
        bytes_add_char(&seen, ';');
    }
    CHECK(!json_next(copy, &state, &key, &value));
    CHECK(key.data == NULL && value.data == NULL);
    CHECK_TEXT(bytes_end(&seen), wanted);
    bytes_free(&seen);
    free_copy(copy);
}

static void check_steps(void)
{
    check_steps_of("[]", "");
    check_steps_of(" [ ] ", "");
    check_steps_of("{}", "");
    check_steps_of("[1]", "1;");
    check_steps_of(" [ 1 , \"a,b\" ,[2,3], {\"x\":1} , null ] ", "1;\"a,b\";[2,3];{\"x\":1};null;");
    check_steps_of("[[],[],[[]]]", "[];[];[[]];");
    check_steps_of("{\"a\":1}", "\"a\"=1;");
    check_steps_of("{ \"a\" : 1 ,\n\"a\":{ } }", "\"a\"=1;\"a\"={ };");
    check_steps_of("{\"\\\"\":\"\\\\\"}", "\"\\\"\"=\"\\\\\";");
    check_steps_of("\"a\"", "");
    check_steps_of("12", "");
    check_steps_of("null", "");
}

static void check_texts(void)
{
    static const struct {
        const char *string;
        bool whole;
        struct json_slice text;
    } cases[] = {
        {"\"\"", true, TEXT("")},
        {" \"a\" ", true, TEXT("a")},
        {"\"plain text\"", true, TEXT("plain text")},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", true, TEXT("\"\\/\b\f\n\r\t")},
        {"\"a\\u0000b\"", true, TEXT("a\0b")},
        {"\"\\u0041\\u00e9\\u20AC\"", true, TEXT("A\xC3\xA9\xE2\x82\xAC")},
        {"\"\\ud83d\\ude00\"", true, TEXT("\xF0\x9F\x98\x80")},
        {"\"\\uD800\\uDC00\\uDBFF\\uDFFF\"", true, TEXT("\xF0\x90\x80\x80\xF4\x8F\xBF\xBF")},
        {"\"\xF0\x9F\x98\x80 \xC3\xA9\"", true, TEXT("\xF0\x9F\x98\x80 \xC3\xA9")},
        {"\"\\ufffd\"", true, TEXT("\xEF\xBF\xBD")},
        {"\"\\uffff\"", true, TEXT("\xEF\xBF\xBF")},
        {"\"\\ud800\"", false, TEXT("\xEF\xBF\xBD")},
        {"\"\\udc00\"", false, TEXT("\xEF\xBF\xBD")},
        {"\"x\\ud800y\"", false, TEXT("x\xEF\xBF\xBDy")},
        {"\"\\ud800\\u0041\"", false,
         TEXT("\xEF\xBF\xBD"
              "A")},
        {"\"\\ud800\\n\"", false, TEXT("\xEF\xBF\xBD\n")},
        {"\"\\udc00\\ud800\"", false, TEXT("\xEF\xBF\xBD\xEF\xBF\xBD")},
        {"\"\\ud800\\ud83d\\ude00\"", false, TEXT("\xEF\xBF\xBD\xF0\x9F\x98\x80")},
        {"\"\\ud83d\\\\ude00\"", false, TEXT("\xEF\xBF\xBD\\ude00")},
        {"1", false, TEXT("")},
        {"null", false, TEXT("")},
        {"[\"a\"]", false, TEXT("")},
    };
    struct bytes out = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_slice string = copied(slice(cases[i].string));

        bytes_clear(&out);
        CHECK(json_check(string, DEPTH, NULL));
        CHECK(json_text(string, &out) == cases[i].whole);
        check_that(out.size == cases[i].text.size &&
                       (out.size == 0 || memcmp(out.data, cases[i].text.data, out.size) == 0),
                   cases[i].string, __FILE__, __LINE__);
        free_copy(string);
    }
    CHECK(!json_text((struct json_slice){NULL, 0}, &out));
    bytes_free(&out);
}

static void check_lone_surrogates(void)
{
    static const struct {
        const char *value;
        bool lone;
        const char *top;
    } cases[] = {
        {"{}", false, ""},
        {"1", false, ""},
        {"\"\\ud83d\\ude00\"", false, ""},
        {"\"\\ud83d\"", true, ""},
        {"[\"\\udc00\"]", true, ""},
        {"{\"path\":\"a\",\"old\":\"\\ud83d\\ude00\"}", false, ""},
        {"{\"path\":\"a\",\"old\":\"x\\ud83d\"}", true, "\"old\""},
        {"{\"edits\":[{\"old\":\"\\udfff\"}],\"path\":\"\"}", true, "\"edits\""},
        {"{\"a\":1,\"\\ud800\":2}", true, "\"\\ud800\""},
        {"{\"a\":{\"b\":{\"\\ud800\":2}}}", true, "\"a\""},
        {" {\"\\u0061\" : \"\\ud800\", \"b\":\"\\ud801\"}", true, "\"\\u0061\""},
        {"{\"a\":\"\\ud800\",\"a\":\"fine\"}", true, "\"a\""},
        {"{\"a\":\"\\\\ud800\"}", false, ""},
        {"{\"a\":\"\\\\\\ud800\"}", true, "\"a\""},
        {"\"\\ud800\\ud800\\udc00\"", true, ""},
        {"\"\\ud800\\udc00\\udc00\"", true, ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct json_slice value = copied(slice(cases[i].value)), top = {"", 99};

        CHECK(json_check(value, DEPTH, NULL));
        CHECK(json_has_lone_surrogate(value, &top) == cases[i].lone);
        CHECK(json_has_lone_surrogate(value, NULL) == cases[i].lone);
        check_that(top.size == strlen(cases[i].top) &&
                       (top.size == 0 || memcmp(top.data, cases[i].top, top.size) == 0),
                   cases[i].value, __FILE__, __LINE__);
        free_copy(value);
    }
}

static void check_quotes(void)
{
    static const struct {
        struct json_slice text;
        const char *quoted;
    } cases[] = {
        {TEXT(""), "\"\""},
        {TEXT("plain text/'"), "\"plain text/'\""},
        {TEXT("\"\\"), "\"\\\"\\\\\""},
        {TEXT("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
        {TEXT("\0\x01\x1F\x7F"), "\"\\u0000\\u0001\\u001f\\u007f\""},
        {TEXT("one\ntwo\r\n"), "\"one\\ntwo\\r\\n\""},
        {TEXT("caf\xC3\xA9 \xF0\x9F\x98\x80"), "\"caf\xC3\xA9 \xF0\x9F\x98\x80\""},
        {TEXT("\xC2\x85"), "\"\xC2\x85\""},
        {TEXT("a\xE2\x80\xA8"
              "b\xE2\x80\xA9"),
         "\"a\\u2028b\\u2029\""},
        {TEXT("\xE2\x80\xA7\xE2\x80\xAA"), "\"\xE2\x80\xA7\xE2\x80\xAA\""},
        {TEXT("\xE9"), "\"\xEF\xBF\xBD\""},
        {TEXT("a\xFF\xC3"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {TEXT("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {TEXT("12345678\"12345678"), "\"12345678\\\"12345678\""},
        {TEXT("\xEF\xBB\xBFx"), "\"\xEF\xBB\xBFx\""},
    };
    struct bytes out = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        bytes_clear(&out);
        json_quote(&out, cases[i].text.data, cases[i].text.size);
        CHECK_TEXT(bytes_end(&out), cases[i].quoted);
    }
    bytes_clear(&out);
    json_quote(&out, NULL, 0);
    CHECK_TEXT(bytes_end(&out), "\"\"");
    bytes_free(&out);
}

/* Every code point comes back from its quoted form. */
static void check_every_code_point(void)
{
    struct bytes quoted = {0}, back = {0};
    size_t wrong = 0;

    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        char text[4];
        size_t size = utf8_encode(code, text);
        struct json_slice string;

        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        bytes_clear(&quoted);
        bytes_clear(&back);
        json_quote(&quoted, text, size);
        string = (struct json_slice){quoted.data, quoted.size};
        wrong += !json_check(string, 0, NULL) || !json_text(string, &back) || back.size != size ||
                 memcmp(back.data, text, size) != 0;
    }
    CHECK(wrong == 0);
    bytes_free(&quoted);
    bytes_free(&back);
}

int main(void)
{
    check_good();
    check_bad();
    check_prefixes();
    check_each_place();
    check_depth();
    check_types();
    check_members();
    check_steps();
    check_texts();
    check_lone_surrogates();
    check_quotes();
    check_every_code_point();
    check_huge();
    return check_report("json_scan");
}
