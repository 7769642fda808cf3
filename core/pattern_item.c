/* SPDX-License-Identifier: MIT */
#include "pattern_item.h"

#include <stddef.h>

/* ---- classes ----------------------------------------------------------------------------------- */

/* As in the C locale, whatever the host's is. */
static bool is_upper(unsigned char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(unsigned char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(unsigned char c)
{
    return is_upper(c) || is_lower(c);
}

static bool is_visible(unsigned char c)
{
    return c > 0x20 && c < 0x7F;
}

static bool is_hex(unsigned char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* Whether `c` is in the class of the small letter `class`. False in *known: that is no class. */
static bool in_class(char class, unsigned char c, bool *known)
{
    *known = true;
    switch (class) {
    case 'a': return is_letter(c);
    case 'c': return c < 0x20 || c == 0x7F;
    case 'd': return is_digit(c);
    case 'g': return is_visible(c);
    case 'l': return is_lower(c);
    case 'p': return is_visible(c) && !is_letter(c) && !is_digit(c);
    case 's': return c == ' ' || (c >= '\t' && c <= '\r');
    case 'u': return is_upper(c);
    case 'w': return is_letter(c) || is_digit(c);
    case 'x': return is_hex(c);
    case 'z': return c == '\0'; /* of older manuals; Lua still knows it */
    default: *known = false; return false;
    }
}

/* What stands behind a "%": a class, its complement in capitals, or a character that means itself. */
static bool escape_fits(char letter, unsigned char c)
{
    bool is_complement = is_upper((unsigned char)letter);
    bool known;
    bool has = in_class((char)(is_complement ? letter - 'A' + 'a' : letter), c, &known);

    if (!known)
        return (unsigned char)letter == c;
    return has != is_complement;
}

/* ---- sets -------------------------------------------------------------------------------------- */

/* The byte behind the "]" of the set at `set`; NULL when it has none. A "]" that comes first is an
 * element. */
static const char *end_of_set(const char *set, const char *end)
{
    const char *at = set + 1;

    if (at < end && *at == '^')
        at++;
    if (at < end && *at == ']')
        at++;
    while (at < end && *at != ']')
        at += *at == '%' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : NULL;
}

/* Whether `c` is one of the elements from `at` up to the "]" at `close`. */
static bool elements_have(const char *at, const char *close, unsigned char c)
{
    while (at < close) {
        if (*at == '%') {
            if (escape_fits(at[1], c))
                return true;
            at += 2;
        } else if (close - at > 2 && at[1] == '-') {
            if ((unsigned char)at[0] <= c && c <= (unsigned char)at[2])
                return true;
            at += 3;
        } else if ((unsigned char)*at++ == c) {
            return true;
        }
    }
    return false;
}

bool pattern_set_has(const char *set, const char *set_end, unsigned char c)
{
    bool is_complement = set[1] == '^';

    return elements_have(set + (is_complement ? 2 : 1), set_end - 1, c) != is_complement;
}

/* ---- items ------------------------------------------------------------------------------------- */

const char *pattern_item_end(const char *item, const char *end, const char **fault)
{
    const char *after = item + 1;

    if (*item == '%') {
        *fault = "malformed pattern (ends with '%')";
        after = item + 1 < end ? item + 2 : NULL;
    } else if (*item == '[') {
        *fault = "malformed pattern (missing ']')";
        after = end_of_set(item, end);
    }
    return after;
}

bool pattern_item_fits(const char *item, const char *item_end, unsigned char c)
{
    switch (*item) {
    case '.': return true;
    case '%': return escape_fits(item[1], c);
    case '[': return pattern_set_has(item, item_end, c);
    default: return (unsigned char)*item == c;
    }
}
