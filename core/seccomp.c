/* SPDX-License-Identifier: MIT */
/*
 * The numbers are compared one after the other: a call that is allowed passes some forty comparisons. Of a
 * request to ioctl only the low half counts, as the kernel looks at no more: comparing all of it was
 * CVE-2019-10063.
 */
#include "seccomp.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

#define X32_BIT 0x40000000u /* of the numbers of x86's calls with short pointers */
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define ABSENT (SECCOMP_RET_ERRNO | ENOSYS)
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Numbers of calls that the headers of Debian 12 may not have; they are the same on every machine. */
enum {
    CALL_IO_URING_SETUP = 425,
    CALL_OPEN_TREE = 428,
    CALL_MOVE_MOUNT = 429,
    CALL_FSOPEN = 430,
    CALL_FSCONFIG = 431,
    CALL_FSMOUNT = 432,
    CALL_FSPICK = 433,
    CALL_MOUNT_SETATTR = 442,
    CALL_FCHMODAT2 = 452
};

static const int refused[] = {
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    CALL_OPEN_TREE,
    CALL_MOVE_MOUNT,
    CALL_FSOPEN,
    CALL_FSCONFIG,
    CALL_FSMOUNT,
    CALL_FSPICK,
    CALL_MOUNT_SETATTR,
    SYS_unshare,
    SYS_setns,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_open_by_handle_at,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_quotactl,
    SYS_syslog,
    SYS_process_vm_writev,
};

/* Landlock looks at few of these, and not in every version. */
static const int refused_of_own[] = {
    SYS_execve,    SYS_execveat,  SYS_ptrace,    SYS_process_vm_readv, SYS_socket,
    SYS_connect,   SYS_bind,      SYS_listen,    SYS_mknodat,          SYS_name_to_handle_at,
    SYS_chdir,     SYS_fchdir,    SYS_fchmodat,  CALL_FCHMODAT2,       SYS_fchownat,
    SYS_utimensat, SYS_setxattr,  SYS_lsetxattr, SYS_removexattr,      SYS_lremovexattr,
#if defined(__x86_64__) /* what these were before */
    SYS_mknod,     SYS_chmod,     SYS_chown,     SYS_lchown,           SYS_utime,
    SYS_utimes,    SYS_futimesat,
#endif
};

static const unsigned refused_requests[] = {TIOCSTI, TIOCLINUX};

struct writer {
    struct sock_filter *steps;
    size_t count;
};

static void add(struct writer *w, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false)
{
    w->steps[w->count++] =
        (struct sock_filter){.code = code, .jt = if_true, .jf = if_false, .k = value};
}

static void load(struct writer *w, size_t offset)
{
    add(w, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void give(struct writer *w, uint32_t verdict)
{
    add(w, BPF_RET | BPF_K, verdict, 0, 0);
}

/* What was loaded is `value`: the next step is taken; otherwise the one behind it. */
static void when(struct writer *w, uint32_t value, uint32_t verdict)
{
    add(w, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    give(w, verdict);
}

static void check_machine(struct writer *w)
{
    load(w, offsetof(struct seccomp_data, arch));
    add(w, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    give(w, SECCOMP_RET_KILL_PROCESS);
    load(w, offsetof(struct seccomp_data, nr));
    add(w, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    give(w, SECCOMP_RET_KILL_PROCESS);
}

static void check_requests(struct writer *w)
{
    size_t count = COUNT(refused_requests);

    add(w, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, (uint8_t)(2 * count + 1));
    load(w, offsetof(struct seccomp_data, args[1])); /* little endian: the low half comes first */
    for (size_t i = 0; i < count; i++)
        when(w, refused_requests[i], REFUSED);
}

static void refuse(struct writer *w, const int *calls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        when(w, (uint32_t)calls[i], REFUSED);
}

static size_t write_filter(struct sock_filter *steps, const int *besides, size_t count)
{
    struct writer w = {.steps = steps};

    check_machine(&w);
    refuse(&w, refused, COUNT(refused));
    refuse(&w, besides, count);
    when(&w, CALL_IO_URING_SETUP, ABSENT);
    check_requests(&w); /* last: it loads over the number */
    give(&w, SECCOMP_RET_ALLOW);
    return w.count;
}

size_t seccomp_filter(struct sock_filter steps[SECCOMP_STEPS])
{
    return write_filter(steps, NULL, 0);
}

size_t seccomp_own_filter(struct sock_filter steps[SECCOMP_STEPS])
{
    return write_filter(steps, refused_of_own, COUNT(refused_of_own));
}

_Static_assert((COUNT(refused) + COUNT(refused_of_own)) * 2 + 24 < SECCOMP_STEPS,
               "no room for all steps");

#else

size_t seccomp_filter(struct sock_filter steps[SECCOMP_STEPS])
{
    (void)steps;
    return 0;
}

size_t seccomp_own_filter(struct sock_filter steps[SECCOMP_STEPS])
{
    (void)steps;
    return 0;
}

#endif
