/* SPDX-License-Identifier: MIT */
/* A library for LD_PRELOAD that breaks the resolver of any croft: openat2(2) loses all that holds it below
 * the root, so that links lead wherever they like. What is refused then is refused by the second wall. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...)
{
    union {
        void *object;
        long (*call)(long, ...);
    } next = {dlsym(RTLD_NEXT, "syscall")};
    long args[6];
    struct open_how how;
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        args[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_openat2) {
        how = *(const struct open_how *)args[2];
        how.resolve = 0;
        args[2] = (long)&how;
    }
    return next.call(number, args[0], args[1], args[2], args[3], args[4], args[5]);
}
