/* SPDX-License-Identifier: MIT */
/* A plan under way. Private to core/view_plan.c and core/plan_*.c. */
#ifndef CROFT_PLAN_PARTS_H
#define CROFT_PLAN_PARTS_H

#include "view_plan.h"

enum { WHERE_BYTES = 64 };

struct planning {
    const struct view_config *config;
    const char *tenant;
    const struct sys *sys;
    struct problems *problems;
    struct view_plan *plan;
    bool out_of_memory;
};

/* ---- plan_find.c: the host's paths ---- */

/* "KEY N", counted from 1; `where` has WHERE_BYTES. */
void write_where(char *where, const char *key, size_t index);

/* The path without links of what must exist; NULL after having said what is wrong. */
char *find_tree(struct planning *p, const char *where, const char *path, bool needs_directory,
                bool *is_directory);

/*
 * The path of a name that need not exist: without links in what is above it. *target is where the name
 * leads when it is a link, otherwise NULL. Both are the caller's. False after having said what is wrong.
 */
bool find_name(struct planning *p, const char *where, const char *path, char **name, char **target);

/*
 * Goes the way to `path` link by link, as the kernel would: `step` gets each place on it, which has no link
 * above it, until it says true. Whether it did.
 */
bool walk_way(struct planning *p, const char *path, bool (*step)(void *user, const char *place),
              void *user);

char *join_paths(struct planning *p, const char *above, const char *below);
bool path_exists(struct planning *p, const char *path);

/* ---- plan_check.c: what contradicts itself ---- */

void plan_check(struct planning *p);

#endif
