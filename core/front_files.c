/* SPDX-License-Identifier: MIT */
#include "front_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>

enum { USUAL_WIDTH = 80 };

int files_terminal(lua_State *L)
{
    struct winsize size;
    bool is_one = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    int width = USUAL_WIDTH;

    (void)setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    if (is_one && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    lua_pushboolean(L, is_one);
    lua_pushinteger(L, width);
    return 2;
}

/* ---- private files ----------------------------------------------------------------------------- */

/* Makes the directories of `path`, which is cut up meanwhile. */
static void make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

static bool is_private(int fd)
{
    struct stat file;

    return fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
           fchmod(fd, 0600) == 0;
}

static FILE *open_private(const char *path)
{
    char copy[PATH_MAX];
    int fd;

    if (strlen(path) >= sizeof copy) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    strcpy(copy, path);
    make_directories(copy);
    fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
              0600);
    if (fd < 0)
        return NULL;
    if (is_private(fd))
        return fdopen(fd, "a+");
    close(fd);
    errno = EPERM;
    return NULL;
}

static int close_file(lua_State *L)
{
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);

    return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

int files_private(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);

    stream->closef = NULL; /* not open yet */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    stream->f = open_private(path);
    if (stream->f == NULL)
        return luaL_fileresult(L, 0, NULL);
    stream->closef = close_file;
    return 1;
}

/* ---- fingerprints ------------------------------------------------------------------------------ */

static bool is_source(const char *name)
{
    size_t size = strlen(name);

    return name[0] != '.' && size > 4 && strcmp(name + size - 4, ".lua") == 0;
}

/* The sum does not depend on the order in which a directory gives its names. */
static void add_file(int directory, const char *name, lua_Unsigned *sum)
{
    lua_Unsigned hash = 1469598103934665603u;
    struct stat file;
    unsigned char bytes[sizeof file.st_mtim + sizeof file.st_size + sizeof file.st_ino];

    if (fstatat(directory, name, &file, 0) != 0)
        return;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &file.st_mtim, sizeof file.st_mtim);
    memcpy(bytes + sizeof file.st_mtim, &file.st_size, sizeof file.st_size);
    memcpy(bytes + sizeof file.st_mtim + sizeof file.st_size, &file.st_ino, sizeof file.st_ino);
    for (const char *c = name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    for (size_t i = 0; i < sizeof bytes; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    *sum += hash;
}

int files_fingerprint(lua_State *L)
{
    DIR *directory = opendir(luaL_checkstring(L, 1));
    const struct dirent *entry;
    lua_Unsigned sum = 0;

    if (directory == NULL)
        return 0;
    while ((entry = readdir(directory)) != NULL)
        if (is_source(entry->d_name))
            add_file(dirfd(directory), entry->d_name, &sum);
    closedir(directory);
    lua_pushfstring(L, "%I", (LUAI_UACINT)sum);
    return 1;
}
