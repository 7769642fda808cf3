/* SPDX-License-Identifier: MIT */
/* Names that a careless file system takes for one another (paths.md 3.6). */
#include <string.h>

#include "path.h"
#include "utf8.h"

static bool in_range(uint32_t c, uint32_t low, uint32_t high)
{
    return c >= low && c <= high;
}

/* Code points that HFS+ and its like leave out when they compare names. */
static bool is_ignorable(uint32_t c)
{
    return c == 0x00AD || in_range(c, 0x200B, 0x200F) || in_range(c, 0x202A, 0x202E) ||
           in_range(c, 0x2060, 0x206F) || c == 0xFEFF;
}

/* The code point of a valid character of `length` bytes. */
static uint32_t decode(const unsigned char *text, size_t length)
{
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t c = text[0] & lead_bits[length];

    for (size_t i = 1; i < length; i++)
        c = c << 6 | (text[i] & 0x3Fu);
    return c;
}

/* What is compared in place of one character: up to `length` bytes into `out`, and how many. */
static size_t fold_character(const char *text, size_t length, char *out)
{
    uint32_t c = length == 0 ? 0 : decode((const unsigned char *)text, length);

    if (is_ignorable(c))
        return 0;
    if (c == 0x017F || c == 0x212A) { /* long s and the Kelvin sign fold to ASCII letters */
        out[0] = c == 0x017F ? 's' : 'k';
        return 1;
    }
    if (length == 1 && text[0] >= 'A' && text[0] <= 'Z') {
        out[0] = (char)(text[0] - 'A' + 'a');
        return 1;
    }
    length = length == 0 ? 1 : length; /* a stray byte stands for itself */
    memcpy(out, text, length);
    return length;
}

void name_fold(const char *name, size_t size, char *out)
{
    const char *colon = memchr(name, ':', size); /* an alternate stream of the same file */
    size_t end = colon == NULL ? size : (size_t)(colon - name);
    size_t used = 0;

    for (size_t i = 0; i < end;) {
        size_t length = utf8_length(name + i, end - i);

        used += fold_character(name + i, length, out + used);
        i += length == 0 ? 1 : length;
    }
    while (used > 0 && (out[used - 1] == '.' || out[used - 1] == ' '))
        used--;
    out[used] = '\0';
}

/* Whether `folded` is an 8.3 form of `wanted`: up to six of its letters, "~", digits. */
static bool is_short_form(const char *folded, const char *wanted)
{
    const char *tilde = strchr(folded, '~');
    size_t head = tilde == NULL ? 0 : (size_t)(tilde - folded);

    if (head == 0 || head > 6 || strncmp(folded, wanted, head) != 0)
        return false;
    tilde++;
    return *tilde != '\0' && strspn(tilde, "0123456789") == strlen(tilde);
}

bool name_stands_for(const char *name, size_t size, const char *wanted)
{
    char folded[NAME_BYTES + 1], folded_wanted[NAME_BYTES + 1];

    if (size > NAME_BYTES || strlen(wanted) > NAME_BYTES)
        return false;
    name_fold(name, size, folded);
    name_fold(wanted, strlen(wanted), folded_wanted);
    return strcmp(folded, folded_wanted) == 0 || is_short_form(folded, folded_wanted);
}
