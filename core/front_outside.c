/* SPDX-License-Identifier: MIT */
#include "front_outside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lualib.h>

#define OUTSIDE "croft.outside"

struct outside {
    bool is_running;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    outside_action *action; /* to be run; NULL: none is */
    void *user;
    bool ending;
};

/* ---- the thread -------------------------------------------------------------------------------- */

static void *serve(void *user)
{
    struct outside *outside = user;

    (void)pthread_mutex_lock(&outside->lock);
    while (!outside->ending) {
        if (outside->action == NULL) {
            (void)pthread_cond_wait(&outside->changed, &outside->lock);
            continue;
        }
        outside->action(outside->user);
        outside->action = NULL;
        (void)pthread_cond_broadcast(&outside->changed);
    }
    (void)pthread_mutex_unlock(&outside->lock);
    return NULL;
}

/* Signals are for the other threads. */
static bool start_thread(struct outside *outside)
{
    sigset_t all, before;
    bool started;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_create(&outside->thread, NULL, serve, outside) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static int end(lua_State *L)
{
    struct outside *outside = luaL_checkudata(L, 1, OUTSIDE);

    if (!outside->is_running)
        return 0;
    (void)pthread_mutex_lock(&outside->lock);
    outside->ending = true;
    (void)pthread_cond_broadcast(&outside->changed);
    (void)pthread_mutex_unlock(&outside->lock);
    (void)pthread_join(outside->thread, NULL);
    (void)pthread_cond_destroy(&outside->changed);
    (void)pthread_mutex_destroy(&outside->lock);
    outside->is_running = false;
    return 0;
}

int outside_start(lua_State *L)
{
    struct outside *outside = lua_newuserdatauv(L, sizeof *outside, 0);

    memset(outside, 0, sizeof *outside);
    luaL_newmetatable(L, OUTSIDE);
    lua_pushcfunction(L, end);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    (void)pthread_mutex_init(&outside->lock, NULL);
    (void)pthread_cond_init(&outside->changed, NULL);
    outside->is_running = start_thread(outside);
    lua_setfield(L, LUA_REGISTRYINDEX, OUTSIDE "*");
    return 0;
}

void outside_run(lua_State *L, outside_action *action, void *user)
{
    struct outside *outside;

    lua_getfield(L, LUA_REGISTRYINDEX, OUTSIDE "*");
    outside = lua_touserdata(L, -1);
    lua_pop(L, 1); /* the registry keeps it */
    if (outside == NULL || !outside->is_running) {
        action(user);
        return;
    }
    (void)pthread_mutex_lock(&outside->lock);
    outside->action = action;
    outside->user = user;
    (void)pthread_cond_broadcast(&outside->changed);
    while (outside->action != NULL)
        (void)pthread_cond_wait(&outside->changed, &outside->lock);
    (void)pthread_mutex_unlock(&outside->lock);
}

/* ---- files ------------------------------------------------------------------------------------- */

struct reading {
    const char *path;
    bool only_regular;
    FILE *file;
    int number;    /* errno */
    bool is_other; /* neither a file nor a directory, whose own error says enough */
};

/* Where only a regular file will do, no other is waited for, as opening a FIFO would. */
static void open_for_reading(void *user)
{
    struct reading *reading = user;
    int fd = open(reading->path, O_RDONLY | O_CLOEXEC | (reading->only_regular ? O_NONBLOCK : 0));
    struct stat about;

    if (fd >= 0 && fstat(fd, &about) == 0) {
        reading->is_other =
            reading->only_regular && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
        reading->file = reading->is_other ? NULL : fdopen(fd, "r");
    }
    reading->number = errno;
    if (fd >= 0 && reading->file == NULL)
        (void)close(fd);
}

static int close_file(lua_State *L)
{
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);

    return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

int outside_file(lua_State *L)
{
    struct reading reading = {.path = luaL_checkstring(L, 1), .only_regular = lua_toboolean(L, 2)};
    luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);

    stream->closef = NULL; /* not open yet */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    outside_run(L, open_for_reading, &reading);
    if (reading.is_other) {
        lua_pushnil(L);
        lua_pushfstring(L, "%s: it is no regular file", reading.path);
        return 2;
    }
    errno = reading.number;
    if (reading.file == NULL)
        return luaL_fileresult(L, 0, reading.path);
    stream->f = reading.file;
    stream->closef = close_file;
    return 1;
}
