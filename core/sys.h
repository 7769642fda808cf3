/* SPDX-License-Identifier: MIT */
/*
 * The one door to the file system: every call that touches a file goes through this table, so that a
 * test can make each of them fail. No call takes a path but openat2 (below a held root), and `open_root`,
 * `open_path` and `real`, which are for what a view is made of; all others take a directory descriptor and one name without "/". Each returns -1 with errno, retries
 * EINTR where that is safe, and opens close-on-exec.
 */
#ifndef CROFT_SYS_H
#define CROFT_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What an inode is: enough to know it again. */
struct node {
    uint64_t dev, ino, mount; /* mount: 0 when the kernel cannot tell */
    uint64_t size, links;
    uint32_t mode, uid, gid; /* mode with the type bits of S_IFMT */
    int64_t mtime_ns, ctime_ns;
};

/* The classes of a Landlock ruleset, as the kernel lays them out (struct landlock_ruleset_attr). */
struct landlock_classes {
    uint64_t files, ports, scopes;
};

struct sys {
    int (*open_root)(const char *path); /* O_PATH | O_DIRECTORY */
    int (*open_path)(const char *path); /* O_PATH, not followed */
    int (*real)(const char *path, char *out,
                size_t size); /* without links; ENAMETOOLONG when `out` is too small */
    int (*openat)(int dir, const char *name, int flags, mode_t mode); /* O_CLOEXEC is added */
    int (*openat2)(int dir, const char *path, int flags, uint64_t resolve);
    int (*close)(int fd);
    int (*dup)(int fd);                     /* close-on-exec */
    int (*node)(int fd, struct node *node); /* statx of the descriptor itself */
    int (*node_at)(int dir, const char *name, struct node *node); /* of a name, not followed */
    int (*fs_type)(int fd, int64_t *magic);
    ssize_t (*readlink)(int fd, char *text, size_t size); /* of a link's own descriptor */
    ssize_t (*getdents)(int fd, void *buffer, size_t size);
    ssize_t (*pread)(int fd, void *buffer, size_t size, off_t offset);
    off_t (*next_data)(int fd, off_t offset); /* where a hole that begins there ends, or `offset` */
    ssize_t (*write)(int fd, const void *data, size_t size);
    int (*mkdir)(int dir, const char *name, mode_t mode);
    int (*unlink)(int dir, const char *name, int flags);
    int (*rename)(int dir, const char *from, const char *to, unsigned flags); /* in one directory */
    int (*move)(int dir, const char *from, int to_dir, const char *to,
                unsigned flags); /* the same between two */
    int (*link)(int dir, const char *from, const char *to);
    int (*symlink)(int dir, const char *name, const char *text);
    int (*clone)(int to, int from); /* the whole file, sharing its blocks (FICLONE) */
    ssize_t (*copy_range)(int from, int to, off_t at, size_t size); /* to the same offset */
    off_t (*seek)(int fd, off_t offset, int whence);
    int (*truncate)(int fd, off_t size);
    int (*fsync)(int fd);
    int (*sync_all)(int fd); /* of the file system that it lies on */
    int (*fchmod)(int fd, mode_t mode);
    int (*fchown)(int fd, uid_t uid, gid_t gid);
    int (*writable)(int fd); /* faccessat2 W_OK, AT_EACCESS */
    ssize_t (*listxattr)(int fd, char *names, size_t size);
    ssize_t (*getxattr)(int fd, const char *name, void *value, size_t size);
    int (*setxattr)(int fd, const char *name, const void *value, size_t size);
    int (*removexattr)(int fd, const char *name);
    int (*random)(void *data, size_t size);
    int (*memory)(void); /* a file of its own without a name, in memory */
    int (*lock)(
        int fd); /* flock, exclusive, until the last close; waits a second at most (EWOULDBLOCK) */

    /* for wall.c alone */
    int (*no_new_privileges)(void);
    int (*landlock_version)(void); /* ENOSYS, EOPNOTSUPP: there is none */
    int (*landlock_create)(const struct landlock_classes *handled, size_t size); /* a descriptor */
    int (*landlock_allow)(int ruleset, int dir, uint64_t rights);
    int (*landlock_restrict)(int ruleset); /* this thread, for good */
};

/* The kernel's own. */
extern const struct sys sys_kernel;

/* A monotonic clock in nanoseconds. */
uint64_t clock_ns(void);

/* The clock by which the kernel stamps files of its own. */
int64_t clock_stamp_ns(void);

bool node_same(const struct node *a, const struct node *b); /* the same inode */
bool node_unchanged(const struct node *a,
                    const struct node *b); /* and neither size nor times differ */

#endif
