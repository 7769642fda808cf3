/* SPDX-License-Identifier: MIT */
/* opens DIR: what it costs to open and close a file below DIR (which it fills) at three depths: by a bare
 * openat and openat2, by one confined open, and by name with the check of its type, on both resolvers. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "path.h"
#include "resolve.h"
#include "resolve_openat2.h"
#include "rounds.h"
#include "view.h"

enum { TIMES = 2000 };

struct subject {
    int dir;
    const struct root *root;
    struct path path;
};

static void close_checked(int fd)
{
    if (fd < 0)
        bench_fail("a file cannot be opened");
    close(fd);
}

static void run_openat(void *user, size_t times)
{
    const struct subject *subject = user;

    for (size_t i = 0; i < times; i++)
        close_checked(openat(subject->dir, subject->path.text, O_RDONLY | O_CLOEXEC));
}

static void run_openat2(void *user, size_t times)
{
    const struct subject *subject = user;
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_BENEATH};

    for (size_t i = 0; i < times; i++)
        close_checked(
            (int)syscall(SYS_openat2, subject->dir, subject->path.text, &how, sizeof how));
}

static void run_confined(void *user, size_t times)
{
    const struct subject *subject = user;

    for (size_t i = 0; i < times; i++)
        close_checked(open_openat2(subject->root, &subject->path, O_RDONLY | O_NONBLOCK));
}

static void open_by_name(const struct subject *subject)
{
    struct place place;
    struct node node;
    croft_error err;
    int fd = -1;

    if (resolve(subject->root, &subject->path, RESOLVE_EXISTING, &place, &err) == CROFT_OK) {
        (void)open_place(&place, &subject->path, S_IFREG, &fd, &node, &err);
        place_close(&place);
    }
    close_checked(fd);
}

static void run_by_name(void *user, size_t times)
{
    for (size_t i = 0; i < times; i++)
        open_by_name(user);
}

/* Makes the file of that depth and returns its path below `dir`. */
static const char *make_file(int dir, int depth)
{
    static char text[256];
    size_t size = 0;
    int fd;

    for (int i = 1; i < depth; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%sdir", i == 1 ? "" : "/");
        if (mkdirat(dir, text, 0755) != 0 && errno != EEXIST)
            bench_fail(text);
    }
    snprintf(text + size, sizeof text - size, "%sfile", depth == 1 ? "" : "/");
    fd = openat(dir, text, O_WRONLY | O_CREAT, 0644);
    if (fd < 0)
        bench_fail(text);
    close(fd);
    return text;
}

static const struct root *open_view(const char *dir, croft_resolver resolver)
{
    croft_view_options options;
    croft_view *view;
    croft_error err;

    croft_view_options_init(&options);
    options.resolver = resolver;
    if (view_open(dir, &options, &sys_kernel, &view, &err) != CROFT_OK)
        bench_fail(err.message);
    return view->root;
}

static void measure(const char *dir, int depth)
{
    struct subject quick = {.root = open_view(dir, CROFT_RESOLVER_AUTO)}, walked;
    const char *text;
    char title[32];

    quick.dir = open(dir, O_PATH | O_DIRECTORY);
    text = make_file(quick.dir, depth);
    if (path_parse(text, strlen(text), &quick.path, NULL) != CROFT_OK)
        bench_fail(text);
    walked = quick;
    walked.root = open_view(dir, CROFT_RESOLVER_WALK);
    snprintf(title, sizeof title, "open at depth %d", depth);
    if (quick.root->use_openat2) {
        const struct rival rivals[] = {
            {"openat", run_openat, &quick},
            {"openat2", run_openat2, &quick},
            {"croft, one confined open", run_confined, &quick},
            {"croft, by name, openat2", run_by_name, &quick},
            {"croft, by name, walk", run_by_name, &walked},
        };

        rounds_run(title, rivals, sizeof rivals / sizeof rivals[0], TIMES);
    } else {
        const struct rival rivals[] = {
            {"openat", run_openat, &quick},
            {"croft, by name, walk", run_by_name, &walked},
        };

        rounds_run(title, rivals, sizeof rivals / sizeof rivals[0], TIMES);
    }
}

int main(int argc, char **argv)
{
    static const int depths[] = {1, 5, 20};

    if (argc != 2)
        bench_fail("usage: opens DIR");
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        measure(argv[1], depths[i]);
    return 0;
}
