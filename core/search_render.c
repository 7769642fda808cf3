/* SPDX-License-Identifier: MIT */
#include "json_scan.h"
#include "path.h"
#include "search_parts.h"
#include "utf8.h"

enum { EXCERPT_SIDE = 200 }; /* bytes of a long line on either side of the match */

/* As it is shown, and can be sent back: what would name a drive begins with "./". */
static void show_path(struct searcher *searcher)
{
    if (searcher->shown.size > 0)
        return;
    if (path_names_drive(searcher->path.data, searcher->path.size))
        bytes_add_text(&searcher->shown, "./");
    utf8_add_name(&searcher->shown, searcher->path.data, searcher->path.size);
}

static void add_path(struct searcher *searcher)
{
    show_path(searcher);
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

/* A path as a JSON string: as it can be sent; as it is shown, where it is not UTF-8. */
static void add_quoted_path(struct searcher *searcher)
{
    struct bytes *out = &searcher->result->text;
    const struct bytes *path = &searcher->path;

    if (utf8_valid(path->data, path->size) < path->size) {
        show_path(searcher);
        json_quote(out, searcher->shown.data, searcher->shown.size);
    } else if (path_names_drive(path->data, path->size)) {
        struct bytes sent = {0};

        bytes_add_text(&sent, "./");
        bytes_add(&sent, path->data, path->size);
        json_quote(out, sent.data, sent.size);
        out->failed |= sent.failed;
        bytes_free(&sent);
    } else {
        json_quote(out, path->data, path->size);
    }
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
