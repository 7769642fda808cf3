/* SPDX-License-Identifier: MIT */
/* What it costs to compile an expression. PCRE2 goes over each character of a range of a class to find its
 * other case, and that of a range to U+10FFFF takes milliseconds. */
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"
#include "regex.h"

/* The number in "{...}" as if it were hexadecimal, which is the most that it can be. */
static uint64_t number_in_braces(const char *text, size_t size)
{
    char digits[16] = "";
    size_t count = 0;

    for (size_t at = 0; at < size && count < sizeof digits - 1 && text[at] != '}'; at++)
        if (text[at] != ' ' && strchr("Uu+", text[at]) == NULL)
            digits[count++] = text[at];
    return strtoull(digits, NULL, 16);
}

/* No code point that the pattern names is as large. */
static uint64_t bound_of_codes(const char *pattern, size_t size)
{
    enum { BEHIND_CODES = 0x110000 };
    uint64_t bound = 0x200, code; /* "\777" */

    for (size_t at = 0; at < size; at++) {
        unsigned char byte = (unsigned char)pattern[at];

        code = byte >= 0xF0 ? BEHIND_CODES : byte >= 0xE0 ? 0x10000 : byte >= 0x80 ? 0x800 : 0;
        if (byte == '{')
            code = number_in_braces(pattern + at + 1, size - at - 1) + 1;
        if (code > bound)
            bound = code;
    }
    return bound < BEHIND_CODES ? bound : BEHIND_CODES;
}

uint64_t regex_cost(const char *pattern, size_t size, unsigned flags)
{
    enum { OWN_STEPS = 1000, STEPS_OF_CODE = 2 }; /* it is compiled for several uses */
    bool ignores_case = (flags & REGEX_IGNORE_CASE) != 0 || memmem(pattern, size, "(?", 2) != NULL;
    uint64_t ranges = 0;

    if (size <= PATTERN_BYTES && ignores_case && (flags & REGEX_LITERAL) == 0)
        for (size_t at = 0; at < size; at++)
            ranges += pattern[at] == '-';
    return OWN_STEPS + size +
           (ranges == 0 ? 0 : ranges * STEPS_OF_CODE * bound_of_codes(pattern, size));
}
