/* SPDX-License-Identifier: MIT */
/* A buffer that grows. Running out of memory sticks: nothing is added any more, `failed` says
 * so, and the one who made the buffer looks once at the end. What is added must not lie in the
 * buffer itself. */
#ifndef CROFT_BYTES_H
#define CROFT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is the empty state. */
struct bytes {
    char *data; /* NULL while empty; not ended by NUL unless bytes_end() was called */
    size_t size, capacity;
    bool failed;
};

void bytes_free(struct bytes *bytes);                   /* and back to the empty state */
void bytes_clear(struct bytes *bytes);                  /* keeps the memory, and `failed` */
bool bytes_make_room(struct bytes *bytes, size_t more); /* bytes_reserve where there is none */

/* Makes sure that there is room for `more` bytes behind the last; mostly there is. */
static inline bool bytes_reserve(struct bytes *bytes, size_t more)
{
    return (!bytes->failed && more <= bytes->capacity - bytes->size) ||
           bytes_make_room(bytes, more);
}

void bytes_add(struct bytes *bytes, const void *data,
               size_t size); /* NULL is fine when size is 0 */
void bytes_add_text(struct bytes *bytes, const char *text);
void bytes_add_char(struct bytes *bytes, char c);
void bytes_add_number(struct bytes *bytes, uint64_t number); /* in decimal */

/* Puts a NUL behind the last byte, which `size` does not count. Never NULL: "" when memory ran
 * out. */
const char *bytes_end(struct bytes *bytes);

#endif
