/* SPDX-License-Identifier: MIT */
/* What keeps bubblewrap from working differs from host to host; so it is tried, and asked. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch.h"
#include "leave.h"

enum { SECONDS = 5 };

/* ---- finding it -------------------------------------------------------------------------------- */

static void refuse(struct launch_probe *probe, const char *reason)
{
    (void)snprintf(probe->reason, sizeof probe->reason, "%s", reason);
}

static bool take(struct launch_probe *probe, const char *dir, size_t size)
{
    struct stat node;

    if (size == 0 || dir[0] != '/' || size + sizeof "/bwrap" > sizeof probe->program)
        return false;
    (void)snprintf(probe->program, sizeof probe->program, "%.*s/bwrap", (int)size, dir);
    if (stat(probe->program, &node) != 0 || !S_ISREG(node.st_mode) ||
        access(probe->program, X_OK) != 0)
        return false;
    if ((node.st_mode & (S_ISUID | S_ISGID)) != 0)
        refuse(probe, "bubblewrap (bwrap) is setuid here, and such a one is not used");
    return true;
}

static bool find(struct launch_probe *probe)
{
    const char *path = getenv("PATH");

    if (path == NULL)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*path != '\0') {
        size_t size = strcspn(path, ":");

        if (take(probe, path, size))
            return probe->reason[0] == '\0';
        path += size + (path[size] == ':');
    }
    refuse(probe, "there is no bubblewrap (bwrap) on the PATH");
    return false;
}

/* ---- asking it --------------------------------------------------------------------------------- */

static void become(const char *const *argv, int out)
{
    static const char *const nothing = "/dev/null";
    union {
        const char *const *constant;
        char *const *words;
    } given = {.constant = argv}; /* execv changes none of them */
    int null = open(nothing, O_RDWR | O_CLOEXEC);

    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    if (dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        leave(127);
    execv(argv[0], given.words);
    leave(127);
}

static int milliseconds_until(const struct timespec *end)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)((end->tv_sec - now.tv_sec) * 1000 + (end->tv_nsec - now.tv_nsec) / 1000000);
}

/* Reads what a program says until it ends; kills it when that takes too long. */
static size_t listen(int fd, pid_t pid, char *said, size_t size)
{
    struct timespec end;
    size_t used = 0;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += SECONDS;
    while (used < size - 1) {
        struct pollfd wait = {fd, POLLIN, 0};
        int left = milliseconds_until(&end);
        ssize_t count;

        if (left <= 0 || poll(&wait, 1, left) == 0) {
            kill(pid, SIGKILL);
            break;
        }
        count = read(fd, said + used, size - 1 - used);
        if (count == 0 || (count < 0 && errno != EINTR))
            break;
        used += count > 0 ? (size_t)count : 0;
    }
    said[used] = '\0';
    return used;
}

/* Runs it; true when it ends well. `said` is what it writes. */
static bool run(const char *const *argv, char *said, size_t size)
{
    int ends[2], status = -1;
    pid_t pid;

    said[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid = fork();
    if (pid == 0)
        become(argv, ends[1]);
    close(ends[1]);
    if (pid > 0)
        (void)listen(ends[0], pid, said, size);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* "bubblewrap 0.8.0" */
static bool read_version(const char *said, unsigned long version[3])
{
    static const char name[] = "bubblewrap ";
    const char *at = said + sizeof name - 1;

    if (strncmp(said, name, sizeof name - 1) != 0)
        return false;
    for (int i = 0; i < 3; i++) {
        char *end;

        version[i] = strtoul(at, &end, 10);
        if (end == at || version[i] >= 1000 || (i < 2 && *end != '.'))
            return false;
        at = end + 1;
    }
    return true;
}

static bool ask_version(struct launch_probe *probe)
{
    const char *const argv[] = {probe->program, "--version", NULL};
    unsigned long version[3];
    char said[256];

    if (run(argv, said, sizeof said) && read_version(said, version)) {
        probe->version = (unsigned)(version[0] * 1000000 + version[1] * 1000 + version[2]);
        return true;
    }
    refuse(probe, "bubblewrap does not tell its version");
    return false;
}

/* ---- trying it --------------------------------------------------------------------------------- */

static bool holds(const char *file, char wanted)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    char text[2] = "";
    ssize_t count = fd < 0 ? -1 : read(fd, text, sizeof text);

    if (fd >= 0)
        close(fd);
    return count > 0 && text[0] == wanted && (count == 1 || text[1] == '\n');
}

/* What is known to keep it from working. */
static const char *find_cause(void)
{
    if (holds("/proc/sys/user/max_user_namespaces", '0'))
        return "this host allows no user namespaces (user.max_user_namespaces is 0)";
    if (holds("/proc/sys/kernel/unprivileged_userns_clone", '0') && geteuid() != 0)
        return "this host allows user namespaces to root alone "
               "(kernel.unprivileged_userns_clone is 0)";
    if (holds("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", '1') && geteuid() != 0)
        return "AppArmor restricts user namespaces on this host "
               "(kernel.apparmor_restrict_unprivileged_userns is 1): bwrap needs a profile";
    return NULL;
}

static void say_why(struct launch_probe *probe, const char *what, const char *said)
{
    const char *cause = find_cause();

    if (cause != NULL)
        refuse(probe, cause);
    else
        (void)snprintf(probe->reason, sizeof probe->reason, "%s: %.*s", what,
                       (int)strcspn(said, "\n"), said[0] == '\0' ? "it does not end" : said);
}

static void try(struct launch_probe *probe)
{
    const char *const bare[] = {probe->program,
                                "--unshare-user",
                                "--unshare-pid",
                                "--disable-userns",
                                "--ro-bind",
                                "/",
                                "/",
                                "--",
                                "/bin/true",
                                NULL};
    const char *const whole[] = {probe->program,
                                 "--unshare-user",
                                 "--unshare-pid",
                                 "--unshare-ipc",
                                 "--unshare-uts",
                                 "--unshare-net",
                                 "--disable-userns",
                                 "--cap-drop",
                                 "ALL",
                                 "--ro-bind",
                                 "/",
                                 "/",
                                 "--proc",
                                 "/proc",
                                 "--dev",
                                 "/dev",
                                 "--remount-ro",
                                 "/dev",
                                 "--remount-ro",
                                 "/",
                                 "--",
                                 "/bin/true",
                                 NULL};
    char said[512];

    probe->works = run(whole, said, sizeof said);
    if (probe->works)
        return;
    if (run(bare, said + 256, sizeof said - 256)) /* as in containers without privileges */
        say_why(probe, "bubblewrap cannot make its /proc, /dev or network", said);
    else
        say_why(probe, "bubblewrap cannot make its namespaces", said);
}

void launch_probe(struct launch_probe *probe)
{
    memset(probe, 0, sizeof *probe);
    if (find(probe) && ask_version(probe))
        try(probe);
}
