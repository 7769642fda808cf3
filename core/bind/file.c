/* SPDX-License-Identifier: MIT */
/* An open file, as fs:open gives it to tools that read piece by piece. */
#include "file.h"

#include <errno.h>
#include <string.h>

#include "bind/fs.h"

#define FILE_TYPE "croft.file"

enum { WINDOW = 64 * KIB, MOST_FILES = 64 };

struct file {
    struct bind_host *host; /* NULL: it is not counted */
    const struct sys *sys;
    int fd;
    uint64_t position; /* of the next byte for read() and lines() */
    struct node node;
    struct reading reading;    /* its record */
    char path[PATH_BYTES + 1]; /* as it was asked for */
    size_t from, filled;       /* what of `window` lines() has not used */
    char window[WINDOW];
};

static void close_file(void *payload)
{
    struct file *file = payload;

    reading_end(&file->reading);
    if (file->sys != NULL && file->fd >= 0)
        file->sys->close(file->fd);
    file->fd = -1;
    if (file->host != NULL)
        file->host->files--;
    file->host = NULL;
}

static struct file *check_open(lua_State *L, int index)
{
    struct file *file = bind_check(L, index, FILE_TYPE);

    if (file->fd < 0)
        luaL_error(L, "the file is closed");
    return file;
}

static int raise_read(lua_State *L, struct file *file, int number)
{
    croft_error err;

    file->reading.failed = fail_io(&err, number, "it cannot be read");
    bind_push_error(L, &err, "read", 0);
    bind_set_path(L, "path", file->path, strlen(file->path));
    lua_pushnil(L); /* it is about the whole path */
    lua_setfield(L, -2, "at");
    return lua_error(L);
}

/* Moves on to the next window. False at the end of the file. */
static bool fill(lua_State *L, struct file *file)
{
    ssize_t count;

    bind_tick(L, WINDOW / 64);
    count = read_fully(file->sys, file->fd, file->window, WINDOW, (off_t)file->position);
    if (count < 0)
        raise_read(L, file, errno);
    file->reading.bytes += (uint64_t)count;
    file->position += (uint64_t)count;
    file->from = 0;
    file->filled = (size_t)count;
    return count > 0;
}

/* Adds what the window holds of the line. True when its LF was there. */
static bool take_piece(struct file *file, luaL_Buffer *line)
{
    const char *text = file->window + file->from;
    size_t left = file->filled - file->from;
    const char *end = memchr(text, '\n', left);
    size_t size = end == NULL ? left : (size_t)(end - text);

    luaL_addlstring(line, text, size);
    file->from += size + (end == NULL ? 0 : 1);
    return end != NULL;
}

/* The iterator of file:lines(): the next line without LF (and without a CR before it), or nil. */
static int next_line(lua_State *L)
{
    struct file *file = check_open(L, lua_upvalueindex(1));
    luaL_Buffer line;
    bool whole = false;

    bind_tick(L, 2);
    if (file->from == file->filled && !fill(L, file))
        return 0;
    luaL_buffinit(L, &line);
    do
        whole = take_piece(file, &line);
    while (!whole && fill(L, file));
    if (whole && luaL_bufflen(&line) > 0 && luaL_buffaddr(&line)[luaL_bufflen(&line) - 1] == '\r')
        luaL_buffsub(&line, 1);
    luaL_pushresult(&line);
    return 1;
}

static int file_lines(lua_State *L)
{
    check_open(L, 1);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, next_line, 1);
    return 1;
}

/* file:read(n) -> at most n bytes (64 KiB at once), or nil at the end */
static int file_read_bytes(lua_State *L)
{
    struct file *file = check_open(L, 1);
    lua_Integer most = bind_opt_integer(L, 2, WINDOW);
    size_t size;

    luaL_argcheck(L, most > 0, 2, "not positive");
    if (file->from == file->filled && !fill(L, file)) {
        luaL_pushfail(L);
        return 1;
    }
    size = file->filled - file->from;
    if ((uint64_t)most < size)
        size = (size_t)most;
    lua_pushlstring(L, file->window + file->from, size);
    file->from += size;
    return 1;
}

/* file:seek(offset) -> offset: where read() and lines() go on, 0 being the first byte. Without one, where
 * they are. */
static int file_seek(lua_State *L)
{
    struct file *file = check_open(L, 1);
    uint64_t at = file->position - (file->filled - file->from);
    lua_Integer offset = bind_opt_integer(L, 2, (lua_Integer)at);

    luaL_argcheck(L, offset >= 0, 2, "it is negative");
    bind_tick(L, 2);
    if ((uint64_t)offset != at) {
        file->position = (uint64_t)offset;
        file->from = file->filled = 0;
    }
    lua_pushinteger(L, offset);
    return 1;
}

static int file_close(lua_State *L)
{
    bind_check(L, 1, FILE_TYPE);
    bind_release(L, 1);
    return 0;
}

/* file.path, file.size, and the methods (upvalue 1). */
static int file_index(lua_State *L)
{
    const struct file *file = bind_check(L, 1, FILE_TYPE);
    const char *key = luaL_checkstring(L, 2);

    if (strcmp(key, "path") == 0)
        bind_push_path(L, file->path, strlen(file->path));
    else if (strcmp(key, "size") == 0)
        lua_pushinteger(L, (lua_Integer)file->node.size);
    else
        lua_getfield(L, lua_upvalueindex(1), key);
    return 1;
}

static const luaL_Reg file_methods[] = {
    {"lines", file_lines}, {"read", file_read_bytes}, {"seek", file_seek}, {"close", file_close},
    {NULL, NULL},
};

static void make_type(lua_State *L)
{
    bind_type(L, FILE_TYPE, file_methods);
    luaL_getmetatable(L, FILE_TYPE);
    lua_newtable(L);
    luaL_setfuncs(L, file_methods, 0);
    lua_pushcclosure(L, file_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

/* Pushes the box of a file that is not open. */
static struct file *push_file(lua_State *L, const struct route *route)
{
    struct bind_host *host = bind_host(L);
    struct file *file;

    if (host->files == MOST_FILES) /* those that nobody has any more are garbage */
        bind_collect(L);
    if (host->files == MOST_FILES)
        luaL_error(L, "more than %d files are open: file:close() closes one", MOST_FILES);
    make_type(L);
    file = bind_own_as(L, sizeof *file, close_file, FILE_TYPE);
    file->fd = -1;
    file->sys = route->root->sys;
    memcpy(file->path, route->spelled->text, route->spelled->size + 1);
    file->host = host;
    host->files++;
    return file;
}

/* fs:open(path) -> file */
int fs_open(lua_State *L)
{
    const struct route *route = fs_route(L, 2, 2, "read");
    struct file *file;
    croft_error err;
    croft_status status;

    bind_tick(L, 100);
    file = push_file(L, route);
    status = file_open(route->root, route->path, &file->fd, &file->node, &err);
    if (fs_of_file(route, status, &err) != CROFT_OK) {
        bind_release(L, -1);
        return fs_raise(L, route, &err, "read", 2);
    }
    fs_note_opened(L, route, &file->node);
    if (bind_host(L)->recorder != NULL)
        reading_begin(&file->reading, bind_host(L)->recorder);
    return 1;
}
