/* SPDX-License-Identifier: MIT */
#include "json_plain.h"
#include "json_scan.h"
#include "utf8.h"

enum { DEEPEST = 1024 };

struct check {
    const char *data;
    size_t size, at;
    unsigned depth, deepest;
    uint64_t is_object[DEEPEST / 64]; /* a bit for each container that is open */
    struct json_fault *fault;
};

static bool refuse(struct check *check, const char *reason)
{
    if (check->fault != NULL)
        *check->fault = (struct json_fault){reason, check->at};
    return false;
}

/* Says what is wrong with the byte that stands here, or with there being none. */
static bool refuse_here(struct check *check)
{
    if (check->at >= check->size)
        return refuse(check, "it ends too early");
    if (utf8_length(check->data + check->at, check->size - check->at) == 0)
        return refuse(check, "not UTF-8");
    return refuse(check, "an unexpected character");
}

/* The byte that comes next, or -1 at the end. */
static int next_byte(const struct check *check)
{
    return check->at < check->size ? (unsigned char)check->data[check->at] : -1;
}

static int next_visible(struct check *check)
{
    int c;

    while ((c = next_byte(check)) == ' ' || c == '\n' || c == '\r' || c == '\t')
        check->at++;
    return c;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_escape(int c)
{
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'u': return true;
    default: return false;
    }
}

/* Behind a "\" in a string. */
static bool check_escape(struct check *check)
{
    int c = next_byte(check);

    if (c == -1)
        return refuse(check, "a string that does not end");
    if (!is_escape(c))
        return refuse(check, "an escape that JSON does not have");
    check->at++;
    for (int i = 0; c == 'u' && i < 4; i++) {
        if (!is_hex(next_byte(check)))
            return refuse(check, "\"\\u\" without four hexadecimal digits");
        check->at++;
    }
    return true;
}

/* One byte or character of a string that is not plain, its closing quote aside. */
static bool check_special(struct check *check, int c)
{
    size_t length;

    if (c == -1)
        return refuse(check, "a string that does not end");
    if (c < 0x20)
        return refuse(check, "a control character in a string");
    if (c == '\\') {
        check->at++;
        return check_escape(check);
    }
    length = utf8_length(check->data + check->at, check->size - check->at);
    if (length == 0)
        return refuse(check, "not UTF-8");
    check->at += length;
    return true;
}

static bool check_string(struct check *check)
{
    int c;

    check->at++;
    for (;;) {
        check->at += json_plain_run(check->data + check->at, check->size - check->at);
        c = next_byte(check);
        if (c == '"')
            break;
        if (!check_special(check, c))
            return false;
    }
    check->at++;
    return true;
}

static bool check_digits(struct check *check)
{
    if (!is_digit(next_byte(check)))
        return refuse(check, "a number that JSON does not have");
    while (is_digit(next_byte(check)))
        check->at++;
    return true;
}

static bool check_number(struct check *check)
{
    size_t start;

    if (next_byte(check) == '-')
        check->at++;
    start = check->at;
    if (!check_digits(check))
        return false;
    if (check->data[start] == '0' && check->at > start + 1) {
        check->at = start;
        return refuse(check, "a number with a leading zero");
    }
    if (next_byte(check) == '.') {
        check->at++;
        if (!check_digits(check))
            return false;
    }
    if (next_byte(check) == 'e' || next_byte(check) == 'E') {
        check->at++;
        if (next_byte(check) == '+' || next_byte(check) == '-')
            check->at++;
        return check_digits(check);
    }
    return true;
}

static bool check_word(struct check *check, const char *word)
{
    for (; *word != '\0'; word++, check->at++) {
        if (next_byte(check) != *word)
            return refuse_here(check);
    }
    return true;
}

/* The name of a member and its colon. */
static bool check_name(struct check *check)
{
    if (next_visible(check) != '"')
        return refuse_here(check);
    if (!check_string(check))
        return false;
    if (next_visible(check) != ':')
        return refuse_here(check);
    check->at++;
    return true;
}

static bool in_object(const struct check *check)
{
    unsigned level = check->depth - 1;

    return (check->is_object[level / 64] >> level % 64 & 1) != 0;
}

static void go_down(struct check *check, bool object)
{
    unsigned level = check->depth++;
    uint64_t bit = UINT64_C(1) << level % 64;

    if (object)
        check->is_object[level / 64] |= bit;
    else
        check->is_object[level / 64] &= ~bit;
}

/* An empty container, or the opening of one up to its first value: *opened. */
static bool check_opening(struct check *check, bool object, bool *opened)
{
    if (check->depth >= check->deepest)
        return refuse(check, "nested too deeply");
    check->at++;
    if (next_visible(check) == (object ? '}' : ']')) {
        check->at++;
        return true;
    }
    go_down(check, object);
    *opened = true;
    return !object || check_name(check);
}

static bool check_value(struct check *check, bool *opened)
{
    int c = next_visible(check);

    *opened = false;
    switch (c) {
    case '{':
    case '[': return check_opening(check, c == '{', opened);
    case '"': return check_string(check);
    case 't': return check_word(check, "true");
    case 'f': return check_word(check, "false");
    case 'n': return check_word(check, "null");
    default: return c == '-' || is_digit(c) ? check_number(check) : refuse_here(check);
    }
}

/* Behind a value: closes what ends there, and stops where the next value begins or all is
 * closed. */
static bool check_behind(struct check *check)
{
    while (check->depth > 0) {
        int c = next_visible(check);
        bool object = in_object(check);

        if (c == ',') {
            check->at++;
            return !object || check_name(check);
        }
        if (c != (object ? '}' : ']'))
            return refuse_here(check);
        check->at++;
        check->depth--;
    }
    return true;
}

bool json_check(struct json_slice text, unsigned depth, struct json_fault *fault)
{
    struct check check = {.data = text.data, .size = text.size, .fault = fault};
    bool opened;

    check.deepest = depth < DEEPEST ? depth : DEEPEST;
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
        return refuse(&check, "a byte order mark");
    do {
        if (!check_value(&check, &opened) || (!opened && !check_behind(&check)))
            return false;
    } while (check.depth > 0);
    return next_visible(&check) == -1 || refuse(&check, "something stands behind the value");
}
