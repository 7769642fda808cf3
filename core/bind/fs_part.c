/* SPDX-License-Identifier: MIT */
/* fs:read(path, {offset, size}): a piece of a file, however large that is. */
#include <errno.h>

#include "bind/fs.h"
#include "file.h"

struct part {
    const struct sys *sys;
    int fd;
    struct node node;
    struct bytes bytes;
};

static void close_part(void *payload)
{
    struct part *part = payload;

    if (part->sys != NULL && part->fd >= 0)
        part->sys->close(part->fd);
    bytes_free(&part->bytes);
}

static croft_status read_part(struct part *part, const struct route *route, off_t offset,
                              size_t size, croft_error *err)
{
    croft_status status = file_open(route->root, route->path, &part->fd, &part->node, err);
    ssize_t count;

    status = fs_of_file(route, status, err);
    if (status != CROFT_OK)
        return status;
    if (!bytes_reserve(&part->bytes, size + 1))
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    count = read_fully(part->sys, part->fd, part->bytes.data, size, offset);
    if (count < 0)
        return path_blame_last(route->path, fail_io(err, errno, "it cannot be read"), err);
    part->bytes.size = (size_t)count;
    return CROFT_OK;
}

/* -> at most `size` bytes from `offset` (0 is the first byte) on; "" behind the end */
int fs_read_part(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 3, "read");
    lua_Integer most = (lua_Integer)bind_host(L)->limits->edit_bytes;
    lua_Integer offset = bind_field_integer(L, 3, "offset", 0);
    lua_Integer size = bind_field_integer(L, 3, "size", most);
    struct part *part;
    croft_error err;

    luaL_argcheck(L, offset >= 0 && size >= 0, 3, "a field is negative");
    luaL_argcheck(L, size <= most, 3, "size is more than ctx.limits.edit_bytes");
    bind_tick(L, (uint64_t)size / 64 + 100);
    part = bind_own(L, sizeof *part, close_part);
    part->fd = -1;
    part->sys = route->root->sys;
    if (read_part(part, route, (off_t)offset, (size_t)size, &err) != CROFT_OK)
        return fs_raise(L, route, &err, "read", 2);
    fs_note_opened(L, route, &part->node);
    bind_note_bytes(L, part->bytes.size);
    lua_pushlstring(L, part->bytes.data, part->bytes.size);
    bind_release(L, -2);
    return 1;
}
