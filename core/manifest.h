/* SPDX-License-Identifier: MIT */
/* What the manifests of tool sets want that has to be known before their tools are loaded. */
#ifndef CROFT_MANIFEST_H
#define CROFT_MANIFEST_H

#include "sandbox.h"

struct manifest {
    struct bytes text; /* its lines, cut into fields by NUL */
    struct manifest_entry {
        const char *place, *name; /* in `text`; the place is a file and its line */
        uint64_t limit;
        bool is_limit, is_gate; /* else it is a read-only name; `name` of a gate is "" */
    } * entries;
    size_t count;
};

/* Reads those among the sources, in an interpreter of its own. What is wrong with one is found again when
 * the tools are loaded; here it says nothing. CROFT_STOPPED when one took more than it may: it is the culprit
 * of the problems. */
croft_status manifest_read(const struct sandbox_options *options, struct manifest *manifest,
                           croft_error *err);
void manifest_free(struct manifest *manifest);

#endif
