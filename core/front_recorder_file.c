/* SPDX-License-Identifier: MIT */
#include "front_recorder_file.h"

#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host_append.h"

const char *recorder_file_lock(int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return "another program records to it";
    return NULL;
}

const char *recorder_file_append(int fd, const char *line, size_t size)
{
    struct stat before;
    bool is_regular = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);

    while (size > 0) {
        size_t written;

        if (!host_append(fd, line, size, &written) && written == 0) {
            const char *reason = host_append_reason(errno);

            if (is_regular && ftruncate(fd, before.st_size) != 0)
                return "the last line is not whole";
            return reason;
        }
        line += written;
        size -= written;
    }
    return NULL;
}

const char *recorder_file_begin(int fd, const char *line, size_t size)
{
    struct stat file;
    const char *reason = NULL;

    if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_size > 0)
        reason = recorder_file_append(fd, "\n", 1);
    return reason == NULL ? recorder_file_append(fd, line, size) : reason;
}
