/* SPDX-License-Identifier: MIT */
/* views DIR: what a read costs in a view of 1 000 mounts and 2 000 masks, beside the same read of one root. DIR
 * is empty. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "croft.h"
#include "rounds.h"

enum { MOUNTS = 1000, MASKS = 2 * MOUNTS, STRIDE = 7 };

/* "DIR/trees/7/f" of "DIR", "/trees/", 7, "/f"; without the number where it is negative. */
static char *name_of(const char *root, const char *middle, int number, const char *tail)
{
    char *name;
    int size = number < 0 ? asprintf(&name, "%s%s%s", root, middle, tail)
                          : asprintf(&name, "%s%s%d%s", root, middle, number, tail);

    if (size < 0)
        bench_fail("memory");
    return name;
}

static void make_directory(char *path)
{
    if (mkdir(path, 0755) != 0)
        bench_fail(path);
    free(path);
}

static void make_file(char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs("one line\n", file) < 0 || fclose(file) != 0)
        bench_fail(path);
    free(path);
}

static void make_trees(const char *root)
{
    make_directory(name_of(root, "/root", -1, ""));
    make_directory(name_of(root, "/root/d", -1, ""));
    make_file(name_of(root, "/root/d/f", -1, ""));
    make_directory(name_of(root, "/trees", -1, ""));
    for (int i = 0; i < MOUNTS; i++) {
        make_directory(name_of(root, "/trees/", i, ""));
        make_directory(name_of(root, "/trees/", i, "/d"));
        make_file(name_of(root, "/trees/", i, "/d/f"));
    }
}

/* ---- sessions ---------------------------------------------------------------------------------- */

static croft_session *open_session(const char *path, const croft_view_options *options)
{
    croft_session *session;
    croft_view *view;
    croft_error err;

    if (croft_view_open(path, options, &view, &err) != CROFT_OK ||
        croft_session_open(view, NULL, &session, &err) != CROFT_OK)
        bench_fail(err.message);
    croft_view_close(view);
    return session;
}

static croft_session *open_many(const char *root)
{
    static croft_mount mounts[MOUNTS];
    static const char *hide[MASKS];
    croft_view_options options;

    for (int i = 0; i < MOUNTS; i++) {
        mounts[i] = (croft_mount){name_of("", "m", i, ""), name_of(root, "/trees/", i, ""), true};
        hide[2 * i] = name_of(root, "/trees/", i, "/secret");
        hide[2 * i + 1] = name_of(root, "/trees/", i, "/d/secret");
    }
    croft_view_options_init(&options);
    options.mounts = mounts;
    options.mount_count = MOUNTS;
    options.hide = hide;
    options.hide_count = MASKS;
    return open_session(name_of(root, "/root", -1, ""),
                        &options); /* what it points to is left to the end */
}

/* ---- reads ------------------------------------------------------------------------------------- */

struct reading {
    croft_session *session;
    const char *before, *after; /* the path; between them the number of a tree, or nothing */
    int number, stride;         /* -1: nothing */
};

static void run_reads(void *user, size_t times)
{
    struct reading *reading = user;
    croft_result result;
    char args[64], number[16] = "";

    for (size_t i = 0; i < times; i++) {
        int size;

        if (reading->number >= 0)
            snprintf(number, sizeof number, "%d", reading->number);
        size = snprintf(args, sizeof args, "{\"path\":\"%s%s%s\"}", reading->before, number,
                        reading->after);
        if (reading->number >= 0)
            reading->number = (reading->number + reading->stride) % MOUNTS;
        if (croft_call(reading->session, "read", args, (size_t)size, NULL, &result) != CROFT_OK ||
            result.is_error)
            bench_fail("a read failed");
        croft_result_free(&result);
    }
}

static void compare(const char *title, struct reading one, struct reading many)
{
    const struct rival rivals[] = {
        {"croft, one root", run_reads, &one},
        {"croft, 1000 mounts and 2000 masks", run_reads, &many},
    };

    rounds_run(title, rivals, 2, 2000);
}

int main(int argc, char **argv)
{
    croft_session *many, *root, *trees;

    if (argc != 2)
        bench_fail("usage: views DIR");
    make_trees(argv[1]);
    many = open_many(argv[1]);
    root = open_session(name_of(argv[1], "/root", -1, ""), NULL);
    trees = open_session(name_of(argv[1], "/trees", -1, ""), NULL);
    compare("a read in the root", (struct reading){root, "d/f", "", -1, 0},
            (struct reading){many, "d/f", "", -1, 0});
    compare("a read in a mount", (struct reading){trees, "", "/d/f", 7, 0},
            (struct reading){many, "m", "/d/f", 7, 0});
    compare("a read in each mount in turn", (struct reading){trees, "", "/d/f", 0, STRIDE},
            (struct reading){many, "m", "/d/f", 0, STRIDE});
    croft_session_close(many);
    croft_session_close(root);
    croft_session_close(trees);
    return 0;
}
