/* SPDX-License-Identifier: MIT */
/* noopenat2 ENOSYS|EPERM|EAGAIN CMD...: runs CMD with openat2(2) failing with that errno (seccomp), to
 * force the walking resolver, or the bound on EAGAIN, through the same cases. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned short errno_named(const char *name)
{
    if (strcmp(name, "EPERM") == 0)
        return EPERM;
    return strcmp(name, "EAGAIN") == 0 ? EAGAIN : ENOSYS;
}

static int refuse_openat2(unsigned short error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: noopenat2 ENOSYS|EPERM|EAGAIN CMD...\n", stderr);
        return 2;
    }
    if (refuse_openat2(errno_named(argv[1])) != 0) {
        perror("seccomp");
        return 2;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
