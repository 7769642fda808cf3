/* SPDX-License-Identifier: MIT */
/*
 * A struct sys that is the kernel's, but for what `inject` says. It counts the calls, and makes one of them,
 * or all of its kind from there on, fail; or ends the process there. The file system below it can be made
 * to look like another one. For tests of one thread, but for the fields of the file system.
 */
#ifndef CROFT_INJECT_H
#define CROFT_INJECT_H

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "path.h"
#include "sys.h"

/*      result   call          parameters                                       arguments */
#define INJECT_CALLS(X)                                                                            \
    X(int, open_root, (const char *path), (path))                                                  \
    X(int, open_path, (const char *path), (path))                                                  \
    X(int, real, (const char *path, char *out, size_t size), (path, out, size))                    \
    X(int, openat, (int dir, const char *name, int flags, mode_t mode), (dir, name, flags, mode))  \
    X(int, openat2, (int dir, const char *path, int flags, uint64_t how), (dir, path, flags, how)) \
    X(int, close, (int fd), (fd))                                                                  \
    X(int, dup, (int fd), (fd))                                                                    \
    X(int, node, (int fd, struct node *node), (fd, node))                                          \
    X(int, node_at, (int dir, const char *name, struct node *node), (dir, name, node))             \
    X(int, fs_type, (int fd, int64_t *magic), (fd, magic))                                         \
    X(ssize_t, readlink, (int fd, char *text, size_t size), (fd, text, size))                      \
    X(ssize_t, getdents, (int fd, void *data, size_t size), (fd, data, size))                      \
    X(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at))           \
    X(off_t, next_data, (int fd, off_t at), (fd, at))                                              \
    X(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))                   \
    X(int, mkdir, (int dir, const char *name, mode_t mode), (dir, name, mode))                     \
    X(int, unlink, (int dir, const char *name, int flags), (dir, name, flags))                     \
    X(int, rename, (int dir, const char *from, const char *to, unsigned how),                      \
      (dir, from, to, how))                                                                        \
    X(int, move, (int dir, const char *from, int to_dir, const char *to, unsigned how),            \
      (dir, from, to_dir, to, how))                                                                \
    X(int, link, (int dir, const char *from, const char *to), (dir, from, to))                     \
    X(int, symlink, (int dir, const char *name, const char *text), (dir, name, text))              \
    X(int, clone, (int to, int from), (to, from))                                                  \
    X(ssize_t, copy_range, (int from, int to, off_t at, size_t size), (from, to, at, size))        \
    X(off_t, seek, (int fd, off_t offset, int whence), (fd, offset, whence))                       \
    X(int, truncate, (int fd, off_t size), (fd, size))                                             \
    X(int, fsync, (int fd), (fd))                                                                  \
    X(int, sync_all, (int fd), (fd))                                                               \
    X(int, fchmod, (int fd, mode_t mode), (fd, mode))                                              \
    X(int, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid))                                 \
    X(int, writable, (int fd), (fd))                                                               \
    X(ssize_t, listxattr, (int fd, char *names, size_t size), (fd, names, size))                   \
    X(ssize_t, getxattr, (int fd, const char *name, void *data, size_t size),                      \
      (fd, name, data, size))                                                                      \
    X(int, setxattr, (int fd, const char *name, const void *data, size_t size),                    \
      (fd, name, data, size))                                                                      \
    X(int, removexattr, (int fd, const char *name), (fd, name))                                    \
    X(int, random, (void *data, size_t size), (data, size))                                        \
    X(int, memory, (void), ())                                                                     \
    X(int, lock, (int fd), (fd))                                                                   \
    X(int, no_new_privileges, (void), ())                                                          \
    X(int, landlock_version, (void), ())                                                           \
    X(int, landlock_create, (const struct landlock_classes *handled, size_t size),                 \
      (handled, size))                                                                             \
    X(int, landlock_allow, (int ruleset, int dir, uint64_t rights), (ruleset, dir, rights))        \
    X(int, landlock_restrict, (int ruleset), (ruleset))

