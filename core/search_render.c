/* SPDX-License-Identifier: MIT */
#include "json_scan.h"
#include "search_parts.h"
#include "utf8.h"

enum { EXCERPT_SIDE = 200 }; /* bytes of a long line on either side of the match */

static void add_path(struct searcher *searcher)
{
    if (searcher->shown.size == 0)
        utf8_add_name(&searcher->shown, searcher->path.data, searcher->path.size);
    bytes_add(&searcher->result->text, searcher->shown.data, searcher->shown.size);
}

/* Begins a row and returns what to give to end_row. */
static size_t begin_row(struct searcher *searcher)
{
    struct bytes *out = &searcher->result->text;
    size_t before = out->size;

    if (before > 0)
        bytes_add_char(out, '\n');
    return before;
}

static bool end_row(struct searcher *searcher, size_t before)
{
    struct bytes *out = &searcher->result->text;

    if (out->size <= searcher->options->byte_ceiling && !out->failed)
        return true;
    out->size = before;
    return false;
}

bool render_file(struct searcher *searcher)
{
    size_t before = begin_row(searcher);

    add_path(searcher);
    return end_row(searcher, before);
}

bool render_count(struct searcher *searcher, uint64_t count)
{
    size_t before = begin_row(searcher);

    add_path(searcher);
    bytes_add_text(&searcher->result->text, ": ");
    bytes_add_number(&searcher->result->text, count);
    return end_row(searcher, before);
}

bool render_gap(struct searcher *searcher)
{
    size_t before;

    if (searcher->result->text.size == 0)
        return true;
    before = begin_row(searcher);
    bytes_add_text(&searcher->result->text, "--");
    return end_row(searcher, before);
}

/* All of a line that is not long; of one that is, what is around the match's begin. */
void render_excerpt(struct bytes *out, const struct shown_line *line)
{
    size_t from = 0, to = line->size;

    if (line->size > 2 * EXCERPT_SIDE) {
        size_t seen = line->match_end - line->match_start;

        if (seen > EXCERPT_SIDE)
            seen = EXCERPT_SIDE;
        if (line->match_start > EXCERPT_SIDE)
            from = utf8_cut(line->text, line->size, line->match_start - EXCERPT_SIDE);
        if (line->size - line->match_start > seen + EXCERPT_SIDE)
            to = utf8_cut(line->text, line->size, line->match_start + seen + EXCERPT_SIDE);
    }
    if (from > 0)
        bytes_add_text(out, "...");
    utf8_repair(out, line->text + from, to - from);
    if (to < line->size)
        bytes_add_text(out, "...");
}

/* A path as a JSON string: as it is, for it can be sent so; as it is shown, where it is not UTF-8. */
static void add_quoted_path(struct searcher *searcher)
{
    if (utf8_valid(searcher->path.data, searcher->path.size) == searcher->path.size) {
        json_quote(&searcher->result->text, searcher->path.data, searcher->path.size);
        return;
    }
    if (searcher->shown.size == 0)
        utf8_add_name(&searcher->shown, searcher->path.data, searcher->path.size);
    json_quote(&searcher->result->text, searcher->shown.data, searcher->shown.size);
}

static void add_json(struct searcher *searcher, const struct shown_line *line)
{
    struct bytes *out = &searcher->result->text;
    struct bytes excerpt = {0};

    render_excerpt(&excerpt, line);
    bytes_add_text(out, "{\"path\":");
    add_quoted_path(searcher);
    bytes_add_text(out, ",\"line\":");
    bytes_add_number(out, line->number);
    bytes_add_text(out, ",\"text\":");
    json_quote(out, excerpt.data, excerpt.size);
    bytes_add_char(out, '}');
    out->failed |= excerpt.failed;
    bytes_free(&excerpt);
}

bool render_line(struct searcher *searcher, const struct shown_line *line)
{
    struct bytes *out = &searcher->result->text;
    size_t before = begin_row(searcher);

    if (searcher->options->as_json) {
        add_json(searcher, line);
        return end_row(searcher, before);
    }
    add_path(searcher);
    bytes_add_char(out, ':');
    bytes_add_number(out, line->number);
    bytes_add_char(out, line->mark);
    render_excerpt(out, line);
    return end_row(searcher, before);
}
