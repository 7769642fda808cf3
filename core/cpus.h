/* SPDX-License-Identifier: MIT */
#ifndef CROFT_CPUS_H
#define CROFT_CPUS_H

/* How many CPUs this thread may run on; 1 where that cannot be told. */
unsigned cpus_count(void);

#endif
