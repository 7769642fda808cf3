/* SPDX-License-Identifier: MIT */
/* What the process holds, for tests that look for leaks while they run. */
#ifndef CROFT_MEMORY_H
#define CROFT_MEMORY_H

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEMORY_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_SANITIZED
#endif

/* What memory_used() may gain without a leak: the C library counts what it keeps for later. */
#ifdef MEMORY_SANITIZED
enum { MEMORY_SLACK = 8 * 1024 };

size_t __sanitizer_get_current_allocated_bytes(void);
#else
enum { MEMORY_SLACK = 256 * 1024 };
#endif

/* Bytes that were asked for and not given back. A sanitizer keeps what was given back for a while, so that
 * the resident size says little under one. */
static inline size_t memory_used(void)
{
#ifdef MEMORY_SANITIZED
    return __sanitizer_get_current_allocated_bytes();
#else
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
#endif
}

/* The resident size in KiB; 0 when it cannot be known. */
static inline unsigned long memory_resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long whole, resident = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%lu %lu", &whole, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

static inline unsigned count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    unsigned count = 0;

    if (directory == NULL)
        return 0;
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

#endif
