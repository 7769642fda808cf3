/* SPDX-License-Identifier: MIT */
/*
 * Where PCRE2's machine code is not to be trusted, and its interpreter is asked. What is asked of the
 * text of a pattern says yes too often rather than too seldom: of what is quoted, or stands in a class.
 */
#include "regex_parts.h"

#include <string.h>

bool pattern_holds(const char *pattern, size_t size, const char *text)
{
    return memmem(pattern, size, text, strlen(text)) != NULL;
}

/* Whether `(?U)` or its kin may stand in it, which turns `+` and `+?` round. */
static bool may_turn_round(const char *pattern, size_t size)
{
    for (size_t i = 0; i + 2 < size; i++) {
        size_t j = i + 2;

        if (pattern[i] != '(' || pattern[i + 1] != '?')
            continue;
        while (j < size && pattern[j] != '\0' && strchr("imsnxJ^a-", pattern[j]) != NULL)
            j++;
        if (j < size && pattern[j] == 'U')
            return true;
    }
    return false;
}

bool pattern_is_lazy_and_atomic(const char *pattern, size_t size)
{
    bool lazy = pattern_holds(pattern, size, "+?") || pattern_holds(pattern, size, ",}?") ||
                may_turn_round(pattern, size);

    return lazy && (pattern_holds(pattern, size, "(?>") || pattern_holds(pattern, size, "(*") ||
                    pattern_holds(pattern, size, "}+"));
}

bool pattern_is_misread(const char *pattern, size_t size)
{
    return pattern_holds(pattern, size, "\\S") || pattern_holds(pattern, size, "\\D") ||
           pattern_holds(pattern, size, "\\W") || pattern_is_lazy_and_atomic(pattern, size);
}
