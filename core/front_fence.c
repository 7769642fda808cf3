/* SPDX-License-Identifier: MIT */
#include "front_fence.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp.h"

static int refuse(lua_State *L, int number)
{
    lua_pushnil(L);
    if (number == ENOSYS || number == EINVAL)
        lua_pushliteral(L, "the kernel has none");
    else
        lua_pushfstring(L, "the kernel refuses it (errno %d)", number);
    return 2;
}

int front_fence(lua_State *L)
{
    struct sock_filter steps[SECCOMP_STEPS];
    struct sock_fprog program = {(unsigned short)seccomp_own_filter(steps), steps};

    if (program.len == 0)
        return refuse(L, ENOSYS);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return refuse(L, errno);
    lua_pushboolean(L, true);
    return 1;
}
