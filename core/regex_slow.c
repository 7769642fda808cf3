/* SPDX-License-Identifier: MIT */
/*
 * A line on which backtracking got out of hand. A short one is tried by following all ways at once,
 * which takes size x size x pattern at most; otherwise the interpreter of PCRE2 tries again, asks after
 * each step whether to go on, and is stopped after a fixed number of them.
 */
#include "regex_parts.h"
#include "sys.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STATES_LINE = 1024,       /* longest line for USE_STATES */
    STATES_WINDOW = 32,       /* start offsets between two looks at the clock */
    STATES_WORKSPACE = 16384, /* ints */
    STATES_NS = 300000000,
    CAREFUL_WORK = 3000000, /* and some for each byte of the line */
    CAREFUL_WORK_A_BYTE = 4,
    WORK_A_STEP = 16, /* of the budget */
    WORK_BETWEEN_LOOKS = 4096
};

/* ---- all ways at once ---- */

static bool prepare_states(struct matcher *matcher)
{
    struct match_room *room = matcher->room;
    const struct bytes *pattern = &matcher->regex->pattern;
    size_t at;
    int number;

    if (room->workspace == NULL)
        room->workspace = malloc(STATES_WORKSPACE * sizeof *room->workspace);
    if (matcher->states == NULL)
        matcher->states =
            regex_compile(matcher->regex, pattern->data, pattern->size, USE_STATES, &number, &at);
    return room->workspace != NULL && matcher->states != NULL;
}

static int run_states(struct matcher *matcher, const char *line, size_t size, size_t from,
                      size_t next)
{
    struct match_room *room = matcher->room;
    pcre2_set_offset_limit(room->context, next == size ? PCRE2_UNSET : next - 1);
    pcre2_set_match_limit(room->context, CAREFUL_WORK);
    return pcre2_dfa_match(matcher->states, (PCRE2_SPTR)line, size, from, 0, room->data,
                           room->context, room->workspace, STATES_WORKSPACE);
}

/* *from moves on to where the search stands. `REGEX_TOO_EXPENSIVE`: try the other way. */
static enum regex_answer find_states(struct matcher *matcher, const char *line, size_t size,
                                     size_t *from, struct budget *budget)
{
    uint64_t began = clock_ns();

    for (;;) {
        size_t next = size - *from <= STATES_WINDOW
                          ? size
                          : regex_boundary(line, size, *from + STATES_WINDOW);
        int result = run_states(matcher, line, size, *from, next);

        if (result >= 0)
            return REGEX_MATCH;
        if (result != PCRE2_ERROR_NOMATCH)
            return REGEX_TOO_EXPENSIVE;
        if (!budget_spend(budget, 1 + size * (next - *from) / WORK_A_STEP) || !budget_look(budget))
            return REGEX_STOPPED;
        if (next == size)
            return REGEX_NO_MATCH;
        *from = next;
        if (clock_ns() - began > STATES_NS)
            return REGEX_TOO_EXPENSIVE;
    }
}

/* ---- step by step ---- */

struct careful {
    struct budget *budget;
    uint64_t work, most, charged;
    size_t position;
    bool stopped;
};

/* A step costs what it moved over since the last one. */
static int count_step(pcre2_callout_block *block, void *user)
{
    struct careful *careful = user;
    size_t now = block->current_position, before = careful->position;

    careful->position = now;
    careful->work += 1 + (now > before ? now - before : before - now) / WORK_A_STEP;
    if (careful->work - careful->charged < WORK_BETWEEN_LOOKS)
        return 0;
    careful->stopped =
        !budget_spend(careful->budget, (careful->work - careful->charged) / WORK_A_STEP) ||
        !budget_look(careful->budget);
    careful->charged = careful->work;
    return careful->stopped || careful->work > careful->most ? PCRE2_ERROR_CALLOUT : 0;
}

