/* SPDX-License-Identifier: MIT */
/*
 * The rules for an argument that names a path (paths.md 3.1): a pure function, no system calls.
 * What survives has no empty component, no ".", no ".." and no "/" inside a component.
 */
#ifndef CROFT_PATH_H
#define CROFT_PATH_H

#include "ceilings.h"
#include "error.h"

struct component {
    uint16_t from, size; /* in struct path's text */
};

struct path {
    char text[PATH_BYTES +
              1]; /* the cleaned path, components joined by one "/", ended by NUL; "" is the root */
    size_t size;
    struct component parts[PATH_BYTES / 2 + 2];
    size_t count;
    bool must_be_directory; /* it was spelled with "/", "/." or ".." at its end, or as "." */
};

/*
 * Cleans the argument `text`. Fails with CROFT_OUTSIDE (detail "absolute", "drive" or "climbs"), or
 * CROFT_BAD_ARGUMENT (detail "empty", "nul", "utf8", "long": the whole or, with `at`, a component).
 */
croft_status path_parse(const char *text, size_t size, struct path *path, croft_error *err);

/* Whether an argument that begins so names a drive, as "C:/" does; a directory of that name is sent as "./C:". */
bool path_names_drive(const char *text, size_t size);

/* The same for a path that a listing gave: it need not be UTF-8, and names no drive. */
croft_status path_parse_raw(const char *text, size_t size, struct path *path, croft_error *err);

/* Of a failure about what the whole path leads to: its last component is at fault. Returns `status`. (What is
 * protected is told by another way: err->at says which.) */
croft_status path_blame_last(const struct path *path, croft_status status, croft_error *err);

/* Names for temporary files: hidden in every listing, refused as a target of writes. */
#define RESERVED_PREFIX ".~croft-"
bool name_is_reserved(const char *name, size_t size);

/*
 * Writes the folded form of a name: what a file system that is careless about case, trailing dots,
 * streams, invisible characters or 8.3 names may take it for. `out` has NAME_BYTES + 1 bytes.
 */
void name_fold(const char *name, size_t size, char *out);

/* Whether folded `name` stands for the protected name `wanted` (its 8.3 form included). */
bool name_stands_for(const char *name, size_t size, const char *wanted);

#endif
