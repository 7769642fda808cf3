/* SPDX-License-Identifier: MIT */
#include "blank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "empty"
#define DIRECTORY_NAME "nothing"

static croft_status fail_blank(croft_error *err, croft_status kind, int number, const char *what)
{
    return fail_format(err, kind, number, "what masks put in the place of files %s", what);
}

/* The directory above, and the name in it. */
static const char *choose(char *name, size_t size)
{
    const char *above = getenv("XDG_RUNTIME_DIR"); /* as in root.c: while a view is made */

    (void)snprintf(name, size, "croft");
    if (geteuid() == 0)
        return "/run";
    if (above != NULL && above[0] == '/')
        return above;
    (void)snprintf(name, size, "croft-%u", (unsigned)geteuid());
    return "/tmp";
}

/* Ours, and nobody else can write to it. */
static croft_status check_owner(const struct sys *sys, int fd, mode_t type, croft_error *err)
{
    struct node node;

    if (sys->node(fd, &node) != 0)
        return fail_blank(err, CROFT_IO, errno, "cannot be examined");
    if ((node.mode & S_IFMT) != type || node.uid != geteuid() || (node.mode & 022) != 0)
        return fail_blank(err, CROFT_OWNER, 0, "could be changed by somebody else");
    if (type == S_IFREG && node.size != 0)
        return fail_blank(err, CROFT_OWNER, 0, "is not empty");
    return CROFT_OK;
}

/* Makes the directory `name` in `dir`, or opens the one that is there. */
static croft_status enter(const struct sys *sys, int dir, const char *name, mode_t mode, int *out,
                          croft_error *err)
{
    int fd;

    if (sys->mkdir(dir, name, mode) != 0 && errno != EEXIST && errno != EACCES && errno != EROFS)
        return fail_blank(err, CROFT_IO, errno, "cannot be made");
    fd = sys->openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0)
        return fail_blank(err, CROFT_IO, errno, "cannot be opened");
    *out = fd;
    return check_owner(sys, fd, S_IFDIR, err);
}

static croft_status find_file(const struct sys *sys, int dir, croft_error *err)
{
    croft_status status;
    int made = sys->openat(dir, FILE_NAME, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0444);
    int fd = sys->openat(dir, FILE_NAME, O_PATH | O_NOFOLLOW, 0);

    if (made >= 0)
        sys->close(made);
    if (fd < 0)
        return fail_blank(err, CROFT_IO, errno, "cannot be made");
    status = check_owner(sys, fd, S_IFREG, err);
    sys->close(fd);
    return status;
}

static croft_status find_in(const struct sys *sys, int above, const char *name, croft_error *err)
{
    int dir = -1, inner = -1;
    croft_status status = enter(sys, above, name, 0755, &dir, err);

    if (status == CROFT_OK)
        status = find_file(sys, dir, err);
    if (status == CROFT_OK)
        status = enter(sys, dir, DIRECTORY_NAME, 0555, &inner, err);
    if (inner >= 0)
        sys->close(inner);
    if (dir >= 0)
        sys->close(dir);
    return status;
}

/* Which one it is: it lies in no view. */
static croft_status name_it(const struct blank *blank, croft_status status, croft_error *err)
{
    char message[sizeof err->message];

    if (status == CROFT_OK || err == NULL)
        return status;
    strcpy(message, err->message);
    return fail_format(err, status, err->sys_errno, "\"%.300s\": %.500s", blank->base, message);
}

croft_status blank_find(const struct sys *sys, struct blank *blank, croft_error *err)
{
    char name[32], real[PATH_BYTES / 2 - 64];
    const char *above = choose(name, sizeof name);
    int fd = sys->open_root(above);
    croft_status status;

    (void)snprintf(blank->base, sizeof blank->base, "%.*s", (int)sizeof blank->base - 1, above);
    if (fd < 0 || sys->real(above, real, sizeof real) != 0) {
        if (fd >= 0)
            sys->close(fd);
        return name_it(blank, fail_blank(err, CROFT_IO, errno, "has no directory to lie in"), err);
    }
    (void)snprintf(blank->base, sizeof blank->base, "%s/%s", real, name);
    (void)snprintf(blank->file, sizeof blank->file, "%s/" FILE_NAME, blank->base);
    (void)snprintf(blank->directory, sizeof blank->directory, "%s/" DIRECTORY_NAME, blank->base);
    status = name_it(blank, find_in(sys, fd, name, err), err);
    sys->close(fd);
    return status;
}
