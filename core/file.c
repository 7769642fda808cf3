/* SPDX-License-Identifier: MIT */
#include "file.h"

#include <errno.h>
#include <string.h>

croft_status file_open(const struct root *root, const struct path *path, int *fd, struct node *node,
                       croft_error *err)
{
    struct place place;
    croft_status status = resolve(root, path, RESOLVE_EXISTING, &place, err);

    if (status != CROFT_OK)
        return status;
    status = open_place(&place, path, S_IFREG, fd, node, err);
    place_close(&place);
    return status;
}

ssize_t read_fully(const struct sys *sys, int fd, void *buffer, size_t size, off_t offset)
{
    size_t filled = 0;

    while (filled < size) {
        ssize_t count =
            sys->pread(fd, (char *)buffer + filled, size - filled, offset + (off_t)filled);

        if (count < 0)
            return -1;
        if (count == 0)
            break;
        filled += (size_t)count;
    }
    return (ssize_t)filled;
}

/* The file's size is a hint at most: it may grow or shrink while it is read. */
croft_status file_read(const struct sys *sys, int fd, uint64_t limit, struct bytes *out,
                       croft_error *err)
{
    enum { FIRST = 64 * KIB };

    for (;;) {
        size_t room = out->size < FIRST ? FIRST : out->size; /* doubles */
        ssize_t count;

        if (room > limit - out->size)
            room = (size_t)(limit - out->size) + 1; /* one more tells "full" from "over" */
        if (!bytes_reserve(out, room))
            return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
        count = read_fully(sys, fd, out->data + out->size, room, (off_t)out->size);
        if (count < 0)
            return fail_io(err, errno, "it cannot be read");
        out->size += (size_t)count;
        if (out->size > limit)
            return fail(err, CROFT_TOO_LARGE, 0, "it is larger than the ceiling");
        if ((size_t)count < room)
            return CROFT_OK;
    }
}

static uint64_t mix(uint64_t hash, const char *data, size_t size)
{
    uint64_t word = 0;

    if (size > 0)
        memcpy(&word, data, size);
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t file_digest(const void *data, size_t size)
{
    const char *next = data;
    uint64_t hash = size;

    for (; size >= sizeof hash; size -= sizeof hash, next += sizeof hash)
        hash = mix(hash, next, sizeof hash);
    return mix(hash, next, size);
}