enum inject_call {
#define X(result, call, parameters, arguments) CALL_##call,
    INJECT_CALLS(X)
#undef X
        CALL_COUNT
};

_Static_assert(sizeof(struct sys) == CALL_COUNT * sizeof(int (*)(void)), "a call is missing above");

enum inject_mode {
    INJECT_NOTHING,     /* but the kinds of the calls are noted */
    INJECT_ERROR,       /* call `at` fails */
    INJECT_ERRORS,      /* it does, and so does every later call of its kind */
    INJECT_KIND,        /* every call of the kind `kind` does, but for the first `spared` */
    INJECT_SHORT,       /* call `at` moves one byte where it would read or write more */
    INJECT_EMPTY,       /* call `at`, a write, moves none */
    INJECT_KILL_BEFORE, /* the process ends instead of call `at` */
    INJECT_KILL_AFTER,  /* and behind it */
    INJECT_RIVAL        /* somebody else, `rival`, acts before call `at`, and before call `also` */
};

enum { INJECT_MOST = 4096 };

static struct {
    enum inject_mode mode, now; /* now: what happens to the call at hand */
    unsigned at;                /* counted from 1 */
    int number;                 /* the errno */
    enum inject_call kind;      /* of the call that was hit */
    bool hit;
    unsigned count, spared, also;
    void (*rival)(int turn);          /* 1, then 2 */
    unsigned char kinds[INJECT_MOST]; /* of the calls so far */
} inject;

/* ---- the file system below ------------------------------------------------------------------------ */

static struct {
    size_t most;     /* bytes that a read or a write moves at most; 0: as many as there are */
    int64_t grain;   /* nanoseconds of the clock that stamps files; 0: the kernel's own */
    const char *old; /* the name of a file that looks two hours older than it is */
    bool no_disk;    /* fsync does nothing */
    bool no_types;   /* listings tell no types */
    bool no_flags;   /* rename knows neither to exchange nor to leave what is there */
} fake;

static const int64_t two_hours = INT64_C(7200) * 1000000000;

static inline void fake_clock(struct node *node, int64_t age)
{
    node->mtime_ns -= age;
    node->ctime_ns -= age;
    if (fake.grain > 0) {
        node->mtime_ns -= node->mtime_ns % fake.grain;
        node->ctime_ns -= node->ctime_ns % fake.grain;
    }
}

static inline int fake_node(int fd, struct node *node)
{
    int result = sys_kernel.node(fd, node);

    fake_clock(node, 0);
    return result;
}

static inline int fake_node_at(int dir, const char *name, struct node *node)
{
    int result = sys_kernel.node_at(dir, name, node);

    fake_clock(node, fake.old != NULL && strcmp(name, fake.old) == 0 ? two_hours : 0);
    return result;
}

/* The type is byte 18 of each struct linux_dirent64, whose size is in bytes 16 and 17. */
static inline ssize_t fake_getdents(int fd, void *data, size_t size)
{
    ssize_t count = sys_kernel.getdents(fd, data, size);
    uint16_t step;

    for (char *at = data; fake.no_types && at < (char *)data + count; at += step) {
        memcpy(&step, at + 16, sizeof step);
        at[18] = 0;
    }
    return count;
}

static inline size_t fake_size(size_t size)
{
    if (fake.most != 0 && size > fake.most)
        size = fake.most;
    if (inject.now == INJECT_EMPTY)
        return 0;
    return inject.now == INJECT_SHORT && size > 1 ? 1 : size;
}

static inline ssize_t fake_pread(int fd, void *data, size_t size, off_t at)
{
    return sys_kernel.pread(fd, data, fake_size(size), at);
}

static inline ssize_t fake_write(int fd, const void *data, size_t size)
{
    return sys_kernel.write(fd, data, fake_size(size));
}

