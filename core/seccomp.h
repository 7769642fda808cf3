/* SPDX-License-Identifier: MIT */
/* Which system calls a subprocess cannot make, and which croft itself: programs for the kernel's filter. */
#ifndef CROFT_SECCOMP_H
#define CROFT_SECCOMP_H

#include <linux/filter.h>
#include <stddef.h>

enum { SECCOMP_STEPS = 192 };

/*
 * Writes the filter into `steps`, and returns how many steps it has; 0 where this machine has none. Refused
 * with EPERM are: writing into the terminal's input (TIOCSTI, TIOCLINUX), mounting, other namespaces, keys,
 * BPF, performance events, user faults, modules, file handles, other clocks and hosts' names; with ENOSYS
 * io_uring. A call that is not of this machine's own kind ends the process.
 */
size_t seccomp_filter(struct sock_filter steps[SECCOMP_STEPS]);

/*
 * The same for croft itself, which starts no program and reaches what it changes by descriptors alone. Refused
 * with EPERM are besides: other programs, sockets, the memory of other processes, making devices and links, and
 * modes, owners and times of what is named.
 */
size_t seccomp_own_filter(struct sock_filter steps[SECCOMP_STEPS]);

#endif
