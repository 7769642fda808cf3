/* SPDX-License-Identifier: MIT */
#include "search.h"

#include "breach.h"
#include "search_crew.h"

#include <errno.h>
#include <string.h>

/* Before other threads are called: many a search is over by then. */
enum { FILES_ALONE = 48, BYTES_ALONE = 1 * MIB };

/* ---- a tree ---- */

/* Searches an entry of the walk. False: the search ends. */
static bool visit(struct searcher *searcher, const struct tree_entry *entry)
{
    const struct glob *only = searcher->options->only;

    if (entry->type == 0) /* it cannot be told: whatever it is, it is not searched */
        searcher->result->unreadable++;
    if (entry->type != S_IFREG)
        return true;
    searcher->result->files_seen++;
    if (only != NULL && !glob_fits(only, entry->path, entry->path_size, false))
        return true;
    if (budget_is_short(searcher->budget)) {
        searcher->result->end = SEARCH_TIME;
        return false;
    }
    searcher_visit(searcher, entry->root, entry->dir, entry->name, entry->path);
    return !searcher->done && searcher->status == CROFT_OK;
}

static bool needs_help(const struct searcher *searcher)
{
    return searcher->result->files_seen >= FILES_ALONE || searcher->bytes_read >= BYTES_ALONE;
}

static croft_status search_all(struct searcher *searcher, struct tree *tree,
                               struct search_options *options, croft_error *err)
{
    unsigned threads = crew_size(options);
    croft_status status = CROFT_OK;
    struct tree_entry entry;
    bool more = true;

    while (status == CROFT_OK && more) {
        if (threads > 1 && needs_help(searcher))
            return crew_search(searcher, tree, options, threads, err);
        status = tree_next(tree, &entry, &more, err);
        if (status == CROFT_OK && more)
            more = visit(searcher, &entry);
    }
    return status;
}

/* ---- both ---- */

static croft_status open_searcher(struct searcher *searcher, croft_error *err)
{
    memset(searcher->result, 0, sizeof *searcher->result);
    searcher->budget = searcher->options->tree.budget;
    if (!searcher_open(searcher))
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return CROFT_OK;
}

/* The status that the search ends with. */
static croft_status verdict(const struct searcher *searcher, const struct budget *budget,
                            croft_error *err)
{
    if (budget->breach != BREACH_NONE)
        return fail_breach(budget, err);
    if (searcher->status != CROFT_OK)
        return fail(err, searcher->status, ENOMEM, "out of memory");
    return CROFT_OK;
}

croft_status search_tree(const struct root *root, int fd, const struct search_options *options,
                         struct search_result *result, croft_error *err)
{
    struct search_options own = *options;
    struct searcher searcher = {.root = root, .options = &own, .result = result};
    croft_status status = open_searcher(&searcher, err);
    struct tree *tree = NULL;

    if (status == CROFT_OK)
        status = tree_new(root, fd, &own.tree, &result->notes, &tree, err);
    if (status == CROFT_OK)
        status = search_all(&searcher, tree, &own, err);
    if (status == CROFT_OK)
        status = verdict(&searcher, options->tree.budget, err);
    if (result->notes.stopped)
        result->end = SEARCH_TIME;
    result->notes.other_mounts += result->mounts;
    tree_free(tree);
    searcher_close(&searcher);
    return status;
}

croft_status search_file(const struct root *root, int fd, const struct node *node, const char *path,
                         const struct search_options *options, struct search_result *result,
                         croft_error *err)
{
    struct searcher searcher = {
        .root = root, .options = options, .result = result, .counts_lines = true};
    croft_status status = open_searcher(&searcher, err);

    result->files_seen = 1;
    if (status == CROFT_OK) {
        searcher_take_path(&searcher, "", path);
        if (searcher.status == CROFT_OK)
            searcher_read(&searcher, fd, node);
        status = verdict(&searcher, options->tree.budget, err);
    }
    if (status == CROFT_OK && result->large > 0)
        status = fail(err, CROFT_TOO_LARGE, 0, "it is larger than the ceiling");
    if (status == CROFT_OK && result->unreadable > 0)
        status = fail(err, CROFT_IO, EIO, "it cannot be read");
    searcher_close(&searcher);
    return status;
}

void search_result_free(struct search_result *result)
{
    bytes_free(&result->text);
}
