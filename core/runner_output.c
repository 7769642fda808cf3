/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "json_scan.h"
#include "runner_parts.h"
#include "utf8.h"

/* The last bytes lie in a ring: byte number n of all that went there at n modulo its size. */
static void add_tail(struct output_kept *output, const char *data, size_t size)
{
    uint64_t at = output->total - output->head_size;

    if (size > OUTPUT_TAIL) {
        at += size - OUTPUT_TAIL;
        data += size - OUTPUT_TAIL;
        size = OUTPUT_TAIL;
    }
    for (size_t i = 0; i < size; i++)
        output->tail[(at + i) % OUTPUT_TAIL] = data[i];
}

void output_add(struct output_kept *output, const char *data, size_t size)
{
    size_t room = OUTPUT_HEAD - output->head_size;
    size_t first = size < room ? size : room;

    memcpy(output->head + output->head_size, data, first);
    output->head_size += first;
    output->total += first;
    add_tail(output, data + first, size - first);
    output->total += size - first;
}

static void add_member(struct bytes *json, const char *name, const char *text, size_t size)
{
    json_quote(json, name, strlen(name));
    bytes_add_char(json, ':');
    json_quote(json, text, size);
    bytes_add_char(json, ',');
}

/* Bytes at the start that are the rest of a character. */
static size_t rest_of_character(const char *text, size_t size)
{
    size_t count = 0;

    while (count < size && count < 3 && ((unsigned char)text[count] & 0xC0) == 0x80)
        count++;
    return count;
}

void output_write(const struct output_kept *output, struct bytes *json)
{
    uint64_t behind = output->total - output->head_size;
    size_t kept = behind < OUTPUT_TAIL ? (size_t)behind : OUTPUT_TAIL;
    uint64_t dropped = behind - kept;
    size_t head = output->head_size, skipped = 0;
    char tail[OUTPUT_TAIL];

    for (size_t i = 0; i < kept; i++)
        tail[i] = output->tail[(dropped + i) % OUTPUT_TAIL];
    if (dropped > 0) { /* no halves of characters at the gap */
        head = utf8_cut(output->head, output->head_size, output->head_size - 3);
        skipped = rest_of_character(tail, kept);
        dropped += output->head_size - head + skipped;
    }
    add_member(json, "head", output->head, head);
    add_member(json, "tail", tail + skipped, kept - skipped);
    bytes_add_text(json, "\"dropped\":");
    bytes_add_number(json, dropped);
}
