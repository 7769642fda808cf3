/* SPDX-License-Identifier: MIT */
/* Fails every call of an operation with every errno that the manual names for it. */
#ifndef CROFT_INJECT_RUN_H
#define CROFT_INJECT_RUN_H

#include <dirent.h>
#include <fcntl.h>

#include "check.h"
#include "inject.h"
#include "tree_fixture.h"

/* What the manual pages name, but for what a caller of the table cannot cause (EFAULT, EBADF of a good
 * descriptor); EINTR only where the table does not retry it. EIO and ESTALE come from any file system. */
static const int errnos_of[CALL_COUNT][32] = {
    [CALL_open_root] = {EACCES, ELOOP, EMFILE, ENAMETOOLONG, ENFILE, ENOENT, ENOMEM, ENOTDIR, EIO},
    [CALL_open_path] = {EACCES, EMFILE, ENAMETOOLONG, ENFILE, ENOENT, ENOMEM, ENOTDIR, EIO},
    [CALL_real] = {EACCES, EIO, ELOOP, ENAMETOOLONG, ENOENT, ENOMEM, ENOTDIR},
    [CALL_openat] = {EACCES,  EBUSY,     EDQUOT, EEXIST, EFBIG,   EINVAL, EIO,    EISDIR,
                     ELOOP,   EMFILE,    ENFILE, ENODEV, ENOENT,  ENOMEM, ENOSPC, ENXIO,
                     ENOTDIR, EOVERFLOW, EPERM,  EROFS,  ETXTBSY, EAGAIN, ESTALE, ENAMETOOLONG},
    [CALL_openat2] = {EACCES, EAGAIN, E2BIG, EBUSY, EINVAL, EIO, ELOOP, EMFILE, ENFILE, ENODEV,
                      ENOENT, ENOMEM, ENOSYS, ENXIO, EPERM, EXDEV, EROFS, ENOTDIR, ESTALE},
    [CALL_close] = {EIO, ENOSPC, EDQUOT, EINTR},
    [CALL_dup] = {EMFILE, EINVAL},
    [CALL_node] = {EACCES, EIO, ENOENT, ENOMEM, ENOSYS, ESTALE, EPERM},
    [CALL_node_at] = {EACCES, EIO, ELOOP, ENOENT, ENOMEM, ENOSYS, ENOTDIR, ESTALE, ENAMETOOLONG},
    [CALL_fs_type] = {EACCES, EINTR, EIO, ENOMEM, ENOSYS, EOVERFLOW},
    [CALL_readlink] = {EACCES, EINVAL, EIO, ELOOP, ENOENT, ENOMEM, ENOTDIR, ESTALE},
    [CALL_getdents] = {EINVAL, EIO, ENOENT, ENOTDIR, ENOMEM, EACCES},
    [CALL_pread] = {EAGAIN, EIO, EISDIR, EINVAL, ESTALE, ENOMEM},
    [CALL_write] = {EAGAIN, EDQUOT, EFBIG, EINVAL, EIO, ENOSPC, EPERM, ESTALE, ENOMEM},
    [CALL_mkdir] = {EACCES, EDQUOT, EEXIST, EINVAL, ELOOP, EMLINK, ENOENT, ENOMEM, ENOSPC, ENOTDIR,
                    EPERM, EROFS, EIO, EINTR},
    [CALL_unlink] = {EACCES, EBUSY, EIO, EISDIR, ELOOP, ENOENT, ENOMEM, ENOTDIR, EPERM, EROFS,
                     EINTR},
    [CALL_rename] = {EACCES,  EBUSY,     EDQUOT, EEXIST, EINTR,  EINVAL, EIO,
                     EISDIR,  ELOOP,     EMLINK, ENOENT, ENOMEM, ENOSPC, ENOSYS,
                     ENOTDIR, ENOTEMPTY, EPERM,  EROFS,  ESTALE, EXDEV},
    [CALL_link] = {EACCES, EDQUOT, EEXIST, EIO, ELOOP, EMLINK, ENOENT, ENOMEM, ENOSPC, ENOTDIR,
                   EPERM, EROFS, EXDEV, EINTR},
    [CALL_fsync] = {EIO, ENOSPC, EROFS, EINVAL, EDQUOT},
    [CALL_fchmod] = {EIO, EPERM, EROFS, ENOMEM, EACCES, ENOTSUP},
    [CALL_fchown] = {EIO, EPERM, EROFS, ENOMEM, EDQUOT, EINVAL},
    [CALL_writable] = {EACCES, EINVAL, EIO, ENOMEM, EPERM, EROFS, ETXTBSY, ENOSYS},
    [CALL_listxattr] = {E2BIG, ENOTSUP, ERANGE, EACCES, EIO, ENOMEM},
    [CALL_getxattr] = {E2BIG, ENODATA, ENOTSUP, ERANGE, EACCES, EIO, ENOMEM},
    [CALL_setxattr] = {EDQUOT, EEXIST, ENODATA, ENOSPC, ENOTSUP, EPERM, ERANGE, EIO, EROFS, EINVAL},
    [CALL_removexattr] = {ENODATA, ENOTSUP, EPERM, EIO, EROFS, ENOSPC},
    [CALL_random] = {EAGAIN, EINTR, ENOSYS},
    [CALL_lock] = {EINTR, EINVAL, ENOLCK, EWOULDBLOCK},
};

