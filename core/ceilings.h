/* SPDX-License-Identifier: MIT */
/* Not limits.h: the compiler's own header of that name would find it. */
/* Every ceiling, declared once (S0-24). A host changes one with croft_session_options.limits, a person
 * with --limit NAME=VALUE; tools see them as ctx.limits. */
#ifndef CROFT_CEILINGS_H
#define CROFT_CEILINGS_H

#include <stdbool.h>
#include <stdint.h>

#define KIB 1024
#define MIB (1024 * 1024)

/*     name              default      smallest      greatest                 unit and meaning */
#define CROFT_LIMITS(X)                                                                            \
    X(steps, 50000000, 10000, UINT64_MAX / 2)        /* of Lua and of primitives, a call */        \
    X(time, 10000, 10, 24 * 3600 * 1000)             /* milliseconds a call */                     \
    X(heap, 16 * MIB, 2 * MIB, UINT64_C(4096) * MIB) /* bytes an interpreter */                    \
    X(calls, 4, 1, 64)                               /* at once in a session */                    \
    X(result_bytes, 32 * KIB, 4 * KIB, 8 * MIB)      /* any result, with its last line */          \
    X(write_bytes, MIB, 1, 1024 * MIB)               /* a file that is written */                  \
    X(edit_bytes, 4 * MIB, 1, 1024 * MIB)            /* a file that is edited */                   \
    X(list_entries, 1000, 1, 10000000)                                                             \
    X(grep_matches, 200, 1, 10000000)                 /* matching lines */                         \
    X(grep_file_bytes, 4 * MIB, 1, UINT64_C(1) << 40) /* larger files are skipped */               \
    X(threads, 0, 0, 8)       /* of one search; 0: one for each processor, up to 8 */              \
    X(walk_depth, 64, 1, 100) /* directories below the start */                                    \
    X(handles, 64, 2, 1000)   /* that a session holds, with a file each */                         \
    X(staged_bytes, 16 * MIB, 1, 1024 * MIB) /* of staged content that is not on disk */

struct limits {
#define X(name, value, low, high) uint64_t name;
    CROFT_LIMITS(X)
#undef X
};

struct limit_row {
    const char *name;
    uint64_t value, low, high;
};

/* The table above; ended by a row whose name is NULL. */
extern const struct limit_row limit_rows[];

void limits_init(struct limits *limits);

/* The field called `name`, or NULL. */
uint64_t *limits_field(struct limits *limits, const char *name);

/* What no host can change. */
enum {
    PATH_BYTES = 4095,       /* an argument that names a path */
    NAME_BYTES = 255,        /* one component */
    WALK_HOPS = 40,          /* links in one resolution: the kernel's own number */
    WALK_STEPS = 4096,       /* components in one resolution */
    WALK_HELD = 128,         /* directories held at once */
    WALK_PENDING = 32 * KIB, /* bytes of components still to come */
    PATTERN_BYTES = 4096,
    JSON_DEPTH = 128,
    MESSAGE_BYTES = 8 * MIB, /* one line of JSON-RPC */
    SOURCE_BYTES = 256 * KIB /* one Lua file */
};

#endif
