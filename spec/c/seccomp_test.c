/* SPDX-License-Identifier: MIT */
/* The filter as the kernel takes it: what a subprocess cannot do, and that it can do the rest. */
#include "seccomp.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define HIGH_BIT (UINT64_C(1) << 32) /* that the kernel does not look at in a request */

/* In a child behind the filter: the errno of the call, 0 when it succeeds; -N when signal N ends it. */
static int errno_of(long number, unsigned long a, unsigned long b, unsigned long c)
{
    struct sock_filter steps[SECCOMP_STEPS];
    struct sock_fprog program = {(unsigned short)seccomp_filter(steps), steps};
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
    return check_report("seccomp");
}
