/* SPDX-License-Identifier: MIT */
/* Which system calls a subprocess cannot make: a program for the kernel's filter, as --seccomp takes it. */
#ifndef CROFT_SECCOMP_H
#define CROFT_SECCOMP_H

#include <linux/filter.h>
#include <stddef.h>

enum { SECCOMP_STEPS = 128 };

/*
 * Writes the filter into `steps`, and returns how many steps it has; 0 where this machine has none. Refused
 * with EPERM are: writing into the terminal's input (TIOCSTI, TIOCLINUX), mounting, other namespaces, keys,
 * BPF, performance events, user faults, modules, file handles, other clocks and hosts' names; with ENOSYS
 * io_uring. A call that is not of this machine's own kind ends the process.
 */
size_t seccomp_filter(struct sock_filter steps[SECCOMP_STEPS]);

#endif
