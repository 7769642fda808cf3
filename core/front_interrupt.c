/* SPDX-License-Identifier: MIT */
#include "front_interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <lauxlib.h>

#include "host.h"

#define INTERRUPTS "croft.interrupts"

enum { AGAIN_MS = 20 };

struct interrupts {
    bool is_running;
    pthread_t thread;
    pthread_mutex_t lock;
    croft_session *session; /* of the call that runs; NULL: none does */
    uint64_t id;
    bool
        is_pending; /* SIGINT came: the call is cancelled, if need be more than once, as it may not have begun */
    int signals, idle,
        ending; /* descriptors: SIGINT; it came while no call ran; the thread is to end */
};

static void wake(int descriptor)
{
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);

    (void)written; /* the counter is full: it can be read from anyway */
}

/* With the lock held: the session cannot be closed meanwhile. Whether that is to be done again. */
static bool interrupt(struct interrupts *interrupts, bool is_new)
{
    bool again;

    (void)pthread_mutex_lock(&interrupts->lock);
    if (is_new) {
        interrupts->is_pending = true;
        if (interrupts->session == NULL)
            wake(interrupts->idle);
    }
    again = interrupts->is_pending;
    if (again && interrupts->session != NULL)
        croft_cancel(interrupts->session, interrupts->id);
    (void)pthread_mutex_unlock(&interrupts->lock);
    return again;
}

static void *await(void *user)
{
    struct interrupts *interrupts = user;
    struct pollfd fds[] = {{.fd = interrupts->signals, .events = POLLIN},
                           {.fd = interrupts->ending, .events = POLLIN}};
    struct signalfd_siginfo info;
    bool again = false, is_new;

    for (;;) {
        if (poll(fds, 2, again ? AGAIN_MS : -1) < 0)
            continue;
        if (fds[1].revents != 0)
            return NULL;
        is_new =
            fds[0].revents != 0 && read(interrupts->signals, &info, sizeof info) == sizeof info;
        again = interrupt(interrupts, is_new);
    }
}

static struct interrupts *check(lua_State *L)
{
    return luaL_checkudata(L, 1, INTERRUPTS);
}

static int interrupts_arm(lua_State *L)
{
    struct interrupts *interrupts = check(L);
    struct host_session *box = host_check_session(L, 2);
    uint64_t id = (uint64_t)luaL_checkinteger(L, 3);

    (void)pthread_mutex_lock(&interrupts->lock);
    interrupts->session = box->session;
    interrupts->id = id;
    (void)pthread_mutex_unlock(&interrupts->lock);
    return 0;
}

static int interrupts_disarm(lua_State *L)
{
    struct interrupts *interrupts = check(L);

    (void)pthread_mutex_lock(&interrupts->lock);
    interrupts->session = NULL;
    interrupts->is_pending = false;
    (void)pthread_mutex_unlock(&interrupts->lock);
    return 0;
}

static int interrupts_forget(lua_State *L)
{
    struct interrupts *interrupts = check(L);

    (void)pthread_mutex_lock(&interrupts->lock);
    interrupts->is_pending = false;
    (void)pthread_mutex_unlock(&interrupts->lock);
    return 0;
}

static int interrupts_descriptor(lua_State *L)
{
    lua_pushinteger(L, check(L)->idle);
    return 1;
}

static void close_open(int descriptor)
{
    if (descriptor >= 0)
        close(descriptor);
}

static int interrupts_free(lua_State *L)
{
    struct interrupts *interrupts = check(L);

    if (interrupts->is_running) {
        wake(interrupts->ending);
        (void)pthread_join(interrupts->thread, NULL);
        (void)pthread_mutex_destroy(&interrupts->lock);
    }
    interrupts->is_running = false;
    close_open(interrupts->signals);
    close_open(interrupts->idle);
    close_open(interrupts->ending);
    interrupts->signals = interrupts->idle = interrupts->ending = -1;
    return 0;
}

static bool start(struct interrupts *interrupts)
{
    sigset_t set;

    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    interrupts->signals = signalfd(-1, &set, SFD_CLOEXEC);
    interrupts->idle = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    interrupts->ending = eventfd(0, EFD_CLOEXEC);
    if (interrupts->signals < 0 || interrupts->idle < 0 || interrupts->ending < 0 ||
        pthread_mutex_init(&interrupts->lock, NULL) != 0)
        return false;
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    interrupts->is_running = pthread_create(&interrupts->thread, NULL, await, interrupts) == 0;
    return interrupts->is_running;
}

int interrupts_new(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"arm", interrupts_arm},
        {"disarm", interrupts_disarm},
        {"forget", interrupts_forget},
        {"descriptor", interrupts_descriptor},
        {NULL, NULL},
    };
    struct interrupts *interrupts = lua_newuserdatauv(L, sizeof *interrupts, 0);

    memset(interrupts, 0, sizeof *interrupts);
    interrupts->signals = interrupts->idle = interrupts->ending = -1;
    if (luaL_newmetatable(L, INTERRUPTS)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, interrupts_free);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    if (!start(interrupts))
        return luaL_error(L, "there can be no thread that waits for Ctrl-C");
    return 1;
}
