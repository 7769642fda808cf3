/* SPDX-License-Identifier: MIT */
#include "copy_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"

enum { BLOCK = 256 * 1024 };

static croft_status fail_read(croft_error *err, ssize_t count)
{
    if (count == 0)
        return fail(err, CROFT_CHANGED, 0, "it became shorter while it was copied");
    return fail_errno(err, errno, "it cannot be read");
}

static croft_status fail_write(croft_error *err)
{
    return fail_errno(err, errno, "the copy cannot be written");
}

/* ---- by hand ----------------------------------------------------------------------------------- */

static croft_status write_all(const struct sys *sys, int to, const char *data, size_t size,
                              croft_error *err)
{
    while (size > 0) {
        ssize_t count = sys->write(to, data, size);

        if (count == 0)
            errno = EIO; /* nothing written, and no reason: not for ever */
        if (count <= 0)
            return fail_write(err);
        data += count;
        size -= (size_t)count;
    }
    return CROFT_OK;
}

static croft_status copy_by_hand(const struct sys *sys, int from, int to, off_t at, off_t end,
                                 croft_error *err)
{
    char *block = malloc(BLOCK);
    croft_status status = CROFT_OK;

    if (block == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (sys->seek(to, at, SEEK_SET) != at)
        status = fail_write(err);
    while (status == CROFT_OK && at < end) {
        size_t wanted = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
        ssize_t count = sys->pread(from, block, wanted, at);

        status = count > 0 ? write_all(sys, to, block, (size_t)count, err) : fail_read(err, count);
        at += count;
    }
    free(block);
    return status;
}

/* ---- by the kernel ----------------------------------------------------------------------------- */

/* What keeps the kernel from doing it between these two files may not keep us. */
static croft_status copy_extent(const struct sys *sys, int from, int to, off_t at, off_t end,
                                croft_error *err)
{
    while (at < end) {
        ssize_t count = sys->copy_range(from, to, at, (size_t)(end - at));

        if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
            return fail_write(err);
        if (count <= 0)
            return copy_by_hand(sys, from, to, at, end, err);
        at += count;
    }
    return CROFT_OK;
}

/* Where the next data begins and ends; a file system that does not know says that all is data. */
static void find_extent(const struct sys *sys, int from, off_t at, off_t size, off_t *begin,
                        off_t *end)
{
    *begin = sys->seek(from, at, SEEK_DATA);
    if (*begin < 0)
        *begin = errno == ENXIO ? size : at;
    *end = sys->seek(from, *begin, SEEK_HOLE);
    if (*end < 0 || *end > size)
        *end = size;
    if (*begin > size)
        *begin = size;
}

croft_status copy_file(const struct sys *sys, int from, int to, uint64_t size, bool *shared,
                       croft_error *err)
{
    off_t at = 0, begin, end, whole = (off_t)size;
    croft_status status = CROFT_OK;

    *shared = size > 0 && sys->clone(to, from) == 0;
    if (*shared)
        return CROFT_OK;
    for (; status == CROFT_OK && at < whole; at = end) {
        find_extent(sys, from, at, whole, &begin, &end);
        if (end <= begin)
            end = begin = whole;
        status = copy_extent(sys, from, to, begin, end, err);
    }
    if (status == CROFT_OK && sys->truncate(to, whole) != 0)
        status = fail_write(err);
    return status;
}

bool copy_is_same(const struct sys *sys, int a, int b, uint64_t size)
{
    char *blocks = malloc((size_t)2 * BLOCK);
    bool same = blocks != NULL;

    for (uint64_t at = 0; same && at < size; at += BLOCK) {
        size_t wanted = size - at < BLOCK ? (size_t)(size - at) : BLOCK;

        same = read_fully(sys, a, blocks, wanted, (off_t)at) == (ssize_t)wanted &&
               read_fully(sys, b, blocks + BLOCK, wanted, (off_t)at) == (ssize_t)wanted &&
               memcmp(blocks, blocks + BLOCK, wanted) == 0;
    }
    free(blocks);
    return same;
}
