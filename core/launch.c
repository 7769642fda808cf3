/* SPDX-License-Identifier: MIT */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leave.h"
#include "seccomp.h"

enum { HIGH_FD = 64, CALL_CLOSE_RANGE = 436 };

/* ---- what it is given -------------------------------------------------------------------------- */

static bool write_all(int fd, const void *data, size_t size)
{
    const char *at = data;

    while (size > 0) {
        ssize_t count = write(fd, at, size);

        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            at += count;
            size -= (size_t)count;
        }
    }
    return true;
}

static int memory_file(const char *name)
{
    return (int)memfd_create(name, MFD_CLOEXEC);
}

/* The options, each ended by NUL, as --args reads them. */
static int args_file(const croft_argv *argv)
{
    int fd = memory_file("args");
    bool good = fd >= 0;

    for (size_t i = 1; good && i < argv->split; i++)
        good = write_all(fd, argv->items[i], strlen(argv->items[i]) + 1);
    if (good && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static int filter_file(void)
{
    struct sock_filter steps[SECCOMP_STEPS];
    size_t count = seccomp_filter(steps);
    int fd = memory_file("filter");

    if (fd >= 0 && write_all(fd, steps, count * sizeof steps[0]) && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void launch_options(const struct launch_probe *probe, croft_wrap_options *options)
{
    struct sock_filter steps[SECCOMP_STEPS];

    croft_wrap_options_init(options);
    options->program = probe->program;
    options->version = probe->version;
    options->seccomp_fd = seccomp_filter(steps) > 0 ? LAUNCH_SECCOMP_FD : -1;
    options->status_fd = LAUNCH_STATUS_FD;
}

/* ---- the child --------------------------------------------------------------------------------- */

struct given {
    int standard[3];
    int args, filter, status;
};

/* bubblewrap before 0.11.1 cannot do with a SIGCHLD that is ignored, and its program inherits the rest. Asked of
 * the kernel, as the C library keeps two signals to itself. */
static void reset_signals(void)
{
    static const uint64_t usual[32]; /* the kernel's struct sigaction, and more: all zero */
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        (void)syscall(SYS_rt_sigaction, number, usual, NULL, sizeof(uint64_t));
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* `fd` gets the number `wanted`, and stays open across exec. */
static bool place(int fd, int wanted)
{
    return fd < 0 || dup2(fd, wanted) == wanted;
}

static bool place_all(struct given *given)
{
    int *const all[] = {&given->standard[0], &given->standard[1], &given->standard[2],
                        &given->args,        &given->filter,      &given->status};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) { /* none in the way of another */
        if (*all[i] >= 0 && (*all[i] = fcntl(*all[i], F_DUPFD, HIGH_FD)) < 0)
            return false;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!place(*all[i], (int)i))
            return false;
    return syscall(CALL_CLOSE_RANGE, LAUNCH_STATUS_FD + 1, ~0U, 0) == 0;
}

static void become(const croft_argv *argv, struct given *given)
{
    size_t rest = argv->count - argv->split;
    char **items = calloc(rest + 4, sizeof *items);
    char option[] = "--args", number[] = "3";

    if (items == NULL || !place_all(given))
        leave(127);
    items[0] = argv->items[0];
    items[1] = option;
    items[2] = number;
    memcpy(items + 3, argv->items + argv->split, rest * sizeof *items);
    execv(argv->items[0], items);
    leave(127);
}

bool launch_start(const croft_argv *argv, const int standard[3], void (*prepare)(void *user),
                  void *user, struct launch *launch)
{
    int ends[2] = {-1, -1};
    struct given given = {
        {standard[0], standard[1], standard[2]}, args_file(argv), filter_file(), -1};
    bool good = given.args >= 0 && given.filter >= 0 && pipe2(ends, O_CLOEXEC) == 0;
    int number;

    launch->status = ends[0];
    given.status = ends[1];
    launch->pid = good ? fork() : -1;
    if (launch->pid == 0) {
        reset_signals();
        if (prepare != NULL)
            prepare(user);
        become(argv, &given);
    }
    number = errno;
    close(given.args);
    close(given.filter);
    close(given.status);
    if (launch->pid < 0 && ends[0] >= 0)
        close(ends[0]);
    errno = number;
    return launch->pid > 0;
}

/* ---- the end ----------------------------------------------------------------------------------- */

/* bubblewrap writes JSON objects; "exit-code" stands in one of them if the program ran. */
static int find_exit_code(const char *text)
{
    static const char key[] = "\"exit-code\":";
    const char *found = strstr(text, key);

    return found == NULL ? -1 : (int)strtol(found + sizeof key - 1, NULL, 10);
}

int launch_finish(struct launch *launch)
{
    char text[4096];
    size_t used = 0;
    ssize_t count;

    while ((count = read(launch->status, text + used, sizeof text - 1 - used)) != 0) {
        if (count < 0 && errno != EINTR)
            break;
        if (count > 0)
            used += (size_t)count;
        if (used == sizeof text - 1)
            break;
    }
    text[used] = '\0';
    close(launch->status);
    while (waitpid(launch->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return find_exit_code(text);
}
