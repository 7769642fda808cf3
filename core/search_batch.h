/* SPDX-License-Identifier: MIT */
/* A few files of a walk, to be searched by whoever is free. Private to core/search*.c. */
#ifndef CROFT_SEARCH_BATCH_H
#define CROFT_SEARCH_BATCH_H

#include "mounts.h"
#include "search_parts.h"

enum {
    BATCH_FILES = 32,
    BATCH_DIRS = 8,
    BATCH_ENTRIES = 512 /* of the walk, so that one without files to search is not endless */
};

/* What the walk had met when it came to a file. */
struct seen {
    uint64_t files, untold; /* regular files; entries whose type cannot be told */
    uint64_t unreadable, deep, other_mounts, excluded;
    size_t excluded_size; /* of the names */
};

/* Where batches come from. One thread at a time. */
struct batch_source {
    const struct search_options *options;
    struct tree *tree;
    struct search_result *total; /* the walk writes its notes there */
    struct seen seen;
    bool waits; /* `entry` was taken from the walk, and belongs to the next batch */
    struct tree_entry entry;
    bool over; /* nothing comes any more: the end, or `status` */
    croft_status status;
    croft_error err;
};

struct batch_file {
    size_t path, name; /* in names, ended by NUL */
    unsigned dir;
    struct seen seen;
};

struct batch_dir {
    int fd; /* a copy of the walk's descriptor; -1: it could not be copied */
    const struct root *root;
    struct mount *mount; /* held for as long, or NULL */
};

struct batch {
    struct bytes names;
    struct batch_file files[BATCH_FILES];
    struct batch_dir dirs[BATCH_DIRS];
    unsigned count, dir_count;
    uint64_t steps; /* of the budget, before */
    struct budget budget;
    struct search_result part; /* what was found */
    unsigned stopped_at;       /* the file at which the search ended, if it did */
    bool done;                 /* as searcher.done, or the time is short */
    bool ready;                /* it was searched */
    croft_status status;
};

void batch_source_begin(struct batch_source *source, struct tree *tree,
                        const struct search_options *options, struct search_result *total);

/* Puts into the result what the walk met. */
void batch_source_end(struct batch_source *source);

/* Takes the next files from the walk, `most` of them (at least 1, at most BATCH_FILES); none are left when
 * source->over. */
void batch_cut(struct batch *batch, struct batch_source *source, unsigned most);

/* Searches them into searcher->result, which is made empty if it is the batch's part. */
void batch_run(struct batch *batch, struct searcher *searcher);

/* The search ends where `batch` stopped: what the walk met behind it was not met. */
void batch_forget_later(struct batch_source *source, const struct batch *batch);

void batch_close(struct batch *batch); /* it may be cut again */
void batch_free(struct batch *batch);

/* Adds a part to the whole. False, and nothing changes: a ceiling may lie in it, search it again. */
bool part_add(struct search_result *total, const struct search_result *part,
              const struct search_options *options);

#endif
