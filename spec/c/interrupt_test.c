/* SPDX-License-Identifier: MIT */
/*
 * A signal may interrupt any call to a file system of another process's (FUSE), or over a network: what was
 * interrupted was not done, and is done again. Here each call of the C library that croft's own calls are made of
 * is interrupted once before it is let through.
 */
#undef _FORTIFY_SOURCE /* it would have other names called */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "check.h"
#include "dir.h"
#include "file.h"
#include "move.h"
#include "remove.h"
#include "replace.h"
#include "tree_fixture.h"

static struct {
    bool on, was; /* was: the last call was interrupted, and this is the same again */
    unsigned count;
    bool is_lost; /* an interrupted call was not made again */
    const char *last;
} signals;

/* Whether the call is interrupted. */
static bool strikes(const char *name)
{
    if (!signals.on)
        return false;
    signals.was = !signals.was;
    if (signals.was) {
        signals.last = name;
        signals.count++;
        errno = EINTR;
    } else if (signals.last != name) {
        signals.is_lost = true;
    }
    return signals.was;
}

/* Defines the call, which goes on to the C library's. */
#define INTERRUPTED(type, name, parameters, arguments)                                             \
    type name parameters;                                                                          \
    type name parameters                                                                           \
    {                                                                                              \
        static const char own[] = #name;                                                           \
        static type(*real) parameters;                                                             \
        void *found = real == NULL ? dlsym(RTLD_NEXT, own) : NULL;                                 \
                                                                                                   \
        if (real == NULL)                                                                          \
            memcpy(&real, &found, sizeof real);                                                    \
        return strikes(own) ? (type)-1 : real arguments;                                           \
    }

INTERRUPTED(int, statx, (int dir, const char *name, int flags, unsigned mask, struct statx *out),
            (dir, name, flags, mask, out))
INTERRUPTED(int, fstatfs, (int fd, struct statfs *out), (fd, out))
INTERRUPTED(ssize_t, readlinkat, (int dir, const char *name, char *text, size_t size),
            (dir, name, text, size))
INTERRUPTED(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at))
INTERRUPTED(int, mkdirat, (int dir, const char *name, mode_t mode), (dir, name, mode))
INTERRUPTED(int, unlinkat, (int dir, const char *name, int flags), (dir, name, flags))
INTERRUPTED(int, renameat2, (int dir, const char *from, int to_dir, const char *to, unsigned flags),
            (dir, from, to_dir, to, flags))
INTERRUPTED(int, fsync, (int fd), (fd))
INTERRUPTED(int, fchmod, (int fd, mode_t mode), (fd, mode))
INTERRUPTED(int, fchown, (int fd, uid_t uid, gid_t gid), (fd, uid, gid))
INTERRUPTED(ssize_t, flistxattr, (int fd, char *names, size_t size), (fd, names, size))
INTERRUPTED(ssize_t, fgetxattr, (int fd, const char *name, void *value, size_t size),
            (fd, name, value, size))
INTERRUPTED(int, fsetxattr, (int fd, const char *name, const void *value, size_t size, int flags),
            (fd, name, value, size, flags))
INTERRUPTED(int, fremovexattr, (int fd, const char *name), (fd, name))

/* What the C library has no name for. */
long syscall(long number, ...)
{
    static const char own[] = "syscall";
    static long (*real)(long number, ...);
    void *found = real == NULL ? dlsym(RTLD_NEXT, own) : NULL;
    long words[6];
    va_list list;

    if (real == NULL)
        memcpy(&real, &found, sizeof real);
    va_start(list, number);
    for (size_t i = 0; i < 6; i++)
        words[i] = va_arg(list, long);
    va_end(list);
    if (strikes(own))
        return -1;
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* ---- what is to be done all the same ------------------------------------------------------------- */

static struct path path_of(const char *text)
{
    struct path path;

    CHECK(path_parse(text, strlen(text), &path, NULL) == CROFT_OK);
    return path;
}

static void put(const struct root *root, const char *text, enum replace_mode mode)
{
    struct replace_options options = {.mode = mode, .limit = 1000, .compare_limit = 1000};
    struct path path = path_of(text);
    struct replace_info info;

    CHECK(replace_file(root, &path, "new\n", 4, &options, &info, NULL) == CROFT_OK);
    CHECK(!info.not_confirmed);
}

static void writes(const struct root *root)
{
    put(root, "new", REPLACE_CREATE);
    put(root, "made/here/new", REPLACE_OVERWRITE);
    put(root, "link", REPLACE_OVERWRITE);
    put(root, "d/more", REPLACE_APPEND);
}

static void removes_and_moves(const struct root *root)
{
    struct path from = path_of("d/gone"), moved = path_of("d/moved"), to = path_of("to/here");
    struct move_options how = {.replace = false};
    struct remove_info removed;
    struct move_info move;

    CHECK(remove_name(root, &from, &removed, NULL) == CROFT_OK && !removed.not_confirmed);
    CHECK(move_name(root, &moved, &to, &how, &move, NULL) == CROFT_OK && !move.not_confirmed);
}

static void reads(const struct root *root)
{
    struct path path = path_of("d/read");
    struct bytes text = {0};
    struct node node;
    int fd = -1;

    CHECK(file_open(root, &path, &fd, &node, NULL) == CROFT_OK);
    CHECK(file_read(root->sys, fd, 100, &text, NULL) == CROFT_OK);
    CHECK_TEXT(bytes_end(&text), "read\n");
    root->sys->close(fd);
    bytes_free(&text);
}

static void lists(const struct root *root)
{
    struct dir *dir = malloc(sizeof *dir);
    struct dir_entry entry;
    unsigned count = 0;
    int fd = root->sys->openat(root->fd, ".", O_RDONLY | O_DIRECTORY, 0);

    dir_init(dir, root->sys, fd);
    while (dir_next(dir, &entry))
        count++;
    CHECK(count == 3 && dir->sys_errno == 0);
    root->sys->close(fd);
    free(dir);
}

static void works_by(croft_resolver resolver)
{
    struct root *root;

    fixture_make("cd ws && mkdir d skills && ln -s d/old link && cd d && echo old >old && echo "
                 "more >more && "
                 "echo gone >gone && echo moved >moved && echo read >read");
    signals.on = true;
    root = fixture_root(resolver);
    root->no_fsync = false;
    lists(root);
    reads(root);
    writes(root);
    removes_and_moves(root);
    signals.on = false;
    CHECK(signals.count > 50 && !signals.is_lost && !signals.was);
    CHECK(fixture_says(
        "cd ws && test \"$(cat new made/here/new d/old d/more to/here | tr '\\n' ,)\" = "
        "new,new,new,more,new,moved, && test ! -e d/gone && test ! -e d/moved && "
        "! find . -name '.~croft-*' | grep -q ."));
    root_close(root);
    fixture_remove();
}

int main(void)
{
    works_by(CROFT_RESOLVER_AUTO);
    works_by(CROFT_RESOLVER_WALK);
    return check_report("interrupt");
}
