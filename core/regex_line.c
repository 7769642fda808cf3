/* SPDX-License-Identifier: MIT */
/*
 * One line. PCRE2 counts its match limit anew for each start offset, so the limit alone bounds nothing:
 * the line is searched in windows of start offsets that shrink when one was slow, and between them the
 * budget is looked at. The limit is such that one start offset cannot take long either.
 */
#include "regex_parts.h"
#include "sys.h"

#include <stdlib.h>

enum {
    JIT_STACK_LEAST = 32 * 1024,
    JIT_STACK_MOST = 1024 * 1024,
    WINDOW = 64,         /* start offsets in the first window */
    WORK = 200000000,    /* match limit times size of the line */
    LEAST_LIMIT = 256,   /* on lines of any size */
    MOST_LIMIT = 500000, /* on short ones */
    QUICK_NS = 100000,   /* a window that took less is doubled */
    SLOW_NS = 1000000,   /* a window that took more is halved */
    LINE_NS = 500000000  /* for one line */
};

static uint32_t limit_for(size_t size)
{
    size_t limit = WORK / (size + 1);

    return (uint32_t)(limit < LEAST_LIMIT ? LEAST_LIMIT : limit > MOST_LIMIT ? MOST_LIMIT : limit);
}

size_t regex_boundary(const char *text, size_t size, size_t at)
{
    while (at < size && ((unsigned char)text[at] & 0xC0) == 0x80)
        at++;
    return at < size ? at : size;
}

int matcher_run(struct matcher *matcher, enum regex_use use, const char *text, size_t size,
                size_t from, uint32_t match_limit)
{
    const pcre2_code *code = matcher->regex->fast[use];
    PCRE2_SPTR subject = (PCRE2_SPTR)(size == 0 ? "" : text);

    pcre2_set_match_limit(matcher->room->context, match_limit);
    if (matcher->regex->jit)
        return pcre2_jit_match(code, subject, size, from, 0, matcher->room->data,
                               matcher->room->context);
    return pcre2_match(code, subject, size, from, 0, matcher->room->data, matcher->room->context);
}

void matcher_hit(const struct matcher *matcher, size_t *start, size_t *end)
{
    const PCRE2_SIZE *pair = pcre2_get_ovector_pointer(matcher->room->data);

    *start = pair[0] < pair[1] ? pair[0] : pair[1]; /* `\K` may turn them round */
    *end = pair[0] < pair[1] ? pair[1] : pair[0];
}

/* How far one line has come. */
struct progress {
    size_t from, window;
    uint64_t began, last; /* clock */
};

/* Looks at the clock after a window. REGEX_NO_MATCH: go on. */
static enum regex_answer after_window(struct progress *progress, struct budget *budget)
{
    uint64_t now = clock_ns(), took = now - progress->last;

    progress->last = now;
    if (took < QUICK_NS) {
        progress->window *= 2;
        return REGEX_NO_MATCH;
    }
    if (took > SLOW_NS && progress->window > 1)
        progress->window /= 2;
    if (!budget_look(budget))
        return REGEX_STOPPED;
    return now - progress->began > LINE_NS ? REGEX_TOO_EXPENSIVE : REGEX_NO_MATCH;
}

/* Searches the windows of `line`. *slow: PCRE2 gave up in the window that begins at progress->from. */
static enum regex_answer search_windows(struct matcher *matcher, const char *line, size_t size,
                                        struct progress *progress, struct budget *budget,
                                        bool *slow)
{
    uint32_t limit = limit_for(size);
    enum regex_answer answer = REGEX_NO_MATCH;

    while (answer == REGEX_NO_MATCH) {
        size_t next = size - progress->from <= progress->window
                          ? size
                          : regex_boundary(line, size, progress->from + progress->window);
        int result;

        if (!budget_spend(budget, 1 + (next - progress->from) / 64))
            return REGEX_STOPPED;
        pcre2_set_offset_limit(matcher->room->context, next == size ? PCRE2_UNSET : next - 1);
        result = matcher_run(matcher, USE_LINE, line, size, progress->from, limit);
        if (result >= 0)
            return REGEX_MATCH;
        *slow = result != PCRE2_ERROR_NOMATCH;
        if (*slow || next == size)
            break;
        if (progress->from == 0 && progress->window == WINDOW)
            progress->began = progress->last = clock_ns();
        progress->from = next;
        answer = after_window(progress, budget);
    }
    return answer;
}

enum regex_answer matcher_find(struct matcher *matcher, const char *line, size_t size, size_t from,
                               struct budget *budget, size_t *start, size_t *end)
{
    struct progress progress = {.from = from, .window = WINDOW};
    enum regex_answer answer;
    bool slow = false;

    if (from > size)
        return REGEX_NO_MATCH;
    /* Without windows nothing bounds the fast way. */
    if (matcher->regex->undivided && size - from > WINDOW)
        return matcher_find_slowly(matcher, line, size, from, budget, start, end);
    answer = search_windows(matcher, line, size, &progress, budget, &slow);
    if (slow)
        return matcher_find_slowly(matcher, line, size, progress.from, budget, start, end);
    if (answer == REGEX_MATCH)
        matcher_hit(matcher, start, end);
    return answer;
}

static bool fill_room(struct match_room *room)
{
    room->data = pcre2_match_data_create(1, NULL);
    room->context = pcre2_match_context_create(NULL);
    if (room->data == NULL || room->context == NULL)
        return false;
    pcre2_set_heap_limit(room->context, REGEX_FAST_HEAP_KIB);
    return true;
}

static bool add_stack(struct match_room *room)
{
    if (room->stack == NULL)
        room->stack = pcre2_jit_stack_create(JIT_STACK_LEAST, JIT_STACK_MOST, NULL);
    if (room->stack == NULL)
        return false;
    pcre2_jit_stack_assign(room->context, NULL, room->stack);
    return true;
}

struct match_room *match_room_new(void)
{
    struct match_room *room = calloc(1, sizeof *room);

    if (room == NULL || fill_room(room))
        return room;
    match_room_free(room);
    return NULL;
}

void match_room_free(struct match_room *room)
{
    if (room == NULL)
        return;
    pcre2_match_data_free(room->data);
    pcre2_match_context_free(room->context);
    pcre2_match_context_free(room->careful_context);
    pcre2_jit_stack_free(room->stack);
    free(room->workspace);
    free(room);
}

struct matcher *matcher_new_in(const struct regex *regex, struct match_room *room)
{
    struct matcher *matcher;

    if (regex->jit && !add_stack(room))
        return NULL;
    matcher = calloc(1, sizeof *matcher);
    if (matcher == NULL)
        return NULL;
    matcher->regex = regex;
    matcher->room = room;
    return matcher;
}

struct matcher *matcher_new(const struct regex *regex)
{
    struct match_room *room = match_room_new();
    struct matcher *matcher = room == NULL ? NULL : matcher_new_in(regex, room);

    if (matcher == NULL)
        match_room_free(room);
    else
        matcher->own_room = room;
    return matcher;
}

void matcher_share(struct matcher *matcher, pthread_mutex_t *slow)
{
    matcher->slow = slow;
}

size_t matcher_size(const struct matcher *matcher)
{
    return sizeof *matcher + regex_code_size(matcher->careful) + regex_code_size(matcher->states);
}

void matcher_free(struct matcher *matcher)
{
    if (matcher == NULL)
        return;
    match_room_free(matcher->own_room);
    pcre2_code_free(matcher->careful);
    pcre2_code_free(matcher->states);
    free(matcher);
}
