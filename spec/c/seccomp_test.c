/* SPDX-License-Identifier: MIT */
/* The filters as the kernel takes them: what a subprocess and croft itself cannot do, and that they can do the
 * rest. */
#include "seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define HIGH_BIT (UINT64_C(1) << 32) /* that the kernel does not look at in a request */

typedef size_t make_filter(struct sock_filter steps[SECCOMP_STEPS]);

/* In a child behind the filter: the errno of the call, 0 when it succeeds; -N when signal N ends it. */
static int errno_behind(make_filter *make, long number, unsigned long a, unsigned long b,
                        unsigned long c)
{
    struct sock_filter steps[SECCOMP_STEPS];
    struct sock_fprog program = {(unsigned short)make(steps), steps};
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
            _exit(255);
        errno = 0;
        _exit(syscall(number, a, b, c, 0, 0, 0) < 0 ? errno : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 255;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int errno_of(long number, unsigned long a, unsigned long b, unsigned long c)
{
    return errno_behind(seccomp_filter, number, a, b, c);
}

static int own_errno_of(long number, unsigned long a, unsigned long b, unsigned long c)
{
    return errno_behind(seccomp_own_filter, number, a, b, c);
}

/* Each would else fail otherwise, or succeed. */
static void croft_starts_nothing_and_changes_nothing_by_name(void)
{
    unsigned long here = (unsigned long)AT_FDCWD, name = (unsigned long)"/proc/self/comm";
    struct sock_filter steps[SECCOMP_STEPS];

    CHECK(seccomp_own_filter(steps) < SECCOMP_STEPS);
    CHECK(own_errno_of(SYS_getpid, 0, 0, 0) == 0);
    CHECK(own_errno_of(SYS_faccessat, here, name, R_OK) == 0);
    CHECK(own_errno_of(SYS_fchmod, 9999, 0, 0) == EBADF);
    CHECK(own_errno_of(SYS_fchown, 9999, 0, 0) == EBADF);
    CHECK(own_errno_of(SYS_mount, 0, 0, 0) == EPERM);
    CHECK(own_errno_of(425 /* io_uring_setup */, 0, 0, 0) == ENOSYS);

    CHECK(errno_of(SYS_execve, 0, 0, 0) == EFAULT && own_errno_of(SYS_execve, 0, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_execveat, here, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_ptrace, 9999, 0, 0) == EPERM);
    CHECK(errno_of(SYS_socket, AF_UNIX, SOCK_STREAM, 0) == 0);
    CHECK(own_errno_of(SYS_socket, AF_UNIX, SOCK_STREAM, 0) == EPERM);
    CHECK(own_errno_of(SYS_connect, 9999, 0, 0) == EPERM);
    CHECK(errno_of(SYS_fchmodat, here, 0, 0) == EFAULT);
    CHECK(own_errno_of(SYS_fchmodat, here, 0, 0) == EPERM);
    CHECK(own_errno_of(452 /* fchmodat2 */, here, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_fchownat, here, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_utimensat, here, name, 0) == EPERM);
    CHECK(own_errno_of(SYS_mknodat, here, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_setxattr, name, 0, 0) == EPERM);
    CHECK(own_errno_of(SYS_chdir, (unsigned long)"/", 0, 0) == EPERM);
#if defined(__x86_64__)
    CHECK(own_errno_of(SYS_chmod, name, 0600, 0) == EPERM);
    CHECK(own_errno_of(SYS_utimes, name, 0, 0) == EPERM);
#endif
}

int main(void)
{
    struct sock_filter steps[SECCOMP_STEPS];
    size_t count = seccomp_filter(steps);

    if (count == 0) /* a machine for which there is none */
        return check_report("seccomp");
    CHECK(count < SECCOMP_STEPS);
    CHECK(errno_of(SYS_getpid, 0, 0, 0) == 0);
    CHECK(errno_of(SYS_ioctl, 9999, FIONREAD, 0) == EBADF);

    CHECK(errno_of(SYS_ioctl, 0, TIOCSTI, 0) == EPERM);
    CHECK(errno_of(SYS_ioctl, 0, TIOCLINUX, 0) == EPERM);
    CHECK(errno_of(SYS_ioctl, 0, HIGH_BIT | (unsigned long)TIOCSTI, 0) ==
          EPERM); /* CVE-2019-10063 */
    CHECK(errno_of(SYS_ioctl, 9999, HIGH_BIT | (unsigned long)FIONREAD, 0) == EBADF);

    CHECK(errno_of(SYS_mount, 0, 0, 0) == EPERM);
    CHECK(errno_of(SYS_umount2, 0, 0, 0) == EPERM);
    CHECK(errno_of(SYS_unshare, 0, 0, 0) == EPERM); /* which does nothing, and is allowed else */
    CHECK(errno_of(SYS_setns, 9999, 0, 0) == EPERM);
    CHECK(errno_of(SYS_bpf, 9999, 0, 0) == EPERM);
    CHECK(errno_of(SYS_keyctl, 9999, 0, 0) == EPERM);
    CHECK(errno_of(SYS_userfaultfd, 0x7fffffff, 0, 0) == EPERM);
    CHECK(errno_of(SYS_open_by_handle_at, 9999, 0, 0) == EPERM);
    CHECK(errno_of(425 /* io_uring_setup */, 0, 0, 0) == ENOSYS);
#if defined(__x86_64__)
    CHECK(errno_of(0x40000000 | SYS_getpid, 0, 0, 0) == -SIGSYS);
#endif
    croft_starts_nothing_and_changes_nothing_by_name();
    return check_report("seccomp");
}
