/* SPDX-License-Identifier: MIT */
/*
 * Processes are counted from outside, many times a second. The limit of setrlimit(2) counts the threads of a
 * user all over the host, and does not hold root: it is set so high that it only ends a flood. Where control
 * groups can be written they hold at once, and for memory too: those of version 2, or of version 1 under
 * their usual names.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runner_parts.h"

enum { SPARE = 64, LINE = 4096, FLOOD = 512 };

/* ---- counting ---------------------------------------------------------------------------------- */

struct found {
    pid_t *pids;
    size_t count, capacity;
};

/* Adds those that one thread of `pid` has started. */
static void add_children(struct found *found, pid_t pid, const char *thread)
{
    char path[64 + NAME_MAX], text[LINE];
    ssize_t size;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return;
    text[size] = '\0';
    for (char *at = text, *end; found->count < found->capacity; at = end) {
        long child = strtol(at, &end, 10);

        if (end == at || child <= 0)
            return;
        found->pids[found->count++] = (pid_t)child;
    }
}

static void add_all_children(struct found *found, pid_t pid)
{
    char path[64];
    const struct dirent *entry;
    DIR *tasks;

    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks != NULL && (entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.')
            add_children(found, pid, entry->d_name);
    if (tasks != NULL)
        closedir(tasks);
}

uint64_t limits_count(pid_t pid, uint64_t most)
{
    struct found found = {.capacity = (size_t)most + SPARE};
    uint64_t count = 0;

    found.pids = calloc(found.capacity, sizeof *found.pids);
    if (found.pids == NULL)
        return 0;
    found.pids[found.count++] = pid;
    for (size_t i = 0; i < found.count; i++)
        add_all_children(&found, found.pids[i]);
    count = found.count;
    free(found.pids);
    return count;
}

/* ---- the last dam ------------------------------------------------------------------------------ */

/* The threads of the process, if it is the user's: from the lines "Uid:" and "Threads:" of its status. */
static uint64_t threads_of(const char *name, uid_t uid)
{
    char path[64], text[LINE];
    const char *line;
    ssize_t size;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%.20s/status", name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    line = strstr(text, "\nUid:");
    if (line == NULL || strtoul(line + 5, NULL, 10) != uid)
        return 0;
    line = strstr(text, "\nThreads:");
    return line == NULL ? 1 : strtoull(line + 9, NULL, 10);
}

static uint64_t threads_of_user(uid_t uid)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    uint64_t count = 0;

    while (processes != NULL && (entry = readdir(processes)) != NULL)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            count += threads_of(entry->d_name, uid);
    if (processes != NULL)
        closedir(processes);
    return count;
}

static void hold_user(uint64_t tasks)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NPROC, &limit) != 0 || (rlim_t)tasks >= limit.rlim_cur)
        return;
    limit.rlim_cur = limit.rlim_max = (rlim_t)tasks;
    (void)setrlimit(RLIMIT_NPROC, &limit);
}

/* ---- control groups ---------------------------------------------------------------------------- */

/* Where a group of a hierarchy is found, and what the limits are called there. */
struct hierarchy {
    const char *controller; /* as /proc/self/cgroup names it; "" is version 2 */
    const char *mount;
    const char *processes, *memory; /* NULL: it knows nothing of them */
};

static const struct hierarchy hierarchies[] = {
    {"", "/sys/fs/cgroup", "pids.max", "memory.max"},
    {"pids", "/sys/fs/cgroup/pids", "pids.max", NULL},
    {"memory", "/sys/fs/cgroup/memory", NULL, "memory.limit_in_bytes"},
};

/* The group of this process in the hierarchy: a line "N:controllers:path". */
static bool find_own(const char *controller, char *path, size_t size)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[LINE];
    bool found = false;

    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *name = strchr(line, ':'), *own = name == NULL ? NULL : strchr(name + 1, ':');

        if (own == NULL)
            continue;
        *own++ = '\0';
        own[strcspn(own, "\n")] = '\0';
        found = strcmp(name + 1, controller) == 0 && strlen(own) < size;
        if (found)
            strcpy(path, own);
    }
    if (file != NULL)
        (void)fclose(file);
    return found;
}

static bool write_number(const char *group, const char *name, uint64_t number)
{
    char path[LAUNCH_PATH + 64], text[24];
    int size = snprintf(text, sizeof text, "%llu", (unsigned long long)number), fd;
    bool good;

    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    good = fd >= 0 && write(fd, text, (size_t)size) == size;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Makes a group in the hierarchy; true when it holds at least one limit. bubblewrap is two processes of its
 * own. */
static bool make_group(const struct hierarchy *hierarchy, char *group,
                       const struct runner_limits *limits)
{
    char own[LAUNCH_PATH / 2];
    bool good = false;

    if (!find_own(hierarchy->controller, own, sizeof own))
        return false;
    (void)snprintf(group, LAUNCH_PATH, "%s%s/croft-run-%d", hierarchy->mount,
                   strcmp(own, "/") == 0 ? "" : own, (int)getpid());
    if (mkdir(group, 0755) != 0 && errno != EEXIST)
        return false;
    if (hierarchy->processes != NULL)
        good = write_number(group, hierarchy->processes, limits->processes + 2);
    if (hierarchy->memory != NULL)
        good = write_number(group, hierarchy->memory, limits->memory) || good;
    if (!good)
        (void)rmdir(group);
    return good;
}

void groups_make(struct control_groups *groups, const struct runner_limits *limits)
{
    size_t count = 0;

    memset(groups, 0, sizeof *groups);
    groups->tasks = threads_of_user(getuid()) + 4 * limits->processes + FLOOD;
    for (size_t i = 0; i < sizeof hierarchies / sizeof hierarchies[0] && count < GROUPS; i++) {
        char *name = groups->names[count];

        if (make_group(&hierarchies[i], name, limits))
            count++;
        else
            name[0] = '\0';
    }
}

void groups_join(void *joined)
{
    const struct control_groups *groups = joined;

    for (size_t i = 0; i < GROUPS; i++)
        if (groups->names[i][0] != '\0')
            (void)write_number(groups->names[i], "cgroup.procs", (uint64_t)getpid());
    hold_user(groups->tasks);
}

/* What was killed is in its group until the kernel has taken it apart, which nobody waits for. */
static void remove_group(const char *name)
{
    enum { TRIES = 400 };
    const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};

    for (int i = 0; i < TRIES && rmdir(name) != 0 && errno == EBUSY; i++)
        (void)nanosleep(&pause, NULL);
}

void groups_remove(struct control_groups *groups)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (groups->names[i][0] != '\0')
            remove_group(groups->names[i]);
}
