/* SPDX-License-Identifier: MIT */
/* Lines that match, below a directory or in one file: the engine of grep. */
#ifndef CROFT_SEARCH_H
#define CROFT_SEARCH_H

#include "bytes.h"
#include "regex.h"
#include "tree.h"

enum { SEARCH_THREADS = 8 };

enum search_output { SEARCH_LINES, SEARCH_FILES, SEARCH_COUNT };

struct search_options {
    const struct regex *regex;
    enum search_output output;
    uint64_t context; /* lines before and after (SEARCH_LINES) */
    uint64_t
        match_ceiling;     /* matching lines (SEARCH_LINES) or files (SEARCH_FILES, SEARCH_COUNT) */
    uint64_t byte_ceiling; /* of the text */
    uint64_t file_ceiling; /* larger files are skipped */
    const struct glob *only;  /* files that do not fit are not searched (may be NULL) */
    struct tree_options tree; /* exclude, depth_ceiling, budget */
    bool as_json; /* SEARCH_LINES: each row is {"path":,"line":,"text":}, and no context is shown */
    unsigned threads;   /* that search at most; 0: one for each processor, up to SEARCH_THREADS */
    const char *prefix; /* put before each path of the result but those in notes: "" or "src/" */
};

enum search_end { SEARCH_COMPLETE, SEARCH_MATCH_CEILING, SEARCH_BYTE_CEILING, SEARCH_TIME };

struct search_result {
    /* Lines without the last newline: `path:12|text`, context `path:11-text`, groups that do not touch
     * parted by a line `--`; SEARCH_FILES: `path`; SEARCH_COUNT: `path: 3`. */
    struct bytes text;
    uint64_t matches; /* matching lines shown or counted; SEARCH_FILES: files */
    uint64_t files_matched;
    uint64_t files_searched;            /* to their end or to the ceiling */
    uint64_t files_seen;                /* regular files met, before the glob */
    uint64_t lines_searched;            /* of a single file */
    uint64_t binary, large, unreadable; /* skipped */
    uint64_t mounts; /* files on other mounts; search_tree counts them in notes.other_mounts too */
    uint64_t unsendable; /* searched and shown escaped: their names are not UTF-8 */
    char first_large[PATH_BYTES + 1], first_binary[PATH_BYTES + 1]; /* with the prefix, raw bytes */
    char first_escaped[PATH_BYTES + 1]; /* the same, of what is shown escaped and has rows */
    struct tree_notes notes;
    enum search_end end;
    bool too_expensive;                       /* on this file and line; the search ended there */
    char expensive_file[PATH_BYTES + 1];      /* with the prefix, raw bytes */
    uint64_t expensive_line, expensive_bytes; /* its number and size */
};

void search_result_free(struct search_result *result);

/*
 * Searches below `fd` (a directory opened for reading, borrowed). After the first files other threads help,
 * which have ended when it returns; the result is that of one thread alone. The budget and its listener
 * are used by the calling thread only.
 */
croft_status search_tree(const struct root *root, int fd, const struct search_options *options,
                         struct search_result *result, croft_error *err);

/* Searches one open regular file shown as `path` (`prefix` and `only` are not looked at).
 * CROFT_TOO_LARGE, or result->binary == 1. */
croft_status search_file(const struct root *root, int fd, const struct node *node, const char *path,
                         const struct search_options *options, struct search_result *result,
                         croft_error *err);

#endif
