/* SPDX-License-Identifier: MIT */
#include "front_scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>

static int refuse(lua_State *L, const char *reason)
{
    lua_pushnil(L);
    lua_pushstring(L, reason);
    return 2;
}

int scratch_new(lua_State *L)
{
    const char *top = getenv("TMPDIR");
    char path[PATH_MAX];
    int size =
        snprintf(path, sizeof path, "%s/croft.XXXXXX", top == NULL || *top == '\0' ? "/tmp" : top);

    if (size < 0 || (size_t)size >= sizeof path || mkdtemp(path) == NULL)
        return refuse(L, "no directory can be made in TMPDIR");
    lua_pushstring(L, path);
    return 1;
}

/* ---- what is in it ----------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    return *name != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Goes down into the directory `name`, which is made if it is not there; no link is followed. `dir` is closed. */
static int go_down(int dir, const char *name, bool may_make)
{
    int next = -1;

    if (is_name(name) && (!may_make || mkdirat(dir, name, 0777) == 0 || errno == EEXIST))
        next = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(dir);
    return next;
}

/* Opens the directory that holds the last name of `path`, argument 2, below argument 1; *name is that, "" where
 * the path ends in a slash. -1 when there is no way. `path` is cut up. */
static int find(const char *directory, char *path, bool may_make, const char **name)
{
    int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (char *slash; dir >= 0 && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
        *slash = '\0';
        dir = go_down(dir, path, may_make);
    }
    *name = path;
    return dir;
}

/* The same for the arguments of a function of Lua. */
static int find_argument(lua_State *L, bool may_make, char path[PATH_MAX], const char **name)
{
    const char *directory = luaL_checkstring(L, 1);
    int size = snprintf(path, PATH_MAX, "%s", luaL_checkstring(L, 2));

    return size < 0 || size >= PATH_MAX ? -1 : find(directory, path, may_make, name);
}

static bool write_file(int dir, const char *name, const char *text, size_t size)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool good = fd >= 0;

    for (ssize_t count; good && size > 0; text += count, size -= (size_t)count) {
        count = write(fd, text, size);
        good = count > 0;
        if (!good)
            break;
    }
    if (fd >= 0)
        good &= close(fd) == 0;
    return good;
}

int scratch_put(lua_State *L)
{
    char path[PATH_MAX];
    const char *name;
    size_t size;
    const char *text = luaL_optlstring(L, 3, "", &size);
    int dir = find_argument(L, true, path, &name);
    bool good = dir >= 0 && (*name == '\0' || (is_name(name) && write_file(dir, name, text, size)));

    if (dir >= 0)
        close(dir);
    if (!good)
        return refuse(L, "it cannot be made below the root");
    lua_pushboolean(L, true);
    return 1;
}

int scratch_link(lua_State *L)
{
    char path[PATH_MAX];
    const char *name;
    const char *target = luaL_checkstring(L, 3);
    int dir = find_argument(L, true, path, &name);
    bool good = dir >= 0 && is_name(name) && symlinkat(target, dir, name) == 0;

    if (dir >= 0)
        close(dir);
    if (!good)
        return refuse(L, "the link cannot be made below the root");
    lua_pushboolean(L, true);
    return 1;
}

/* Pushes what the file `fd` holds, which is closed. */
static void push_contents(lua_State *L, int fd)
{
    luaL_Buffer buffer;
    ssize_t count;

    luaL_buffinit(L, &buffer);
    do {
        char *room = luaL_prepbuffer(&buffer);

        count = read(fd, room, LUAL_BUFFERSIZE);
        if (count > 0)
            luaL_addsize(&buffer, (size_t)count);
    } while (count > 0);
    close(fd);
    luaL_pushresult(&buffer);
}

int scratch_get(lua_State *L)
{
    char path[PATH_MAX];
    const char *name;
    int dir = find_argument(L, false, path, &name);
    int fd = dir >= 0 && is_name(name)
                 ? openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                 : -1;

    if (dir >= 0)
        close(dir);
    if (fd < 0)
        return refuse(L, "it is not there");
    push_contents(L, fd);
    return 1;
}

/* ---- removing ---------------------------------------------------------------------------------- */

static int drop_one(const char *path, const struct stat *node, int type, struct FTW *at)
{
    (void)node;
    (void)type;
    (void)at;
    return remove(path);
}

int scratch_drop(lua_State *L)
{
    enum { DESCRIPTORS = 16 };

    if (nftw(luaL_checkstring(L, 1), drop_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
        return refuse(L, "it cannot be removed");
    lua_pushboolean(L, true);
    return 1;
}

int scratch_program(lua_State *L)
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path);

    if (size <= 0 || (size_t)size == sizeof path)
        return refuse(L, "/proc is not mounted");
    lua_pushlstring(L, path, (size_t)size);
    return 1;
}
