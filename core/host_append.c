/* SPDX-License-Identifier: MIT */
#include "host_append.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH = 4096 };

/* Opens the directory in which `path` lies; -1. */
static int open_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char directory[PATH_MAX];

    if (size >= sizeof directory)
        return -1;
    memcpy(directory, path, size);
    directory[size] = '\0';
    return open(size == 0 ? "." : directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether the directory `fd`, which is closed, is `root` or lies below it. */
static bool lies_below(int fd, const struct stat *root)
{
    struct stat now = {0}, last = {0};
    bool is_below = false;

    for (int depth = 0; fd >= 0 && depth < DEPTH && !is_below; depth++) {
        int parent;

        if (fstat(fd, &now) != 0 || (depth > 0 && is_same(&now, &last)))
            break;
        is_below = is_same(&now, root);
        last = now;
        parent = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(fd);
        fd = parent;
    }
    if (fd >= 0)
        close(fd);
    return is_below;
}

static const char *check_kind(int fd)
{
    struct stat file;

    if (fstat(fd, &file) != 0)
        return "it cannot be looked at";
    if (S_ISFIFO(file.st_mode))
        return "it is a FIFO";
    return S_ISREG(file.st_mode) || S_ISCHR(file.st_mode) ? NULL : "it is not a regular file";
}

const char *host_append_reason(int number)
{
    switch (number) {
    case ELOOP: return "it is a link";
    case EISDIR: return "it is a directory";
    case ENXIO: return "it is a FIFO or a socket"; /* that nobody reads */
    case ENOENT:
    case ENOTDIR: return "its directory does not exist";
    case EACCES:
    case EPERM: return "there is no permission";
    case EROFS: return "its file system is read-only";
    case ENOSPC:
    case EDQUOT: return "its disk is full";
    case EFBIG: return "it may not be larger";
    default: return "it cannot be used";
    }
}

const char *host_append_open(const char *path, const struct stat *root, int *fd)
{
    const char *reason;

    *fd = -1;
    if (lies_below(open_directory_of(path), root))
        return "it lies in ROOT, where tools could change it";
    *fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK,
               0600);
    if (*fd < 0)
        return host_append_reason(errno);
    reason = check_kind(*fd);
    if (reason == NULL)
        return NULL;
    close(*fd);
    *fd = -1;
    return reason;
}

bool host_append(int fd, const char *line, size_t size, size_t *written)
{
    ssize_t count;

    do
        count = write(fd, line, size);
    while (count < 0 && errno == EINTR);
    *written = count > 0 ? (size_t)count : 0;
    return *written == size;
}
