/* SPDX-License-Identifier: MIT */
#include "artifact_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact_find.h"
#include "breach.h"
#include "lines.h"
#include "search_parts.h"

enum {
    PIECE = MIB,         /* that is read at once */
    OVERLAP = 4 * KIB,   /* of two pieces of one line */
    STEPS_OF_A_STEP = 32 /* of the matcher's, for one of the call's: it is a large file's */
};

struct scan {
    const struct artifact *artifact;
    const struct artifact_search *search;
    struct artifact_found *found;
    struct matcher *matcher;
    struct budget budget; /* the matcher's own: the same time, and no ceiling on steps */
    char *buffer;
    size_t filled;
    uint64_t offset, number; /* of the first byte in the buffer, and of the line that it is in */
    bool at_end;             /* nothing comes behind the buffer */
    bool inside;             /* the buffer begins, and was found to end, inside a long line */
    bool matched;            /* that line has a row already */
    bool done;
};

/* ---- rows -------------------------------------------------------------------------------------- */

static void stop(struct scan *scan, uint64_t next)
{
    scan->found->next = next;
    scan->done = true;
}

/* Adds the row of a line that matches, unless a ceiling is reached. */
static void add_row(struct scan *scan, const struct shown_line *line)
{
    struct artifact_found *found = scan->found;
    size_t before = found->text.size;

    if (found->matches == scan->search->match_ceiling) {
        stop(scan, line->number);
        return;
    }
    if (before > 0)
        bytes_add_char(&found->text, '\n');
    bytes_add_number(&found->text, line->number);
    bytes_add_char(&found->text, '|');
    render_excerpt(&found->text, line);
    if (found->text.size > scan->search->byte_ceiling) {
        found->text.size = before;
        stop(scan, line->number);
        return;
    }
    found->matches++;
}

/* What the matcher could not do, at line `number`. */
static void give_up(struct scan *scan, enum regex_answer answer, uint64_t number)
{
    scan->found->too_expensive = answer == REGEX_TOO_EXPENSIVE;
    scan->found->is_short = answer == REGEX_STOPPED;
    if (scan->budget.breach != BREACH_NONE)
        scan->search->budget->breach = scan->budget.breach;
    stop(scan, number);
}

/* ---- whole lines ------------------------------------------------------------------------------- */

/* The lines in the first `size` bytes of the buffer. */
static void search_lines(struct scan *scan, size_t size)
{
    size_t from = 0, at = 0, start, end, match_start, match_end;
    enum regex_answer answer = REGEX_NO_MATCH;

    while (!scan->done && from < size) {
        struct shown_line line = {.mark = '|'};

        answer = matcher_find_line(scan->matcher, scan->buffer, size, from, &scan->budget, &start,
                                   &end, &match_start, &match_end);
        if (answer == REGEX_NO_MATCH)
            break;
        scan->number += lines_count(scan->buffer + at, start - at);
        at = start;
        if (answer != REGEX_MATCH) {
            give_up(scan, answer, scan->number);
            return;
        }
        line.number = scan->number;
        line.text = scan->buffer + start;
        line.size = end - start;
        line.match_start = match_start - start;
        line.match_end = match_end - start;
        add_row(scan, &line);
        from = lines_end(scan->buffer, size, end) + 1;
    }
    if (!scan->done)
        scan->number += lines_count(scan->buffer + at, size - at);
}

/* ---- a line longer than the buffer ------------------------------------------------------------- */

/* The piece of it in the first `size` bytes of the buffer. */
static void search_piece(struct scan *scan, size_t size)
{
    struct shown_line line = {
        .number = scan->number, .text = scan->buffer, .size = size, .mark = '|'};
    enum regex_answer answer;

    if (scan->matched)
        return;
    answer = matcher_find(scan->matcher, scan->buffer, size, 0, &scan->budget, &line.match_start,
                          &line.match_end);
    if (answer == REGEX_MATCH) {
        scan->matched = true;
        add_row(scan, &line);
    } else if (answer != REGEX_NO_MATCH) {
        give_up(scan, answer, scan->number);
    }
}

/* Returns how many bytes are done with. */
static size_t take_piece(struct scan *scan)
{
    size_t end = lines_end(scan->buffer, scan->filled, 0);
    bool ends = end < scan->filled;

    search_piece(scan, ends ? lines_trim(scan->buffer, scan->filled, 0, end) : end);
    if (scan->done || (!ends && scan->at_end))
        return scan->filled;
    if (!ends)
        return scan->filled > OVERLAP ? scan->filled - OVERLAP : scan->filled;
    scan->inside = false;
    scan->number++;
    return end + 1;
}

/* ---- the file ---------------------------------------------------------------------------------- */

static size_t take_buffer(struct scan *scan)
{
    const char *last = memrchr(scan->buffer, '\n', scan->filled);
    size_t whole = scan->at_end   ? scan->filled
                   : last == NULL ? 0
                                  : (size_t)(last - scan->buffer) + 1;

    if (!scan->inside && whole > 0) {
        search_lines(scan, whole);
        return whole;
    }
    if (!scan->inside) {
        scan->inside = true;
        scan->matched = false;
        scan->found->long_lines++;
    }
    return take_piece(scan);
}

