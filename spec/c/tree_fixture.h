/* SPDX-License-Identifier: MIT */
/* A throw-away workspace for C tests: a base directory with ws/ (the root) and outside/. */
#ifndef CROFT_TREE_FIXTURE_H
#define CROFT_TREE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pins.h"
#include "root.h"

static char fixture_base[64];
static const char *fixture_disk =
    "/tmp"; /* where it is made; "/dev/shm" for a test that writes much */

static const struct sys *fixture_sys = &sys_kernel; /* what fixture_root opens by */

#ifdef CROFT_BUG /* spec/negative wants to see that the test fails */
#include "bugs.h"

static struct sys fixture_bugged;

static inline void fixture_add_bug(void)
{
    fixture_bugged = *fixture_sys;
    CROFT_BUG(&fixture_bugged);
    bug_root_is_open = false;
    fixture_sys = &fixture_bugged;
}
#endif

/* Whether a shell line, run in the base directory, succeeds. */
static inline bool fixture_says(const char *line)
{
    char command[4096];

    snprintf(command, sizeof command, "cd '%s' && %s", fixture_base, line);
    return system(command) == 0;
}

/* Runs one that has to. */
static inline void fixture_run(const char *line)
{
    if (fixture_says(line))
        return;
    fprintf(stderr, "set-up failed: %s\n", line);
    abort();
}

/* Makes a fresh workspace and runs `lines` in it. */
static inline void fixture_make(const char *lines)
{
    if (access(fixture_disk, W_OK) != 0)
        fixture_disk = "/tmp";
    snprintf(fixture_base, sizeof fixture_base, "%s/croft-test.XXXXXX", fixture_disk);
    if (mkdtemp(fixture_base) == NULL)
        abort();
    fixture_run("mkdir ws outside && echo TOPSECRET > outside/secret.txt");
    fixture_run(lines);
}

static inline void fixture_remove(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", fixture_base);
    if (system(command) != 0)
        fprintf(stderr, "could not remove %s\n", fixture_base);
}

/* Opens ws/ with the usual read-only names. */
static inline struct root *fixture_root(croft_resolver resolver)
{
    static const char *const names[] = {"skills", "docs", "templates", "context"};
    croft_view_options options = {.size = sizeof options,
                                  .resolver = resolver,
                                  .no_fsync = true,
                                  .read_only_names = names,
                                  .read_only_count = 4};
    char path[128];
    struct root *root = NULL;
    croft_error err;

#ifdef CROFT_BUG
    fixture_add_bug();
#endif
    snprintf(path, sizeof path, "%s/ws", fixture_base);
    if (root_open(path, &options, fixture_sys, &root, &err) != CROFT_OK ||
        pins_hold(root, &options, &err) != CROFT_OK) {
        fprintf(stderr, "no root: %s\n", err.message);
        abort();
    }
#ifdef CROFT_BUG
    bug_root_is_open = true;
#endif
    return root;
}

#endif
