/* SPDX-License-Identifier: MIT */
/* Reads a pattern of PCRE2, as far as croft has to understand it. Where it does not, it says less. */
#include "regex_parts.h"

#include <string.h>

enum { FRAMES = 128 }; /* more than the parentheses that may nest */

/* One open group: whether a line end is needed by the alternative that is read, and by all before. */
struct frame {
    bool here, before, unknown;
};

struct scan {
    const char *text;
    size_t size, at;
    struct bytes *out;
    struct pattern_traits *traits;
    struct frame frames[FRAMES];
    size_t depth;
    bool pending; /* the last item needs a line end, unless a quantifier follows that allows none */
    bool opaque;  /* it holds what is not understood here */
};

static char peek(const struct scan *scan, size_t ahead)
{
    return scan->at + ahead < scan->size ? scan->text[scan->at + ahead] : '\0';
}

static void copy(struct scan *scan, size_t count)
{
    if (count > scan->size - scan->at)
        count = scan->size - scan->at;
    bytes_add(scan->out, scan->text + scan->at, count);
    scan->at += count;
}

/* Copies up to the next `last` and it, or to the end. */
static void copy_through(struct scan *scan, char last)
{
    const char *from = scan->text + scan->at;
    const char *end = memchr(from, last, scan->size - scan->at);

    copy(scan, end == NULL ? scan->size : (size_t)(end - from) + 1);
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void settle(struct scan *scan)
{
    if (scan->pending)
        scan->frames[scan->depth].here = true;
    scan->pending = false;
}

static void begin_item(struct scan *scan, bool needs_newline)
{
    settle(scan);
    scan->pending = needs_newline;
}

/* `\Q...\E`, where all but `\E` stands for itself. */
static void copy_quoted(struct scan *scan)
{
    const char *from = scan->text + scan->at;
    const char *end = memmem(from, scan->size - scan->at, "\\E", 2);
    size_t count = end == NULL ? scan->size - scan->at : (size_t)(end - from) + 2;

    if (memchr(from, '\n', count) != NULL)
        scan->traits->needs_newline = true;
    copy(scan, count);
}

static void replace_escape(struct scan *scan, const char *by)
{
    bytes_add_text(scan->out, by);
    scan->at += 2;
}

/* The size of `\E` or `\Q\E`, which stand for nothing, or 0. */
static size_t nothing_size(const struct scan *scan)
{
    if (peek(scan, 0) != '\\')
        return 0;
    if (peek(scan, 1) == 'E')
        return 2;
    return peek(scan, 1) == 'Q' && peek(scan, 2) == '\\' && peek(scan, 3) == 'E' ? 4 : 0;
}

static void scan_escape(struct scan *scan)
{
    char kind = peek(scan, 1);

    if (nothing_size(scan) > 0) { /* a quantifier behind it belongs to what stands before */
        copy(scan, nothing_size(scan));
        return;
    }
    begin_item(scan, kind == 'n');
    if (kind == '\n')
        scan->traits->needs_newline = true;
    if (is_one_of(kind, "ABzZGKXRgk123456789"))
        scan->traits->plain = false;
    if (kind == 'G')
        scan->traits->undivided = true;
    switch (kind) {
    case 'Q': copy_quoted(scan); return;
    case 's': replace_escape(scan, "[^\\S\\n]"); return;
    case 'S': replace_escape(scan, "[^\\s]"); return;
    case 'W': replace_escape(scan, "[^\\w\\n]"); return;
    case 'D': replace_escape(scan, "[^\\d\\n]"); return;
    default: break;
    }
    if (is_one_of(kind, "xopPNgk") && peek(scan, 2) == '{')
        copy_through(scan, '}');
    else
        copy(scan, kind == 'c' ? 3 : 2);
}

/* `[:alpha:]` and its kin, inside a class. Returns its size, or 0. */
static size_t posix_size(const struct scan *scan)
{
    char kind = peek(scan, 1);

    if (!is_one_of(kind, ":.="))
        return 0;
    for (size_t i = 2; scan->at + i + 1 < scan->size && peek(scan, i) != ']'; i++) {
        if (peek(scan, i) == kind && peek(scan, i + 1) == ']')
            return i + 2;
    }
    return 0;
}

static void copy_class_item(struct scan *scan)
{
    size_t posix = peek(scan, 0) == '[' ? posix_size(scan) : 0;
    bool needed = scan->traits->needs_newline;

    if (posix > 0) {
        copy(scan, posix);
    } else if (peek(scan, 0) == '\\' && peek(scan, 1) == 'Q') {
        copy_quoted(scan);
        scan->traits->needs_newline = needed; /* one of several is not needed */
    } else {
        copy(scan, peek(scan, 0) == '\\' ? 2 : 1);
    }
}

static void scan_class(struct scan *scan)
{
    bool negated = peek(scan, 1) == '^';

    begin_item(scan, false);
    copy(scan, negated ? 2 : 1);
    if (nothing_size(scan) > 0) { /* a `^` or `]` behind it is still the first */
        scan->opaque = true;
        return;
    }
    if (negated)
        bytes_add_text(scan->out, "\\n");
    if (peek(scan, 0) == ']') { /* the first one stands for itself */
        bytes_add_text(scan->out, "\\]");
        scan->at++;
    }
    while (scan->at < scan->size && peek(scan, 0) != ']')
        copy_class_item(scan);
    copy(scan, 1);
}

static void push(struct scan *scan, bool unknown)
{
    if (scan->depth + 1 == FRAMES) {
        scan->opaque = true;
        return;
    }
    scan->frames[++scan->depth] = (struct frame){.before = true, .unknown = unknown};
}

/* `(?i)`, `(?s-m:` and their kin. */
static void scan_settings(struct scan *scan)
{
    copy(scan, 2);
    while (is_one_of(peek(scan, 0), "imsnxJUa^-")) {
        if (!is_one_of(peek(scan, 0), "ims"))
            scan->traits->plain = false;
        if (peek(scan, 0) == 'x') /* white space and comments: another language */
            scan->opaque = true;
        copy(scan, 1);
    }
    if (peek(scan, 0) == ':')
        push(scan, false);
    else if (peek(scan, 0) != ')')
        scan->opaque = true;
    copy(scan, 1);
}

static void scan_named(struct scan *scan)
{
    char open = peek(scan, 2) == 'P' ? peek(scan, 3) : peek(scan, 2);

    if (!is_one_of(open, "<'")) { /* (?P=name), (?P>name) */
        scan->opaque = true;
        return;
    }
    copy(scan, peek(scan, 2) == 'P' ? 4 : 3);
    copy_through(scan, open == '<' ? '>' : '\'');
    push(scan, false);
}

/* Look-around, atomic groups. */
static void scan_assertion(struct scan *scan, size_t size, bool negative)
{
    scan->traits->plain = false;
    copy(scan, size);
    push(scan, negative);
}

static void scan_special_group(struct scan *scan)
{
    char kind = peek(scan, 2), next = peek(scan, 3);

    if (kind == ':' || kind == '|') {
        copy(scan, 3);
        push(scan, false);
    } else if (kind == '>' || kind == '=' || kind == '!') {
        scan_assertion(scan, 3, kind == '!');
    } else if (kind == '<' && (next == '=' || next == '!')) {
        scan_assertion(scan, 4, next == '!');
    } else if (is_one_of(kind, "<'P")) {
        scan_named(scan);
    } else if (is_one_of(kind, "imsnxJUa^") || (kind == '-' && !is_digit(next))) {
        scan_settings(scan);
    } else { /* recursion, conditions, callouts */
        scan->opaque = true;
    }
}

static void open_group(struct scan *scan)
{
    if (peek(scan, 1) == '?' && peek(scan, 2) == '#') { /* no item: a quantifier may follow */
        copy_through(scan, ')');
        return;
    }
    settle(scan);
    if (peek(scan, 1) == '*') {
        scan->opaque = true;
    } else if (peek(scan, 1) == '?') {
        scan_special_group(scan);
    } else {
        copy(scan, 1);
        push(scan, false);
    }
}

static void close_group(struct scan *scan)
{
    const struct frame *frame = &scan->frames[scan->depth];

    settle(scan);
    if (scan->depth > 0) {
        scan->pending = frame->before && frame->here && !frame->unknown;
        scan->depth--;
    }
    copy(scan, 1);
}

static void next_alternative(struct scan *scan)
{
    struct frame *frame = &scan->frames[scan->depth];

    settle(scan);
    frame->before = frame->before && frame->here;
    frame->here = false;
    copy(scan, 1);
}

/* The size of a quantifier without the `+` or `?` behind it, or 0. */
static size_t quantifier_size(const struct scan *scan)
{
    size_t i = 1;

    if (peek(scan, 0) != '{')
        return 1;
    if (!is_digit(peek(scan, i)))
        return 0;
    while (is_digit(peek(scan, i)))
        i++;
    if (peek(scan, i) == ',')
        i++;
    while (is_digit(peek(scan, i)))
        i++;
    return peek(scan, i) == '}' ? i + 1 : 0;
}

static void scan_quantifier(struct scan *scan)
{
    size_t size = quantifier_size(scan);

    if (size == 0) { /* a brace that stands for itself */
        begin_item(scan, false);
        copy(scan, 1);
        return;
    }
    if (is_one_of(peek(scan, 0), "*?") || (peek(scan, 0) == '{' && peek(scan, 1) == '0'))
        scan->pending = false;
    copy(scan, size);
    if (peek(scan, 0) == '+')
        scan->traits->plain = false;
    if (is_one_of(peek(scan, 0), "+?"))
        copy(scan, 1);
}

static void scan_item(struct scan *scan)
{
    char c = peek(scan, 0);

    switch (c) {
    case '\\': scan_escape(scan); break;
    case '[': scan_class(scan); break;
    case '(': open_group(scan); break;
    case ')': close_group(scan); break;
    case '|': next_alternative(scan); break;
    case '*':
    case '+':
    case '?':
    case '{': scan_quantifier(scan); break;
    default:
        begin_item(scan, false);
        if (c == '\n')
            scan->traits->needs_newline = true;
        copy(scan, 1);
    }
}

void pattern_scan(const char *pattern, size_t size, struct pattern_traits *traits,
                  struct bytes *out)
{
    struct scan scan = {.text = pattern, .size = size, .out = out, .traits = traits};

    *traits = (struct pattern_traits){.plain = true,
                                      .misread = pattern_is_lazy_and_atomic(pattern, size)};
    scan.frames[0].before = true;
    while (scan.at < size && !scan.opaque)
        scan_item(&scan);
    if (scan.opaque) {
        *traits = (struct pattern_traits){
            .undivided = pattern_holds(pattern, size, "\\G") || pattern_holds(pattern, size, "(*"),
            .misread = pattern_is_misread(pattern, size),
        };
        bytes_clear(out);
        bytes_add(out, pattern, size);
        return;
    }
    settle(&scan);
    if (scan.frames[0].before && scan.frames[0].here)
        traits->needs_newline = true;
}