/* Memory that goes back to the system at once: malloc keeps what a thread has freed. */
struct block {
    _Alignas(max_align_t) size_t size;
};

static void *take_block(size_t size, void *user)
{
    struct block *block;

    (void)user;
    size += sizeof *block;
    block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    block->size = size;
    return block + 1;
}

static void give_block(void *memory, void *user)
{
    struct block *block = memory;

    (void)user;
    if (block != NULL)
        munmap(block - 1, block[-1].size);
}

/* For one match: it grows large. */
static pcre2_match_data *new_data(void)
{
    pcre2_general_context *context = pcre2_general_context_create(take_block, give_block, NULL);
    pcre2_match_data *data = context == NULL ? NULL : pcre2_match_data_create(1, context);

    pcre2_general_context_free(context); /* the data has a copy */
    return data;
}

static bool prepare_careful(struct matcher *matcher)
{
    struct match_room *room = matcher->room;
    const struct bytes *pattern = &matcher->regex->pattern;
    size_t at;
    int number;

    if (room->careful_context == NULL)
        room->careful_context = pcre2_match_context_create(NULL);
    if (matcher->careful == NULL)
        matcher->careful =
            regex_compile(matcher->regex, pattern->data, pattern->size, USE_CAREFUL, &number, &at);
    return room->careful_context != NULL && matcher->careful != NULL;
}

/* The match is left in `data`. */
static enum regex_answer run_careful(struct matcher *matcher, pcre2_match_data *data,
                                     const char *line, size_t size, size_t from,
                                     struct budget *budget)
{
    struct match_room *room = matcher->room;
    struct careful careful = {.budget = budget,
                              .most = CAREFUL_WORK + (uint64_t)size * CAREFUL_WORK_A_BYTE};
    int result;

    pcre2_set_callout(room->careful_context, count_step, &careful);
    pcre2_set_heap_limit(room->careful_context, REGEX_HEAP_KIB);
    pcre2_set_match_limit(room->careful_context, UINT32_MAX);
    result = pcre2_match(matcher->careful, (PCRE2_SPTR)(size == 0 ? "" : line), size, from, 0, data,
                         room->careful_context);
    pcre2_set_callout(room->careful_context, NULL, NULL);
    if (careful.stopped)
        return REGEX_STOPPED;
    if (result >= 0)
        return REGEX_MATCH;
    return result == PCRE2_ERROR_NOMATCH ? REGEX_NO_MATCH : REGEX_TOO_EXPENSIVE;
}

static enum regex_answer find_careful(struct matcher *matcher, const char *line, size_t size,
                                      size_t from, struct budget *budget)
{
    pcre2_match_data *data = new_data();
    enum regex_answer answer;

    if (data == NULL)
        return REGEX_TOO_EXPENSIVE;
    if (matcher->slow != NULL)
        pthread_mutex_lock(matcher->slow);
    answer = run_careful(matcher, data, line, size, from, budget);
    if (answer == REGEX_MATCH)
        memcpy(pcre2_get_ovector_pointer(matcher->room->data), pcre2_get_ovector_pointer(data),
               2 * sizeof(PCRE2_SIZE));
    pcre2_match_data_free(data);
    if (matcher->slow != NULL)
        pthread_mutex_unlock(matcher->slow);
    return answer;
}

enum regex_answer matcher_find_slowly(struct matcher *matcher, const char *line, size_t size,
                                      size_t from, struct budget *budget, size_t *start,
                                      size_t *end)
{
    enum regex_answer answer = REGEX_TOO_EXPENSIVE;

    if (matcher->regex->plain && size > 0 && size <= STATES_LINE && prepare_states(matcher))
        answer = find_states(matcher, line, size, &from, budget);
    if (answer == REGEX_TOO_EXPENSIVE && prepare_careful(matcher))
        answer = find_careful(matcher, line, size, from, budget);
    if (answer == REGEX_MATCH)
        matcher_hit(matcher, start, end);
    return answer;
}