struct operation {
    const char *name;
    void (*prepare)(void);              /* may be NULL */
    croft_status (*run)(void);          /* by inject_sys; closes what it opened */
    void (*judge)(croft_status status); /* CHECKs what may have come of it, by inject */
};

/* Whether what failed is for want of a descriptor or memory. */
static inline bool is_short_of_something(void)
{
    return inject.hit &&
           (inject.number == EMFILE || inject.number == ENFILE || inject.number == ENOMEM);
}

static unsigned long injected; /* runs so far */

static inline int count_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(dir) != NULL)
        count++;
    closedir(dir);
    return count;
}

/* ---- outside ------------------------------------------------------------------------------------- */

static struct {
    struct node base, directory, file;
} outside;

static inline void look_outside(struct node *base, struct node *directory, struct node *file)
{
    int fd = open(fixture_base, O_PATH | O_DIRECTORY | O_CLOEXEC), below;

    below = openat(fd, "outside", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (sys_kernel.node(fd, base) != 0 || sys_kernel.node(below, directory) != 0 ||
        sys_kernel.node_at(below, "secret.txt", file) != 0)
        *base = *directory = *file = (struct node){0};
    close(below);
    close(fd);
}

static inline bool outside_is_untouched(void)
{
    struct node base, directory, file;

    look_outside(&base, &directory, &file);
    return node_unchanged(&base, &outside.base) && node_unchanged(&directory, &outside.directory) &&
           node_unchanged(&file, &outside.file);
}

/* ---- runs ---------------------------------------------------------------------------------------- */

static inline void say_where(const struct operation *op)
{
    fprintf(stderr, "    in %s: %s of call %u, %s, errno %d (%s)\n", op->name,
            inject_is_sticky() ? "every one" : "once", inject.at, inject_name(inject.kind),
            inject.number, strerrorname_np(inject.number));
}

static inline void run_once(const struct operation *op, enum inject_mode mode, unsigned at,
                            int number)
{
    int before, failed = check_failed;
    croft_status status;

    if (op->prepare != NULL)
        op->prepare();
    before = count_open();
    inject_start(mode, at, number);
    status = op->run();
    inject.now = INJECT_NOTHING;
    CHECK(count_open() == before);
    CHECK(outside_is_untouched());
    op->judge(status);
    injected++;
    if (check_failed > failed && check_failed < 50)
        say_where(op);
}

/* The operation without any failure, with one for each call and errno, and with all from there on. */
static inline void inject_everywhere(const struct operation *op)
{
    static unsigned char kinds[INJECT_MOST];
    unsigned count;

    look_outside(&outside.base, &outside.directory, &outside.file);
    run_once(op, INJECT_NOTHING, 0, 0);
    count = inject.count;
    CHECK(count > 0 && count < INJECT_MOST);
    memcpy(kinds, inject.kinds, sizeof kinds);
    for (unsigned at = 1; at <= count && check_failed < 100; at++) {
        for (const int *number = errnos_of[kinds[at - 1]]; *number != 0; number++) {
            run_once(op, INJECT_ERROR, at, *number);
            run_once(op, INJECT_ERRORS, at, *number);
        }
        if (kinds[at - 1] == CALL_write || kinds[at - 1] == CALL_pread)
            run_once(op, INJECT_SHORT, at, 0);
        if (kinds[at - 1] == CALL_write)
            run_once(op, INJECT_EMPTY, at, 0);
    }
}

#endif