/* A hole inside a long line: the piece in which it begins was searched, that in which it ends will be. */
static void skip_hole(struct scan *scan)
{
    uint64_t at = scan->offset + scan->filled;
    off_t next = scan->artifact->sys->next_data(scan->artifact->fd, (off_t)at);

    if (!scan->inside || next <= (off_t)(at + PIECE))
        return;
    scan->offset = (uint64_t)next - OVERLAP;
    scan->filled = 0;
}

static croft_status fill_buffer(struct scan *scan, croft_error *err)
{
    size_t room;
    ssize_t count;

    skip_hole(scan);
    room = PIECE - scan->filled;
    count = read_fully(scan->artifact->sys, scan->artifact->fd, scan->buffer + scan->filled, room,
                       (off_t)(scan->offset + scan->filled));
    if (count < 0)
        return fail_io(err, errno, "it cannot be read");
    scan->filled += (size_t)count;
    memset(scan->buffer + scan->filled, 0, REGEX_BEHIND);
    scan->at_end = (size_t)count < room;
    return CROFT_OK;
}

/* Charges what the matcher took; sets found->is_short in time. */
static void charge(struct scan *scan)
{
    struct budget *budget = scan->search->budget;
    uint64_t steps = scan->budget.steps_given - scan->budget.steps_left;

    scan->budget.steps_left = scan->budget.next_look = scan->budget.steps_given;
    (void)budget_spend(budget, 1 + steps / STEPS_OF_A_STEP + PIECE / LINE_BYTES_A_STEP);
    if (!scan->done && budget_is_short(budget)) {
        scan->found->is_short = true;
        stop(scan, scan->number);
    }
}

static croft_status scan_all(struct scan *scan, croft_error *err)
{
    croft_status status = CROFT_OK;

    while (status == CROFT_OK && !scan->done) {
        size_t taken;

        status = fill_buffer(scan, err);
        if (status != CROFT_OK)
            break;
        if (scan->filled == 0)
            return CROFT_OK;
        taken = take_buffer(scan);
        if (scan->at_end && !scan->done && taken == scan->filled && scan->buffer[taken - 1] != '\n')
            scan->number++; /* a last line without LF */
        memmove(scan->buffer, scan->buffer + taken, scan->filled - taken);
        scan->offset += taken;
        scan->filled -= taken;
        if (scan->at_end && scan->filled == 0)
            return CROFT_OK;
        charge(scan);
        if (scan->search->budget->breach != BREACH_NONE)
            status = fail_breach(scan->search->budget, err);
    }
    return status;
}

static croft_status start_at(struct scan *scan, struct artifacts *artifacts,
                             struct artifact *artifact, croft_error *err)
{
    struct line_place place = {0};
    char mark[BYTE_ORDER_MARK_SIZE];
    ssize_t count = read_fully(artifact->sys, artifact->fd, mark, sizeof mark, 0);
    croft_status status;

    if (count < 0)
        return fail_io(err, errno, "it cannot be read");
    status = artifact_look(artifacts, artifact, &scan->found->change, &place.size, err);
    place.content = lines_mark(mark, (size_t)count);
    if (status == CROFT_OK)
        status = artifact_find_line(artifacts, artifact, scan->search->first, scan->search->budget,
                                    &place, err);
    scan->offset = place.offset;
    scan->number = scan->search->first;
    scan->done = place.is_short || place.is_past_end;
    scan->found->is_short = place.is_short;
    scan->found->next = place.is_short ? scan->search->first : 0;
    scan->found->is_past_end = place.is_past_end && place.total > 0;
    return status;
}

static croft_status run(struct scan *scan, struct artifacts *artifacts, struct artifact *artifact,
                        croft_error *err)
{
    croft_status status;

    scan->matcher = matcher_new(scan->search->regex);
    scan->buffer = malloc(PIECE + REGEX_BEHIND);
    if (scan->matcher == NULL || scan->buffer == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = start_at(scan, artifacts, artifact, err);
    if (status == CROFT_OK)
        status = scan_all(scan, err);
    if (scan->found->text.failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    scan->found->lines = scan->number - scan->search->first;
    return status;
}

croft_status artifact_search(struct artifacts *artifacts, struct artifact *artifact,
                             const struct artifact_search *search, struct artifact_found *found,
                             croft_error *err)
{
    struct scan scan = {
        .artifact = artifact, .search = search, .found = found, .budget = *search->budget};
    croft_status status;

    memset(found, 0, sizeof *found);
    scan.budget.listener.progress = NULL;
    scan.budget.steps_given = scan.budget.steps_left = scan.budget.next_look = UINT64_MAX / 2;
    status = run(&scan, artifacts, artifact, err);
    matcher_free(scan.matcher);
    free(scan.buffer);
    return status;
}

void artifact_found_free(struct artifact_found *found)
{
    bytes_free(&found->text);
}
