/* SPDX-License-Identifier: MIT */
/* floor_scan tree DIR: opens, reads and closes every file below DIR, and looks at none of it.
 * floor_scan page FILE LINE COUNT: so many lines of FILE from LINE on, found by counting line ends. */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lines.h"
#include "rounds.h"

enum { WINDOW = 256 * 1024 };

static char window[WINDOW];

struct totals {
    uint64_t files, bytes;
};

static void read_all(int dir, const char *name, struct totals *totals)
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t count;

    while ((count = read(fd, window, sizeof window)) > 0)
        totals->bytes += (uint64_t)count;
    if (fd >= 0)
        close(fd);
    totals->files++;
}

static void scan(int parent, const char *name, struct totals *totals)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;

    if (dir == NULL)
        bench_fail(name);
    while ((entry = readdir(dir)) != NULL) {
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;

        if (entry->d_type == DT_DIR && !is_dots)
            scan(fd, entry->d_name, totals);
        else if (entry->d_type == DT_REG)
            read_all(fd, entry->d_name, totals);
    }
    closedir(dir);
}

/* Writes `count` lines from the current offset of `fd` on. */
static void show(int fd, uint64_t count)
{
    FILE *file = fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;

    for (uint64_t i = 0; i < count && getline(&line, &room, file) > 0; i++)
        fputs(line, stdout);
    free(line);
    fclose(file);
}

static void show_page(const char *path, uint64_t line, uint64_t count)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t left = line - 1;
    ssize_t size;

    while (left > 0 && (size = read(fd, window, sizeof window)) > 0) {
        uint64_t ends = lines_count(window, (size_t)size);
        size_t at = 0;

        if (ends < left) {
            left -= ends;
            continue;
        }
        for (; left > 0; left--)
            at = lines_end(window, (size_t)size, at) + 1;
        if (lseek(fd, (off_t)at - size, SEEK_CUR) < 0)
            bench_fail(path);
    }
    show(fd, count);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};

    if (argc == 3 && strcmp(argv[1], "tree") == 0) {
        scan(AT_FDCWD, argv[2], &totals);
        printf("%llu files, %llu bytes\n", (unsigned long long)totals.files,
               (unsigned long long)totals.bytes);
    } else if (argc == 5 && strcmp(argv[1], "page") == 0) {
        show_page(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10));
    } else {
        bench_fail("usage: floor_scan tree DIR | page FILE LINE COUNT");
    }
    return 0;
}
