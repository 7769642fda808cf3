/* SPDX-License-Identifier: MIT */
/*
 * What a call that passed the gate may touch. The verdict was about the paths as they were spelled; here the
 * rules meet what these lead to, and each entry that a walk meets.
 *
 * - A path that the call was asked about was decided. Any other that its tool comes up with meets the rules:
 *   what they would ask for is refused, unless the call names no path, so that the verdict was about whatever
 *   it touches.
 * - Where a path leads elsewhere, by a link, that place meets the rules anew, and asking refuses.
 * - An entry of a walk meets the rules; what the verdict answered is not asked again.
 *
 * What is denied is not there: CROFT_DENIED without a detail. What would be asked for is CROFT_DENIED with
 * the detail "elsewhere"; the message of the error is then the path to send instead.
 */
#ifndef CROFT_PERMIT_H
#define CROFT_PERMIT_H

#include "error.h"
#include "path.h"
#include "policy.h"

struct permit {
    struct policy_call call;
    const struct question *question; /* NULL: nothing may be touched */
    struct answered answered;
    bool allows; /* whatever would be asked for, too: nobody is to be asked */
};

/* Of a path as the tool spells it. */
croft_status permit_check_spelled(const struct permit *permit, const struct path *path,
                                  croft_error *err);

/* Of where it leads, root-relative. */
croft_status permit_check_resolved(const struct permit *permit, const struct path *path,
                                   const char *resolved, size_t size, enum path_kind kind,
                                   croft_error *err);

enum permit_entry {
    ENTRY_SHOWN,
    ENTRY_HIDDEN, /* but what lies below it may be shown */
    ENTRY_CLOSED  /* and all below it */
};

/* Of an entry that a walk meets: `base` is where that began, root-relative. */
enum permit_entry permit_entry(const struct permit *permit, const char *base, const char *path,
                               size_t size, enum path_kind kind);

/* Whether it may be known where a link leads. */
bool permit_tells(const struct permit *permit, const char *resolved, size_t size,
                  bool is_directory);

#endif
