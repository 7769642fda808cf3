/* SPDX-License-Identifier: MIT */
#include "artifact_find.h"

#include <errno.h>

/* One search for a line. */
struct finding {
    struct artifacts *artifacts;
    struct artifact *artifact;
    struct line_place *place;
};

void artifact_note_total(struct artifacts *artifacts, struct artifact *artifact, uint64_t total)
{
    pthread_mutex_lock(&artifacts->lock);
    artifact->lines.total = total;
    artifact->lines.is_whole = true;
    pthread_mutex_unlock(&artifacts->lock);
}

static void note_total(const struct finding *finding, uint64_t lines)
{
    uint64_t total = finding->place->size <= finding->place->content ? 0 : lines;

    finding->place->total = total;
    artifact_note_total(finding->artifacts, finding->artifact, total);
}

static void note_stretch(void *user, uint64_t offset, uint64_t ends)
{
    struct finding *finding = user;

    pthread_mutex_lock(&finding->artifacts->lock);
    line_index_add(&finding->artifact->lines, offset, ends);
    pthread_mutex_unlock(&finding->artifacts->lock);
}

/* Where to begin the way to `line`, from what is known. */
static struct line_walk begin(const struct finding *finding, uint64_t line, struct budget *budget)
{
    struct artifact *artifact = finding->artifact;
    struct line_walk walk = {.sys = artifact->sys, .fd = artifact->fd, .budget = budget};

    pthread_mutex_lock(&finding->artifacts->lock);
    line_index_before(&artifact->lines, line, &walk.offset, &walk.ends);
    finding->place->total = artifact->lines.is_whole ? artifact->lines.total : UINT64_MAX;
    pthread_mutex_unlock(&finding->artifacts->lock);
    return walk;
}

/* After a walk that came to the end. */
static croft_status sum_up(const struct finding *finding, const struct line_walk *walk,
                           croft_error *err)
{
    char last = walk->last;

    if (last == '\0' && walk->size > 0 &&
        read_fully(walk->sys, walk->fd, &last, 1, (off_t)walk->size - 1) < 0)
        return fail_io(err, errno, "it cannot be read");
    finding->place->size = walk->size;
    note_total(finding, walk->ends + (last != '\n'));
    return CROFT_OK;
}

static croft_status arrive(const struct finding *finding, const struct line_walk *walk,
                           uint64_t line, croft_error *err)
{
    struct line_place *place = finding->place;

    place->is_short = walk->is_short;
    place->counted_lines = walk->ends;
    place->counted_bytes = walk->offset;
    if (walk->is_short)
        return CROFT_OK;
    place->offset = line == 1 ? place->content : walk->offset;
    place->is_past_end = walk->at_end || place->offset >= place->size;
    if (walk->at_end)
        return sum_up(finding, walk, err);
    if (place->is_past_end) /* behind the last LF */
        note_total(finding, line - 1);
    return CROFT_OK;
}

croft_status artifact_find_line(struct artifacts *artifacts, struct artifact *artifact,
                                uint64_t line, struct budget *budget, struct line_place *place,
                                croft_error *err)
{
    struct finding finding = {artifacts, artifact, place};
    struct line_walk walk = begin(&finding, line, budget);
    croft_status status;

    place->is_short = place->is_past_end = false;
    if (place->total != UINT64_MAX && line > place->total) {
        place->is_past_end = true;
        return CROFT_OK;
    }
    status = line_walk_to(&walk, line, note_stretch, &finding, err);
    return status == CROFT_OK ? arrive(&finding, &walk, line, err) : status;
}

croft_status artifact_count_lines(struct artifacts *artifacts, struct artifact *artifact,
                                  struct budget *budget, struct line_place *place, croft_error *err)
{
    return artifact_find_line(artifacts, artifact, UINT64_MAX, budget, place, err);
}
