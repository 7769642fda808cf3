/* SPDX-License-Identifier: MIT */
/* The only file of the library that makes file system calls. */
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "size_signal.h"

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000U
#endif
#ifndef STATX_MNT_ID_UNIQUE
#define STATX_MNT_ID_UNIQUE 0x4000U /* Linux 6.8; younger than the headers of Debian 12 */
#endif

/* A signal interrupts what waits for a network, or for the process behind a FUSE file system. What was interrupted
 * was not done: it is done again. */
#define UNINTERRUPTED(result, call)                                                                \
    do                                                                                             \
        (result) = (call);                                                                         \
    while ((result) < 0 && errno == EINTR)

static int kernel_open_root(const char *path)
{
    int result;

    UNINTERRUPTED(result, open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    return result;
}

static int kernel_open_path(const char *path)
{
    int result;

    UNINTERRUPTED(result, open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    return result;
}

static int kernel_real(const char *path, char *out, size_t size)
{
    char *found = realpath(path, NULL);
    size_t length = found == NULL ? 0 : strlen(found);

    if (found != NULL && length < size)
        memcpy(out, found, length + 1);
    free(found);
    if (found == NULL)
        return -1;
    if (length < size)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

static int kernel_openat(int dir, const char *name, int flags, mode_t mode)
{
    int fd;

    UNINTERRUPTED(fd, openat(dir, name, flags | O_CLOEXEC, mode));
    return fd;
}

static int kernel_openat2(int dir, const char *path, int flags, uint64_t resolve)
{
    struct open_how how = {.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC), .resolve = resolve};
    long fd;

    UNINTERRUPTED(fd, syscall(SYS_openat2, dir, path, &how, sizeof how));
    return (int)fd;
}

static int kernel_close(int fd)
{
    return close(fd);
}

static int kernel_dup(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int64_t nanoseconds(struct statx_timestamp stamp)
{
    return stamp.tv_sec * 1000000000 + stamp.tv_nsec;
}

static int fill_node(int dir, const char *name, int flags, struct node *node)
{
    struct statx sx;
    int result;

    UNINTERRUPTED(result, statx(dir, name, flags | AT_NO_AUTOMOUNT,
                                STATX_BASIC_STATS | STATX_MNT_ID | STATX_MNT_ID_UNIQUE, &sx));
    if (result != 0)
        return -1;
    node->dev = (uint64_t)sx.stx_dev_major << 32 | sx.stx_dev_minor;
    node->ino = sx.stx_ino;
    node->mount = (sx.stx_mask & (STATX_MNT_ID | STATX_MNT_ID_UNIQUE)) != 0 ? sx.stx_mnt_id : 0;
    node->size = sx.stx_size;
    node->links = sx.stx_nlink;
    node->mode = sx.stx_mode;
    node->uid = sx.stx_uid;
    node->gid = sx.stx_gid;
    node->mtime_ns = nanoseconds(sx.stx_mtime);
    node->ctime_ns = nanoseconds(sx.stx_ctime);
    return 0;
}

static int kernel_node(int fd, struct node *node)
{
    return fill_node(fd, "", AT_EMPTY_PATH, node);
}

static int kernel_node_at(int dir, const char *name, struct node *node)
{
    return fill_node(dir, name, AT_SYMLINK_NOFOLLOW, node);
}

static int kernel_fs_type(int fd, int64_t *magic)
{
    struct statfs fs;
    int result;

    UNINTERRUPTED(result, fstatfs(fd, &fs));
    if (result != 0)
        return -1;
    *magic = (int64_t)fs.f_type;
    return 0;
}

static ssize_t kernel_readlink(int fd, char *text, size_t size)
{
    ssize_t result;

    UNINTERRUPTED(result, readlinkat(fd, "", text, size));
    return result;
}

static ssize_t kernel_getdents(int fd, void *buffer, size_t size)
{
    ssize_t result;

    UNINTERRUPTED(result, (ssize_t)syscall(SYS_getdents64, fd, buffer, size));
    return result;
}

static ssize_t kernel_pread(int fd, void *buffer, size_t size, off_t offset)
{
    ssize_t count;

    UNINTERRUPTED(count, pread(fd, buffer, size, offset));
    return count;
}

/* A hole that goes on to the end of the file ends where that does; where there is no way to ask, there is
 * none. Nobody uses the position that the descriptor has. */
static off_t kernel_next_data(int fd, off_t offset)
{
    off_t found = lseek(fd, offset, SEEK_DATA);

    if (found >= 0)
        return found;
    return errno == ENXIO ? lseek(fd, 0, SEEK_END) : offset;
}

static ssize_t kernel_write(int fd, const void *data, size_t size)
{
    struct size_signal held;
    ssize_t count;

    size_signal_hold(&held);
    UNINTERRUPTED(count, write(fd, data, size));
    size_signal_release(&held, count < 0);
    return count;
}

static int kernel_mkdir(int dir, const char *name, mode_t mode)
{
    int result;

    UNINTERRUPTED(result, mkdirat(dir, name, mode));
    return result;
}

static int kernel_unlink(int dir, const char *name, int flags)
{
    int result;

    UNINTERRUPTED(result, unlinkat(dir, name, flags));
    return result;
}

static int kernel_rename(int dir, const char *from, const char *to, unsigned flags)
{
    int result;

    UNINTERRUPTED(result, renameat2(dir, from, dir, to, flags));
    return result;
}

static int kernel_move(int dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    int result;

    UNINTERRUPTED(result, renameat2(dir, from, to_dir, to, flags));
    return result;
}

static int kernel_link(int dir, const char *from, const char *to)
{
    int result;

    UNINTERRUPTED(result, linkat(dir, from, dir, to, 0));
    return result;
}

static int kernel_symlink(int dir, const char *name, const char *text)
{
    int result;

    UNINTERRUPTED(result, symlinkat(text, dir, name));
    return result;
}

static int kernel_clone(int to, int from)
{
    struct size_signal held;
    int result;

    size_signal_hold(&held);
    UNINTERRUPTED(result, ioctl(to, FICLONE, from));
    size_signal_release(&held, result != 0);
    return result;
}

static ssize_t kernel_copy_range(int from, int to, off_t at, size_t size)
{
    loff_t read_at = at, write_at = at;
    struct size_signal held;
    ssize_t count;

    size_signal_hold(&held);
    UNINTERRUPTED(count, copy_file_range(from, &read_at, to, &write_at, size, 0));
    size_signal_release(&held, count < 0);
    return count;
}

static off_t kernel_seek(int fd, off_t offset, int whence)
{
    return lseek(fd, offset, whence);
}

static int kernel_truncate(int fd, off_t size)
{
    struct size_signal held;
    int result;

    size_signal_hold(&held);
    UNINTERRUPTED(result, ftruncate(fd, size));
    size_signal_release(&held, result != 0);
    return result;
}

static int kernel_sync_all(int fd)
{
    int result;

    UNINTERRUPTED(result, syncfs(fd));
    return result;
}

static int kernel_fsync(int fd)
{
    int result;

    UNINTERRUPTED(result, fsync(fd));
    return result;
}

static int kernel_fchmod(int fd, mode_t mode)
{
    int result;

    UNINTERRUPTED(result, fchmod(fd, mode));
    return result;
}

static int kernel_fchown(int fd, uid_t uid, gid_t gid)
{
    int result;

    UNINTERRUPTED(result, fchown(fd, uid, gid));
    return result;
}

/* glibc's faccessat() would emulate the flags with a stat where it takes the old call; the kernel's own
 * answer (with capabilities, ACLs and read-only mounts) is wanted. */
static int kernel_writable(int fd)
{
    int result;

    UNINTERRUPTED(result, (int)syscall(SYS_faccessat2, fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS));
    return result;
}

static ssize_t kernel_listxattr(int fd, char *names, size_t size)
{
    ssize_t result;

    UNINTERRUPTED(result, flistxattr(fd, names, size));
    return result;
}

static ssize_t kernel_getxattr(int fd, const char *name, void *value, size_t size)
{
    ssize_t result;

    UNINTERRUPTED(result, fgetxattr(fd, name, value, size));
    return result;
}

static int kernel_setxattr(int fd, const char *name, const void *value, size_t size)
{
    int result;

    UNINTERRUPTED(result, fsetxattr(fd, name, value, size, 0));
    return result;
}

static int kernel_removexattr(int fd, const char *name)
{
    int result;

    UNINTERRUPTED(result, fremovexattr(fd, name));
    return result;
}

static int kernel_random(void *data, size_t size)
{
    return getrandom(data, size, 0) == (ssize_t)size ? 0 : -1;
}

/* Ours are held for a handful of calls. Somebody else's may be held for ever: it is not waited for. */
static int kernel_lock(int fd)
{
    const struct timespec pause = {0, 200000};
    int left = 5000; /* of a fifth of a millisecond */

    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || left-- == 0)
            return -1;
        nanosleep(&pause, NULL);
    }
    return 0;
}

static int kernel_memory(void)
{
    return memfd_create("croft", MFD_CLOEXEC);
}

/* ---- Landlock ---------------------------------------------------------------------------------- */

/* The headers of Debian 12 know the first version; a C library older than they are, none. The numbers
 * are the same on every machine. */
enum {
    CALL_CREATE_RULESET = 444,
    CALL_ADD_RULE = 445,
    CALL_RESTRICT_SELF = 446,
    CREATE_RULESET_VERSION = 1,
    RULE_PATH_BENEATH = 1
};

struct rule_beneath {
    uint64_t rights;
    int32_t dir;
} __attribute__((packed));

static int kernel_no_new_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int kernel_landlock_version(void)
{
    return (int)syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
}

static int kernel_landlock_create(const struct landlock_classes *handled, size_t size)
{
    return (int)syscall(CALL_CREATE_RULESET, handled, size, 0); /* close-on-exec by itself */
}

static int kernel_landlock_allow(int ruleset, int dir, uint64_t rights)
{
    const struct rule_beneath rule = {rights, dir};

    return (int)syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
}

static int kernel_landlock_restrict(int ruleset)
{
    return (int)syscall(CALL_RESTRICT_SELF, ruleset, 0);
}

const struct sys sys_kernel = {
    .open_root = kernel_open_root,
    .open_path = kernel_open_path,
    .real = kernel_real,
    .openat = kernel_openat,
    .openat2 = kernel_openat2,
    .close = kernel_close,
    .dup = kernel_dup,
    .node = kernel_node,
    .node_at = kernel_node_at,
    .fs_type = kernel_fs_type,
    .readlink = kernel_readlink,
    .getdents = kernel_getdents,
    .pread = kernel_pread,
    .next_data = kernel_next_data,
    .write = kernel_write,
    .mkdir = kernel_mkdir,
    .unlink = kernel_unlink,
    .rename = kernel_rename,
    .move = kernel_move,
    .link = kernel_link,
    .symlink = kernel_symlink,
    .clone = kernel_clone,
    .copy_range = kernel_copy_range,
    .seek = kernel_seek,
    .truncate = kernel_truncate,
    .fsync = kernel_fsync,
    .sync_all = kernel_sync_all,
    .fchmod = kernel_fchmod,
    .fchown = kernel_fchown,
    .writable = kernel_writable,
    .listxattr = kernel_listxattr,
    .getxattr = kernel_getxattr,
    .setxattr = kernel_setxattr,
    .removexattr = kernel_removexattr,
    .random = kernel_random,
    .memory = kernel_memory,
    .lock = kernel_lock,
    .no_new_privileges = kernel_no_new_privileges,
    .landlock_version = kernel_landlock_version,
    .landlock_create = kernel_landlock_create,
    .landlock_allow = kernel_landlock_allow,
    .landlock_restrict = kernel_landlock_restrict,
};

uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t clock_stamp_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool node_same(const struct node *a, const struct node *b)
{
    return a->dev == b->dev && a->ino == b->ino;
}

bool node_unchanged(const struct node *a, const struct node *b)
{
    return node_same(a, b) && a->size == b->size && a->mtime_ns == b->mtime_ns &&
           a->ctime_ns == b->ctime_ns;
}
