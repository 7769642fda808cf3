/* SPDX-License-Identifier: MIT */
/*
 * Globs: `*` and `?` stay in one level, `**` as a whole component crosses levels (none included),
 * `[a-z]` and `[!a-z]` (or `[^a-z]`), `{a,b}` (nested), `\` takes the next character as it is. Case
 * counts; a leading dot is nothing special. In detail:
 *
 * - `?` and `[ ]` take one character of UTF-8, or one byte that is none.
 * - `{a,b}` means that both patterns were given; written out they are at most 64, with 16384
 *   characters and ranges in all. An empty alternative is fine (`a{,.bak}`).
 * - A pattern without `/` is matched against the base name at any depth, one with it against the
 *   whole path. A leading `./` or `/` is dropped, and a pattern that had the leading `/` is matched
 *   against the whole path. A trailing `/` fits directories only, and is no `/` in this sense.
 * - A `**` at the end takes one level at least: below `a`, not `a` itself. Where two or more `*`
 *   are not the whole of a component, they mean one.
 * - In `[ ]` a `]` that comes first, and a `-` that comes first or last, stand for themselves;
 *   `[:alpha:]` and a `/` do not parse. Nor does a component `..`, a lone `}`, or a pattern that
 *   names nothing ("", "./"). `,` outside of braces is a character like others.
 */
#ifndef CROFT_GLOB_H
#define CROFT_GLOB_H

#include <stdbool.h>
#include <stddef.h>

struct glob;

struct glob_fault {
    const char *reason; /* "a \"[\" is not closed": a constant */
    size_t at;          /* character in the pattern, counted from 1 */
};

/* NULL when it does not parse (fault filled) or memory is out (reason NULL). Up to 4096 bytes. */
struct glob *glob_new(const char *pattern, size_t size, struct glob_fault *fault);
void glob_free(struct glob *glob); /* NULL is fine */

/* `path` is relative, without `/` at its end; "" fits nothing. Time is bounded by size of the
 * pattern with its braces written out x size of path. Any number of threads may ask. */
bool glob_fits(const struct glob *glob, const char *path, size_t size, bool is_directory);

/* Whether the pattern asks for more than one level: it has a `**`, also `**.md`, or a `/`
 * inside. */
bool glob_crosses(const struct glob *glob);

/* Whether something below the directory `path` ("" is the start) can fit: false lets a walk
 * leave it out. May say true where nothing does. */
bool glob_may_fit_below(const struct glob *glob, const char *path, size_t size);

#endif