static inline int fake_rename(int dir, const char *from, const char *to, unsigned how)
{
    if (!fake.no_flags || how == 0)
        return sys_kernel.rename(dir, from, to, how);
    errno = EINVAL;
    return -1;
}

static inline int fake_move(int dir, const char *from, int to_dir, const char *to, unsigned how)
{
    if (!fake.no_flags || how == 0)
        return sys_kernel.move(dir, from, to_dir, to, how);
    errno = EINVAL;
    return -1;
}

static inline int fake_fsync(int fd)
{
    return fake.no_disk ? 0 : sys_kernel.fsync(fd);
}

static struct sys fake_sys; /* the kernel's calls and those above; inject_init */

/* ---- the calls ----------------------------------------------------------------------------------- */

static inline bool inject_is_sticky(void)
{
    return inject.mode == INJECT_ERRORS || inject.mode == INJECT_KIND;
}

/* Whether it happens to this call. */
static inline bool inject_meets(enum inject_call call)
{
    unsigned number = ++inject.count;

    if (inject.mode == INJECT_NOTHING && number <= INJECT_MOST)
        inject.kinds[number - 1] = (unsigned char)call;
    if (inject.mode == INJECT_NOTHING || number < inject.at)
        return false;
    if (inject.mode == INJECT_RIVAL)
        return number == inject.at || number == inject.also;
    if (number == inject.at)
        inject.kind = call;
    if (inject.mode == INJECT_KIND && call == inject.kind && inject.spared > 0) {
        inject.spared--;
        return false;
    }
    return number == inject.at || (inject_is_sticky() && call == inject.kind);
}

/* Whether the call fails. */
static inline bool inject_before(enum inject_call call)
{
    bool met = inject_meets(call);

    inject.now = met ? inject.mode : INJECT_NOTHING;
    inject.hit |= met;
    if (inject.now == INJECT_KILL_BEFORE)
        raise(SIGKILL);
    if (inject.now == INJECT_RIVAL)
        inject.rival(inject.count == inject.at ? 1 : 2);
    return inject.now == INJECT_ERROR || inject.now == INJECT_ERRORS || inject.now == INJECT_KIND;
}

static inline void inject_after(void)
{
    if (inject.now == INJECT_KILL_AFTER)
        raise(SIGKILL);
}

/* A close that fails has closed all the same. */
#define X(result, call, parameters, arguments)                                                     \
    static inline result injected_##call parameters                                                \
    {                                                                                              \
        bool fails = inject_before(CALL_##call);                                                   \
        result value = -1;                                                                         \
                                                                                                   \
        if (!fails || CALL_##call == CALL_close)                                                   \
            value = fake_sys.call arguments;                                                       \
        if (fails) {                                                                               \
            errno = inject.number;                                                                 \
            return -1;                                                                             \
        }                                                                                          \
        inject_after();                                                                            \
        return value;                                                                              \
    }
INJECT_CALLS(X)
#undef X

static const struct sys inject_sys = {
#define X(result, call, parameters, arguments) .call = injected_##call,
    INJECT_CALLS(X)
#undef X
};

static inline void inject_init(void)
{
    fake_sys = sys_kernel;
    fake_sys.node = fake_node;
    fake_sys.node_at = fake_node_at;
    fake_sys.getdents = fake_getdents;
    fake_sys.pread = fake_pread;
    fake_sys.write = fake_write;
    fake_sys.rename = fake_rename;
    fake_sys.move = fake_move;
    fake_sys.fsync = fake_fsync;
}

/* From now on: `mode` at call `at`. */
static inline void inject_start(enum inject_mode mode, unsigned at, int number)
{
    inject.mode = mode;
    inject.at = at;
    inject.number = number;
    inject.hit = false;
    inject.count = 0;
}

static inline const char *inject_name(enum inject_call call)
{
    static const char *const names[] = {
#define X(result, call, parameters, arguments) #call,
        INJECT_CALLS(X)
#undef X
    };

    return names[call];
}

#endif
