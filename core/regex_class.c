/* SPDX-License-Identifier: MIT */
/* What a class of characters may begin with. PCRE2 itself is asked, so there is no table of our own. */
#include "regex_parts.h"
#include "utf8.h"

#include <string.h>

enum {
    ASCII = 0x80,
    FIRST_PAIR = 0xC2,   /* lead bytes of characters of two bytes, */
    FIRST_TRIPLE = 0xE0, /* of three and four, */
    LAST_LEAD = 0xF4,
    PAIRS = 64 /* characters that share a lead byte of two */
};

static bool hits(pcre2_code *code, pcre2_match_data *data, const char *text, size_t size)
{
    return pcre2_match(code, (PCRE2_SPTR)text, size, 0, PCRE2_NO_UTF_CHECK, data, NULL) >= 0;
}

static void ask_ascii(pcre2_code *code, pcre2_match_data *data, struct byte_set *set)
{
    for (unsigned byte = 0; byte < ASCII; byte++) {
        char c = (char)byte;

        if (byte != '\n' && hits(code, data, &c, 1))
            set_add(set, (unsigned char)byte);
    }
}

/* Of longer characters than two bytes each lead byte is taken for a possible one. */
static void ask_leads(pcre2_code *code, pcre2_match_data *data, struct byte_set *set)
{
    char text[2 * PAIRS];

    for (unsigned lead = FIRST_PAIR; lead < FIRST_TRIPLE; lead++) {
        for (unsigned i = 0; i < PAIRS; i++) {
            text[2 * i] = (char)lead;
            text[2 * i + 1] = (char)(ASCII + i);
        }
        if (hits(code, data, text, sizeof text))
            set_add(set, (unsigned char)lead);
    }
    for (unsigned lead = FIRST_TRIPLE; lead <= LAST_LEAD; lead++)
        set_add(set, (unsigned char)lead);
}

/* A class that by its letters can hold nothing but ASCII. */
static bool is_plain(const char *text, size_t size)
{
    static const char white[] = "[^\\S\\n]"; /* as pattern_scan writes `\s` */

    if (text[0] == '\\')
        return size == 2 && text[1] != '\0' && strchr("dws", text[1]) != NULL;
    if (size == sizeof white - 1 && memcmp(text, white, size) == 0)
        return true;
    if (text[0] != '[' || size < 3 || text[1] == '^')
        return false;
    for (size_t i = 1; i < size; i++) {
        if ((unsigned char)text[i] >= ASCII ||
            (text[i] == '[' && i + 2 < size && text[i + 2] == '^'))
            return false;
        if (text[i] != '\\')
            continue;
        i++;
        if (i == size || text[i] == '\0' || strchr("QEDWSHVNpPxo0123456789chv", text[i]) != NULL)
            return false;
    }
    return true;
}

/* Under PCRE2_CASELESS k stands for U+212A too, and s for U+017F. */
static bool has_odd_letter(const struct byte_set *set)
{
    return set_has(set, 'k') || set_has(set, 's');
}

static bool ask(const char *text, size_t size, bool caseless, bool plain, struct byte_set *set)
{
    uint32_t options = PCRE2_UTF | (caseless ? PCRE2_CASELESS : 0);
    int number;
    size_t at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, size, options, &number, &at, NULL);
    pcre2_match_data *data = pcre2_match_data_create(1, NULL);
    bool asked = code != NULL && data != NULL;

    if (asked) {
        ask_ascii(code, data, set);
        if (!plain || (caseless && has_odd_letter(set)))
            ask_leads(code, data, set);
    }
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return asked;
}

bool class_first_bytes(const char *text, size_t size, bool with_case, bool without_case,
                       struct byte_set *set, bool *single)
{
    bool plain = is_plain(text, size);

    memset(set, 0, sizeof *set);
    if ((with_case && !ask(text, size, false, plain, set)) ||
        (without_case && !ask(text, size, true, plain, set)))
        return false;
    *single = set->bits[2] == 0 && set->bits[3] == 0;
    return true;
}
