/* SPDX-License-Identifier: MIT */
#include "artifact_lines.h"

#include "breach.h"
#include "file.h"
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- marks ------------------------------------------------------------------------------------- */

void line_index_free(struct line_index *index)
{
    free(index->ends);
    memset(index, 0, sizeof *index);
}

void line_index_before(const struct line_index *index, uint64_t line, uint64_t *offset,
                       uint64_t *ends)
{
    size_t low = 0, high = index->count; /* marks before `low` have fewer LF than wanted */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (index->ends[middle] < line - 1)
            low = middle + 1;
        else
            high = middle;
    }
    *offset = low * index->stretch;
    *ends = low == 0 ? 0 : index->ends[low - 1];
}

static void thin_out(struct line_index *index)
{
    for (size_t i = 0; i < index->count / 2; i++)
        index->ends[i] = index->ends[2 * i + 1];
    index->count /= 2;
    index->stretch *= 2;
}

void line_index_add(struct line_index *index, uint64_t offset, uint64_t ends)
{
    if (index->stretch == 0)
        index->stretch = LINE_STRETCH;
    if (offset != (index->count + 1) * index->stretch)
        return;
    if (index->ends == NULL)
        index->ends = malloc(LINE_MARKS * sizeof *index->ends);
    if (index->ends == NULL)
        return; /* it is counted again, then */
    index->ends[index->count++] = ends;
    if (index->count == LINE_MARKS)
        thin_out(index);
}

/* ---- the way to a line ------------------------------------------------------------------------- */

/* Takes a window that begins at walk->offset. True when the line begins in it. */
static bool take_window(struct line_walk *walk, const char *window, size_t filled, uint64_t line)
{
    uint64_t ends = lines_count(window, filled), wanted = line - 1 - walk->ends;
    size_t at = 0;

    if (line == UINT64_MAX || wanted > ends) {
        walk->ends += ends;
        walk->offset += filled;
        return false;
    }
    for (; wanted > 0; wanted--, walk->ends++)
        at = lines_end(window, filled, at) + 1;
    walk->offset += at;
    walk->found = true;
    return true;
}

/* A hole has no lines: goes over all stretches that lie in one. */
static void skip_hole(struct line_walk *walk, line_note *note, void *user)
{
    off_t next = walk->sys->next_data(walk->fd, (off_t)walk->offset);
    uint64_t end = next < 0 ? walk->offset : (uint64_t)next;

    while (walk->offset + LINE_STRETCH <= end) {
        walk->offset += LINE_STRETCH - walk->offset % LINE_STRETCH;
        walk->last = '\0';
        if (note != NULL)
            note(user, walk->offset, walk->ends);
    }
}

static croft_status walk_with(struct line_walk *walk, uint64_t line, char *window, line_note *note,
                              void *user, croft_error *err)
{
    for (;;) {
        size_t room;
        ssize_t count;

        skip_hole(walk, note, user);
        room = LINE_STRETCH - walk->offset % LINE_STRETCH; /* up to the next mark */

        if (budget_is_short(walk->budget)) {
            walk->is_short = true;
            return walk->budget->breach == BREACH_NONE ? CROFT_OK : fail_breach(walk->budget, err);
        }
        if (!budget_spend(walk->budget, 1 + room / LINE_BYTES_A_STEP))
            return fail_breach(walk->budget, err);
        count = read_fully(walk->sys, walk->fd, window, room, (off_t)walk->offset);
        if (count < 0)
            return fail_io(err, errno, "it cannot be read");
        if (count > 0)
            walk->last = window[count - 1];
        if (take_window(walk, window, (size_t)count, line))
            return CROFT_OK;
        if ((size_t)count < room) {
            walk->at_end = true;
            walk->size = walk->offset;
            return CROFT_OK;
        }
        if (note != NULL)
            note(user, walk->offset, walk->ends);
    }
}

croft_status line_walk_to(struct line_walk *walk, uint64_t line, line_note *note, void *user,
                          croft_error *err)
{
    croft_status status;
    char *window;

    walk->found = line <= walk->ends + 1 && walk->offset == 0;
    if (walk->found)
        return CROFT_OK;
    window = malloc(LINE_STRETCH);
    if (window == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = walk_with(walk, line, window, note, user, err);
    free(window);
    return status;
}
