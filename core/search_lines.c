/* SPDX-License-Identifier: MIT */
/* From the text of one file to rows of the result. */
#include "breach.h"
#include "lines.h"
#include "search_parts.h"

#include <string.h>

static size_t next_line(const struct pass *pass, size_t at)
{
    size_t end = lines_end(pass->text, pass->size, at);

    return end < pass->size ? end + 1 : end;
}

/* Moves on to the line that begins at `to`. */
static void count_to(struct pass *pass, size_t to)
{
    pass->number += lines_count(pass->text + pass->at, to - pass->at);
    pass->at = to;
}

static void stop(struct searcher *searcher, enum search_end end)
{
    searcher->result->end = end;
    searcher->done = true;
}

static bool row(struct searcher *searcher, bool fitted)
{
    if (!fitted)
        stop(searcher, SEARCH_BYTE_CEILING);
    return fitted;
}

/* ---- lines ---- */

/* Shows the line of context at pass->at and moves behind it. */
static bool show_context(struct pass *pass)
{
    size_t end = lines_end(pass->text, pass->size, pass->at);
    struct shown_line line = {.number = pass->number,
                              .text = pass->text + pass->at,
                              .size = lines_trim(pass->text, pass->size, pass->at, end) - pass->at,
                              .mark = '-'};

    if (!row(pass->searcher, render_line(pass->searcher, &line)))
        return false;
    count_to(pass, next_line(pass, pass->at));
    pass->shown_to = pass->at;
    return true;
}

/* Shows what is owed of the lines before `to`. */
static bool show_after(struct pass *pass, size_t to)
{
    for (; pass->owed > 0 && pass->shown_to < to; pass->owed--) {
        if (!show_context(pass))
            return false;
    }
    return true;
}

/* Where the context before the match begins, and how many lines that is. */
static size_t context_start(const struct pass *pass, uint64_t *count)
{
    size_t start = pass->start;

    for (*count = 0; *count < pass->searcher->options->context && start > pass->shown_to; ++*count)
        start = lines_start(pass->text, pass->shown_to, start - 1);
    return start;
}

static bool show_match(struct pass *pass)
{
    uint64_t before, context = pass->searcher->options->context;
    size_t start = context_start(pass, &before);
    bool touches = start == pass->shown_to && pass->matches > 0;
    struct shown_line line = {.text = pass->text + pass->start,
                              .size = pass->end - pass->start,
                              .match_start = pass->match_start - pass->start,
                              .match_end = pass->match_end - pass->start,
                              .mark = '|'};

    if (context > 0 && !touches && !row(pass->searcher, render_gap(pass->searcher)))
        return false;
    count_to(pass, start);
    for (; before > 0; before--) {
        if (!show_context(pass))
            return false;
    }
    line.number = pass->number;
    if (!row(pass->searcher, render_line(pass->searcher, &line)))
        return false;
    count_to(pass, pass->from);
    pass->shown_to = pass->from;
    pass->owed = context;
    return true;
}

/* The match with the context before it, or none of it. */
static void take_line(struct pass *pass)
{
    struct search_result *result = pass->searcher->result;
    size_t before;

    if (!show_after(pass, pass->start))
        return;
    if (result->matches == pass->searcher->options->match_ceiling) {
        stop(pass->searcher, SEARCH_MATCH_CEILING);
        return;
    }
    before = result->text.size;
    if (!show_match(pass)) {
        result->text.size = before;
        return;
    }
    pass->matches++;
    result->matches++;
}

/* ---- files and counts ---- */

static bool files_are_full(const struct pass *pass)
{
    const struct search_result *result = pass->searcher->result;

    return pass->matches == 0 && result->files_matched == pass->searcher->options->match_ceiling;
}

static void take_match(struct pass *pass)
{
    if (files_are_full(pass))
        stop(pass->searcher, SEARCH_MATCH_CEILING);
    else
        pass->matches++;
}

/* ---- one file ---- */

static void give_up(struct pass *pass)
{
    struct search_result *result = pass->searcher->result;
    const struct bytes *path = &pass->searcher->path;
    size_t size = path->size < PATH_BYTES ? path->size : PATH_BYTES;

    count_to(pass, pass->start);
    result->too_expensive = true;
    result->expensive_line = pass->number;
    result->expensive_bytes = pass->end - pass->start;
    memcpy(result->expensive_file, path->data, size);
    result->expensive_file[size] = '\0';
    pass->searcher->done = true;
}

