/* SPDX-License-Identifier: MIT */
#include "search_batch.h"

#include <string.h>

/* ---- from the walk ---- */

void batch_source_begin(struct batch_source *source, struct tree *tree,
                        const struct search_options *options, struct search_result *total)
{
    *source = (struct batch_source){.options = options, .tree = tree, .total = total};
    source->seen.files = total->files_seen;
}

static void look(struct batch_source *source)
{
    const struct tree_notes *notes = &source->total->notes;
    struct seen *seen = &source->seen;

    seen->unreadable = notes->unreadable;
    seen->deep = notes->deep;
    seen->other_mounts = notes->other_mounts;
    seen->excluded = notes->excluded;
    seen->excluded_size = strlen(notes->excluded_names);
}

/* Whether the walk's entry is to be searched. */
static bool is_wanted(struct batch_source *source, const struct tree_entry *entry)
{
    const struct glob *only = source->options->only;

    source->seen.untold += entry->type == 0;
    if (entry->type != S_IFREG)
        return false;
    source->seen.files++;
    if (only != NULL && !glob_fits(only, entry->path, entry->path_size, false))
        return false;
    look(source);
    return true;
}

/* Whether the entry lies in the directory of the batch's last file. */
static bool is_beside_last(const struct batch *batch, const struct tree_entry *entry)
{
    size_t size = (size_t)(entry->name - entry->path);
    const struct batch_file *last;

    if (batch->count == 0)
        return false;
    last = &batch->files[batch->count - 1];
    return last->name - last->path == size &&
           memcmp(batch->names.data + last->path, entry->path, size) == 0;
}

static void add_dir(struct batch *batch, const struct tree_entry *entry)
{
    batch->dirs[batch->dir_count++] = (struct batch_dir){
        .fd = entry->root->sys->dup(entry->dir),
        .root = entry->root,
        .mount = mount_share(entry->mount),
    };
}

/* False: the batch is full, and the entry is for the next. */
static bool add_file(struct batch *batch, const struct seen *seen, const struct tree_entry *entry)
{
    struct batch_file *file = &batch->files[batch->count];

    if (batch->count == BATCH_FILES)
        return false;
    if (!is_beside_last(batch, entry)) {
        if (batch->dir_count == BATCH_DIRS)
            return false;
        add_dir(batch, entry);
    }
    file->path = batch->names.size;
    file->name = file->path + (size_t)(entry->name - entry->path);
    file->dir = batch->dir_count - 1;
    file->seen = *seen;
    bytes_add(&batch->names, entry->path, entry->path_size + 1);
    batch->count++;
    return true;
}

/* The next entry of the walk, or the one that waits. */
static bool take_entry(struct batch_source *source)
{
    bool more = true;

    if (source->waits) {
        source->waits = false;
        return true;
    }
    source->status = tree_next(source->tree, &source->entry, &more, &source->err);
    source->over = source->status != CROFT_OK || !more;
    return !source->over;
}

void batch_cut(struct batch *batch, struct batch_source *source, unsigned most)
{
    bytes_clear(&batch->names);
    batch->count = batch->dir_count = 0;
    batch->ready = batch->done = false;
    batch->status = CROFT_OK;
    for (unsigned i = 0; i < BATCH_ENTRIES && batch->count < most; i++) {
        bool waited = source->waits;

        if (!take_entry(source))
            break;
        if ((waited || is_wanted(source, &source->entry)) &&
            !add_file(batch, &source->seen, &source->entry)) {
            source->waits = true;
            break;
        }
    }
    if (batch->names.failed)
        batch->status = CROFT_INTERNAL;
}

/* ---- searching ---- */

static void begin(struct batch *batch, struct searcher *searcher)
{
    struct search_result *part = &batch->part;
    struct bytes text = part->text;

    searcher->done = false;
    searcher->status = batch->status;
    batch->done = false;
    if (searcher->result != part)
        return;
    memset(part, 0, sizeof *part);
    part->text = text;
    bytes_clear(&part->text);
}

void batch_run(struct batch *batch, struct searcher *searcher)
{
    begin(batch, searcher);
    for (unsigned i = 0; i < batch->count && searcher->status == CROFT_OK && !searcher->done; i++) {
        const struct batch_file *file = &batch->files[i];
        const struct batch_dir *dir = &batch->dirs[file->dir];

        batch->stopped_at = i;
        if (budget_is_short(searcher->budget)) {
            searcher->result->end = SEARCH_TIME;
            searcher->done = true;
        } else {
            searcher_visit(searcher, dir->root, dir->fd, batch->names.data + file->name,
                           batch->names.data + file->path);
        }
    }
    batch->done = searcher->done;
    batch->status = searcher->status;
}

void batch_close(struct batch *batch)
{
    for (unsigned i = 0; i < batch->dir_count; i++) {
        if (batch->dirs[i].fd >= 0)
            batch->dirs[i].root->sys->close(batch->dirs[i].fd);
        mount_release(batch->dirs[i].mount);
    }
    batch->dir_count = 0;
    bytes_free(&batch->part.text);
    batch->ready = false;
}

void batch_free(struct batch *batch)
{
    bytes_free(&batch->names);
    bytes_free(&batch->part.text);
}

/* ---- the notes ---- */

void batch_forget_later(struct batch_source *source, const struct batch *batch)
{
    struct tree_notes *notes = &source->total->notes;
    const struct seen *seen = &batch->files[batch->stopped_at].seen;

    if (batch->count == 0)
        return;
    source->seen = *seen;
    notes->unreadable = seen->unreadable;
    notes->deep = seen->deep;
    notes->other_mounts = seen->other_mounts;
    notes->excluded = seen->excluded;
    notes->excluded_names[seen->excluded_size] = '\0';
    if (seen->unreadable == 0)
        notes->first_unreadable[0] = '\0';
    if (seen->deep == 0)
        notes->first_deep[0] = '\0';
    notes->stopped = false;
}

void batch_source_end(struct batch_source *source)
{
    source->total->files_seen = source->seen.files;
    source->total->unreadable += source->seen.untold;
}
