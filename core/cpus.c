/* SPDX-License-Identifier: MIT */
#include "cpus.h"

#include <sched.h>

unsigned cpus_count(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}