static void run_out(struct pass *pass)
{
    const struct budget *budget = pass->searcher->budget;

    stop(pass->searcher, SEARCH_TIME);
    if (budget->breach != BREACH_NONE)
        pass->searcher->status = fail_breach(budget, NULL);
}

static void take(struct pass *pass)
{
    if (!search_may_show(pass->searcher))
        return;
    pass->from = next_line(pass, pass->end);
    if (pass->searcher->options->output == SEARCH_LINES)
        take_line(pass);
    else
        take_match(pass);
}

/* Until there is no further match, or one is enough. */
static void find_all(struct pass *pass)
{
    struct searcher *searcher = pass->searcher;
    struct budget *budget = searcher->budget;

    while (!searcher->done && searcher->refused == CROFT_OK) {
        switch (matcher_find_line(searcher->matcher, pass->text, pass->size, pass->from, budget,
                                  &pass->start, &pass->end, &pass->match_start, &pass->match_end)) {
        case REGEX_MATCH: take(pass); break;
        case REGEX_TOO_EXPENSIVE: give_up(pass); return;
        case REGEX_STOPPED: run_out(pass); return;
        case REGEX_NO_MATCH: pass->from = pass->start = pass->size; return;
        }
        if (searcher->options->output == SEARCH_FILES && pass->matches > 0)
            return;
    }
}

/* Whether all of the file was searched, or as much as its row needs. */
static bool is_whole(const struct searcher *searcher)
{
    return !searcher->result->too_expensive && searcher->result->end != SEARCH_TIME;
}

/* Shows the row of a file that is not shown line by line. */
static bool show_file(const struct pass *pass)
{
    struct searcher *searcher = pass->searcher;

    if (!is_whole(searcher))
        return false;
    if (searcher->options->output == SEARCH_FILES)
        return row(searcher, render_file(searcher));
    return row(searcher, render_count(searcher, pass->matches));
}

void pass_begin(struct pass *pass, struct searcher *searcher, size_t mark)
{
    *pass = (struct pass){.searcher = searcher,
                          .from = mark,
                          .at = mark,
                          .start = mark,
                          .shown_to = mark,
                          .number = 1};
}

bool pass_search(struct pass *pass, const char *text, size_t size)
{
    pass->text = text;
    pass->size = size;
    find_all(pass);
    return !pass->searcher->done && pass->from == size;
}

/* Where the lines begin that the context of a match behind the window may need. One line more than is
 * shown: so that it can be told whether a line is missing before them. */
static size_t keep_from(const struct pass *pass)
{
    uint64_t context = pass->searcher->options->context;
    size_t start = pass->size;

    for (uint64_t i = 0; context > 0 && i <= context && start > pass->shown_to; i++)
        start = lines_start(pass->text, pass->shown_to, start - 1);
    return start;
}

size_t pass_leave(struct pass *pass)
{
    bool shows = pass->searcher->options->output == SEARCH_LINES;
    size_t keep;

    if (shows && !show_after(pass, pass->size))
        return pass->size;
    keep = shows ? keep_from(pass) : pass->size;
    count_to(pass, keep);
    pass->at = 0;
    pass->from -= keep;
    pass->start = pass->from;
    pass->shown_to = pass->shown_to > keep ? pass->shown_to - keep : 0;
    return keep;
}

/* How many lines were searched: all before the last match, or all of the file. */
static uint64_t lines_before(const struct pass *pass)
{
    bool open = pass->start == pass->size && pass->size > 0 && pass->text[pass->size - 1] != '\n';

    return pass->number - 1 + lines_count(pass->text + pass->at, pass->start - pass->at) + open;
}

void pass_end(struct pass *pass)
{
    struct searcher *searcher = pass->searcher;
    struct search_result *result = searcher->result;
    bool by_line = searcher->options->output == SEARCH_LINES;

    if (by_line && !searcher->done)
        show_after(pass, pass->size);
    result->files_searched += is_whole(searcher);
    if (searcher->counts_lines)
        result->lines_searched = lines_before(pass);
    if (pass->matches == 0 || (!by_line && !show_file(pass)))
        return;
    if (!by_line)
        result->matches += pass->matches;
    result->files_matched++;
}
