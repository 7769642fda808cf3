/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

void bytes_clear(struct bytes *bytes)
{
    bytes->size = 0;
}

/* Grows by half again at least, so that adding byte after byte costs linear time. */
static bool grow(struct bytes *bytes, size_t wanted)
{
    size_t capacity = bytes->capacity < SMALLEST ? SMALLEST : bytes->capacity;
    char *data;

    if (capacity <= PTRDIFF_MAX / 2)
        capacity += capacity / 2;
    if (capacity < wanted)
        capacity = wanted;
    data = realloc(bytes->data, capacity);
    if (data == NULL)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

bool bytes_make_room(struct bytes *bytes, size_t more)
{
    if (bytes->failed)
        return false;
    /* No object is larger than PTRDIFF_MAX, so this sum cannot wrap around. */
    if (more > PTRDIFF_MAX - bytes->size || !grow(bytes, bytes->size + more))
        bytes->failed = true;
    return !bytes->failed;
}

void bytes_add(struct bytes *bytes, const void *data, size_t size)
{
    if (size == 0 || !bytes_reserve(bytes, size))
        return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void bytes_add_text(struct bytes *bytes, const char *text)
{
    bytes_add(bytes, text, strlen(text));
}

void bytes_add_char(struct bytes *bytes, char c)
{
    if (!bytes_reserve(bytes, 1))
        return;
    bytes->data[bytes->size++] = c;
}

void bytes_add_number(struct bytes *bytes, uint64_t number)
{
    char digits[20]; /* 2^64 - 1 has as many */
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    bytes_add(bytes, digits + at, sizeof digits - at);
}

const char *bytes_end(struct bytes *bytes)
{
    if (!bytes_reserve(bytes, 1))
        return "";
    bytes->data[bytes->size] = '\0';
    return bytes->data;
}
