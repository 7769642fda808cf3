/* SPDX-License-Identifier: MIT */
#include "artifact_outline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "breach.h"
#include "lines.h"
#include "utf8.h"

enum {
    HEADING_BYTES = 200,
    LINE_KEPT = 512, /* of a line; the rest of a long one says nothing about headings */
    WINDOW = 256 * KIB,
    BYTES_A_STEP = 1024
};

struct outlining {
    const struct artifact *artifact;
    const struct artifact_outline_options *options;
    struct artifact_outline *out;
    char *window;
    uint64_t number;      /* of the line at hand */
    char line[LINE_KEPT]; /* its beginning */
    size_t size;
    char before[LINE_KEPT]; /* the line before, when it may be a heading that is underlined */
    size_t before_size;
    char fence; /* '`' or '~' inside of fenced code, else 0 */
    size_t fence_size;
    bool done;
};

/* ---- one line ---------------------------------------------------------------------------------- */

static size_t run_of(const char *text, size_t size, size_t at, char c)
{
    size_t from = at;

    while (at < size && text[at] == c)
        at++;
    return at - from;
}

static void trim(const char *text, size_t *from, size_t *to)
{
    while (*from < *to && (text[*from] == ' ' || text[*from] == '\t'))
        ++*from;
    while (*to > *from && (text[*to - 1] == ' ' || text[*to - 1] == '\t' || text[*to - 1] == '\r'))
        --*to;
}

static void add_heading(struct outlining *o, uint64_t number, size_t level, const char *text,
                        size_t size)
{
    struct bytes *out = &o->out->text;
    size_t before = out->size;

    if (number < o->options->first)
        return;
    if (before > 0)
        bytes_add_char(out, '\n');
    bytes_add_number(out, number);
    bytes_add_char(out, '|');
    bytes_add(out, "######", level);
    bytes_add_char(out, ' ');
    utf8_repair(out, text, utf8_cut(text, size, HEADING_BYTES));
    if (out->size <= o->options->bytes) {
        o->out->headings++;
        return;
    }
    out->size = before;
    o->out->next = number;
    o->done = true;
}

/* `## Text ##`: at most three blanks, one to six #, a blank. */
static bool take_marked(struct outlining *o, size_t indent)
{
    size_t level = run_of(o->line, o->size, indent, '#'), from = indent + level, to = o->size, end;

    if (level == 0 || level > 6)
        return false;
    if (from < to && o->line[from] != ' ' && o->line[from] != '\t' && o->line[from] != '\r')
        return false;
    trim(o->line, &from, &to);
    for (end = to; end > from && o->line[end - 1] == '#'; end--)
        ;
    if (end == from || o->line[end - 1] == ' ') /* a closing run of # is no text */
        to = end;
    trim(o->line, &from, &to);
    add_heading(o, o->number, level, o->line + from, to - from);
    return true;
}

/* The line under a heading: only = or only -. */
static bool take_underline(struct outlining *o, size_t indent)
{
    size_t from = indent, to = o->size;
    size_t begin = 0, end = o->before_size;
    char mark = from < to ? o->line[from] : '\0';

    trim(o->line, &from, &to);
    if (o->before_size == 0 || (mark != '=' && mark != '-') ||
        run_of(o->line, to, from, mark) != to - from)
        return false;
    trim(o->before, &begin, &end);
    add_heading(o, o->number - 1, mark == '=' ? 1 : 2, o->before + begin, end - begin);
    return true;
}

/* The begin or end of fenced code, or a line in it. */
static bool take_fence(struct outlining *o, size_t indent)
{
    char mark = indent < o->size ? o->line[indent] : '\0';
    size_t size = run_of(o->line, o->size, indent, mark), from = indent + size, to = o->size;
    bool is_fence = (mark == '`' || mark == '~') && size >= 3;

    trim(o->line, &from, &to);
    if (o->fence != 0) {
        if (is_fence && mark == o->fence && size >= o->fence_size && from == to)
            o->fence = 0;
        return true;
    }
    if (!is_fence || (mark == '`' && memchr(o->line + from, '`', to - from) != NULL))
        return false;
    o->fence = mark;
    o->fence_size = size;
    return true;
}

/* Whether the line can be the text of a heading that the next line underlines: a plain paragraph. */
static bool may_be_underlined(const struct outlining *o, size_t indent)
{
    size_t from = indent, to = o->size;

    trim(o->line, &from, &to);
    return from < to && indent < 4 &&
           (o->line[from] == '\0' || strchr(">#-+*|", o->line[from]) == NULL);
}

static void take_line(struct outlining *o)
{
    size_t indent = run_of(o->line, o->size, 0, ' ');
    bool taken;

    if (indent < 4)
        taken = take_fence(o, indent) || take_marked(o, indent) || take_underline(o, indent);
    else
        taken = o->fence != 0;
    o->before_size = 0;
    if (!taken && may_be_underlined(o, indent)) {
        memcpy(o->before, o->line, o->size);
        o->before_size = o->size;
    }
    o->size = 0;
    o->number++;
}

/* ---- the file ---------------------------------------------------------------------------------- */

static void take_window(struct outlining *o, size_t filled)
{
    size_t at = 0;

    while (at < filled && !o->done) {
        size_t end = lines_end(o->window, filled, at), room = sizeof o->line - o->size;
        size_t size = end - at < room ? end - at : room;

        memcpy(o->line + o->size, o->window + at, size);
        o->size += size;
        if (end < filled)
            take_line(o);
        at = end + 1;
    }
}

static croft_status read_all(struct outlining *o, croft_error *err)
{
    struct budget *budget = o->options->budget;
    size_t filled = WINDOW;

    for (uint64_t offset = 0; filled == WINDOW && !o->done; offset += filled) {
        off_t next = o->artifact->sys->next_data(o->artifact->fd, (off_t)offset);
        ssize_t count;
        size_t mark;

        if (next > (off_t)(offset + WINDOW)) /* a hole is in the middle of a line */
            offset = (uint64_t)next - WINDOW;
        if (budget_is_short(budget)) {
            o->out->is_short = o->done = true;
            o->out->next = o->number;
        }
        if (!budget_spend(budget, WINDOW / BYTES_A_STEP))
            return fail_breach(budget, err);
        count = read_fully(o->artifact->sys, o->artifact->fd, o->window, WINDOW, (off_t)offset);
        if (count < 0)
            return fail_io(err, errno, "it cannot be read");
        filled = (size_t)count;
        mark = offset == 0 ? lines_mark(o->window, filled) : 0;
        memmove(o->window, o->window + mark, filled - mark);
        take_window(o, filled - mark);
    }
    if (o->size > 0 && !o->done)
        take_line(o);
    o->out->lines = o->number - 1;
    return CROFT_OK;
}

croft_status artifact_outline_read(struct artifacts *artifacts, struct artifact *artifact,
                                   const struct artifact_outline_options *options,
                                   struct artifact_outline *outline, croft_error *err)
{
    struct outlining o = {.artifact = artifact, .options = options, .out = outline, .number = 1};
    uint64_t size;
    croft_status status;

    memset(outline, 0, sizeof *outline);
    status = artifact_look(artifacts, artifact, &outline->change, &size, err);
    if (status != CROFT_OK)
        return status;
    o.window = malloc(WINDOW);
    if (o.window == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = read_all(&o, err);
    free(o.window);
    if (status == CROFT_OK && outline->text.failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return status;
}

void artifact_outline_free(struct artifact_outline *outline)
{
    bytes_free(&outline->text);
}
