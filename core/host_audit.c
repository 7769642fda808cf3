/* SPDX-License-Identifier: MIT */
#include "host_audit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host_record.h"

enum { TRACE_BYTES = 1024 * 1024, DEPTH = 4096 };

void host_audit_init(struct host_audit *audit)
{
    memset(audit, 0, sizeof *audit);
    audit->fd = -1;
    (void)pthread_mutex_init(&audit->lock, NULL);
}

void host_audit_free(struct host_audit *audit)
{
    if (audit->fd >= 0)
        close(audit->fd);
    audit->fd = -1;
    bytes_free(&audit->line);
    bytes_free(&audit->trace);
    (void)pthread_mutex_destroy(&audit->lock);
}

/* ---- opening ----------------------------------------------------------------------------------- */

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

static const char *reason_of(int number)
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
    case ENOSPC: return "its disk is full";
    default: return "it cannot be opened";
    }
}

const char *host_audit_open(struct host_audit *audit, const char *path, const struct stat *root)
{
    const char *reason;

    if (lies_below(open_directory_of(path), root))
        return "it lies in ROOT, where tools could change it";
    tzset(); /* reads a file: now, as the wall may refuse it later */
    audit->fd = open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600);
    if (audit->fd < 0)
        return reason_of(errno);
    reason = check_kind(audit->fd);
    if (reason == NULL)
        return NULL;
    close(audit->fd);
    audit->fd = -1;
    return reason;
}

/* ---- records ----------------------------------------------------------------------------------- */

/* A line that a full disk cut short is ended by the next one. */
static bool append(struct host_audit *audit)
{
    const struct bytes *line = &audit->line;
    ssize_t count;

    do
        count = write(audit->fd, line->data, line->size);
    while (count < 0 && errno == EINTR);
    if (count == (ssize_t)line->size)
        audit->is_torn = false;
    else if (count > 0)
        audit->is_torn = true;
    return count == (ssize_t)line->size;
}

static bool tell(struct host_audit *audit, const croft_record *record)
{
    bytes_clear(&audit->line);
    if (audit->is_torn)
        bytes_add_char(&audit->line, '\n');
    host_record_add(&audit->line, record);
    if (audit->line.failed)
        return false;
    if (audit->keeps && audit->trace.size < TRACE_BYTES)
        bytes_add(&audit->trace, audit->line.data, audit->line.size);
    return audit->fd < 0 || append(audit);
}

bool host_audit_tell(void *user, const croft_record *record)
{
    struct host_audit *audit = user;
    bool good;

    (void)pthread_mutex_lock(&audit->lock);
    good = tell(audit, record);
    if (audit->line.failed)
        bytes_free(&audit->line);
    (void)pthread_mutex_unlock(&audit->lock);
    return good;
}
