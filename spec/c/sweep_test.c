/* SPDX-License-Identifier: MIT */
/* A write clears away what a croft that was killed left in the directory, and nothing else. */
#include "sweep.h"

#include <fcntl.h>
#include <time.h>

#include "check.h"
#include "inject.h"
#include "replace.h"
#include "tree_fixture.h"

#define LEFTOVER RESERVED_PREFIX "0123456789abcdef0123456789abcdef"
#define ANOTHER RESERVED_PREFIX "0123456789abcdef0123456789abcde0"

static struct root *root;

static void age(const char *name, const char *when)
{
    char line[256];

    snprintf(line, sizeof line, "touch -h -d '%s' 'ws/%s'", when, name);
    fixture_run(line);
}

static void write_into(const char *text)
{
    struct replace_options options = {.limit = 100};
    struct replace_info info;
    struct path path;
    croft_error err;

    CHECK(path_parse(text, strlen(text), &path, &err) == CROFT_OK);
    CHECK(replace_file(root, &path, "x", 1, &options, &info, &err) == CROFT_OK);
}

static bool is_there(const char *name)
{
    char path[256];

    snprintf(path, sizeof path, "%s/ws/d/%s", fixture_base, name);
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Whether a leftover made by `line` in ws/d, which is the only old thing there, survives a write. */
static bool survives(const char *line, const char *name)
{
    char command[512];
    bool there;

    snprintf(command, sizeof command, "rm -rf ws/d && mkdir ws/d && cd ws/d && %s", line);
    fixture_run(command);
    age("d", "2 hours ago");
    fake.old = name;
    write_into("d/t");
    fake.old = NULL;
    there = is_there(name);
    CHECK(is_there("t"));
    return there;
}

/* Root writes the files of others, and gives them their owners before it gives them their names. */
static void takes_what_root_was_to_give_away(void)
{
    CHECK(!survives("touch " LEFTOVER " && chown 1 " LEFTOVER, LEFTOVER));
    fixture_run("rm -rf ws/d && mkdir ws/d && touch ws/d/" LEFTOVER " && chmod 777 ws/d");
    age("d", "2 hours ago");
    fake.old = LEFTOVER;
    CHECK(seteuid(1) == 0); /* who cannot give files away has none of another's */
    write_into("d/t");
    CHECK(seteuid(0) == 0);
    fake.old = NULL;
    CHECK(is_there(LEFTOVER) && is_there("t"));
}

static void takes_leftovers_alone(void)
{
    CHECK(!survives("touch -d '2 hours ago' " LEFTOVER, LEFTOVER));
    CHECK(!survives("touch -d '2 hours ago' " LEFTOVER " && ln " LEFTOVER " kept", LEFTOVER));
    CHECK(is_there("kept"));
    CHECK(survives("mkdir " LEFTOVER, LEFTOVER));
    CHECK(survives("ln -s t " LEFTOVER, LEFTOVER));
    CHECK(survives("mkfifo " LEFTOVER, LEFTOVER));
    CHECK(survives("touch " RESERVED_PREFIX "mine", RESERVED_PREFIX "mine"));
    CHECK(survives("touch " LEFTOVER "0", LEFTOVER "0"));
    CHECK(survives("touch " RESERVED_PREFIX "0123456789ABCDEF0123456789ABCDEF",
                   RESERVED_PREFIX "0123456789ABCDEF0123456789ABCDEF"));
    CHECK(survives("touch " LEFTOVER ".txt", LEFTOVER ".txt"));
    CHECK(survives("touch other", "other"));
    if (geteuid() == 0)
        takes_what_root_was_to_give_away();
}

/* One that was swapped out a moment ago may have been modified long before. */
static void leaves_what_is_young(void)
{
    fixture_run("rm -rf ws/d && mkdir ws/d && touch -d '2 days ago' ws/d/" LEFTOVER);
    age("d", "2 hours ago");
    write_into("d/t");
    CHECK(is_there(LEFTOVER));
}

/* Of a row of writes the first alone looks. */
static void looks_after_a_pause(void)
{
    fixture_run("rm -rf ws/d && mkdir ws/d && touch ws/d/" LEFTOVER);
    fake.old = LEFTOVER;
    write_into("d/t");
    CHECK(is_there(LEFTOVER));
    age("d", "2 minutes ago");
    write_into("d/t");
    CHECK(!is_there(LEFTOVER));
    fixture_run("touch ws/" LEFTOVER);
    age("", "2 minutes ago");
    write_into("at_the_top");
    CHECK(fixture_says("! test -e ws/" LEFTOVER));
    fake.old = NULL;
}

/* A directory of any size costs no more than so many entries. */
static void is_bounded(void)
{
    struct timespec start, stop;
    double seconds;

    fixture_run(
        "rm -rf ws/d && mkdir ws/d && cd ws/d && seq 1 60000 | xargs touch && touch " ANOTHER);
    age("d", "2 hours ago");
    clock_gettime(CLOCK_MONOTONIC, &start);
    write_into("d/t");
    clock_gettime(CLOCK_MONOTONIC, &stop);
    seconds = (double)(stop.tv_sec - start.tv_sec) + (double)(stop.tv_nsec - start.tv_nsec) / 1e9;
    printf("a write with a sweep among 60000 files: %.1f ms\n", seconds * 1000);
    CHECK(seconds < 0.5);
}

int main(void)
{
    inject_init();
    fixture_sys = &fake_sys;
    fixture_disk = "/dev/shm";
    fixture_make("mkdir ws/d");
    root = fixture_root(CROFT_RESOLVER_AUTO);
    takes_leftovers_alone();
    leaves_what_is_young();
    looks_after_a_pause();
    is_bounded();
    root_close(root);
    fixture_remove();
    return check_report("sweep");
}
