/* SPDX-License-Identifier: MIT */
/*
 * A pattern is a row of items without alternatives or nesting, so all that a match may have to come
 * back to is how many characters an item with a sign took. Those places are on a stack of choices, one
 * for each such item, in place of the C stack.
 */
#include "pattern.h"

#include <string.h>

#include "pattern_item.h"
#include "pattern_machine.h"

/* ---- items for one character, and their signs -------------------------------------------------- */

static bool fits(struct machine *machine, const char *item, const char *item_end, const char *at)
{
    machine_charge(machine, machine_price(item, item_end));
    return at < machine->pattern->subject_end &&
           pattern_item_fits(item, item_end, (unsigned char)*at);
}

/* The end of the longest row of characters, at most `most`, that fit the item. */
static const char *longest(struct machine *machine, const char *item, const char *item_end,
                           size_t most)
{
    const char *at = machine->at;

    while (most-- > 0 && fits(machine, item, item_end, at) && !machine->stopped)
        at++;
    return at;
}

static enum step push(struct machine *machine, const struct choice *choice)
{
    if (machine->depth == PATTERN_CHOICES)
        return machine_fault(machine, "pattern too complex");
    machine->choices[machine->depth] = *choice;
    machine->choices[machine->depth].count = machine->pattern->count;
    machine->choices[machine->depth].open = machine->pattern->open;
    machine->depth++;
    return STEP_ON;
}

/* "*", "+" and "?": as many as there are; fewer if the rest wants it so. */
static enum step shrinking(struct machine *machine, const char *item_end)
{
    size_t least = *item_end == '+' ? 1 : 0, most = *item_end == '?' ? 1 : SIZE_MAX;
    const char *start = machine->at;
    const char *stop = longest(machine, machine->item, item_end, most);
    const struct choice choice = {.item = machine->item,
                                  .item_end = item_end,
                                  .rest = item_end + 1,
                                  .at = stop,
                                  .least = start + least};

    if (stop < choice.least)
        return STEP_BACK;
    machine->at = stop;
    machine->item = choice.rest;
    return stop == choice.least ? STEP_ON : push(machine, &choice);
}

/* "-": as few as will do. */
static enum step growing(struct machine *machine, const char *item_end)
{
    const struct choice choice = {.item = machine->item,
                                  .item_end = item_end,
                                  .rest = item_end + 1,
                                  .at = machine->at,
                                  .least = machine->at,
                                  .grows = true};

    machine->item = choice.rest;
    return push(machine, &choice);
}

static enum step single(struct machine *machine)
{
    const char *text, *end = pattern_item_end(machine->item, machine->pattern->text_end, &text);

    if (end == NULL)
        return machine_fault_in(machine, machine->item, text);
    machine_charge(machine, (size_t)(end - machine->item) / 4);
    switch (end < machine->pattern->text_end ? *end : '\0') {
    case '*':
    case '+':
    case '?': return shrinking(machine, end);
    case '-': return growing(machine, end);
    default: break;
    }
    if (!fits(machine, machine->item, end, machine->at))
        return STEP_BACK;
    machine->at++;
    machine->item = end;
    return STEP_ON;
}

/* ---- the run ----------------------------------------------------------------------------------- */

static enum step escape(struct machine *machine)
{
    const char *letter = machine->item + 1;

    if (letter == machine->pattern->text_end)
        return single(machine); /* which knows the fault */
    if (*letter == 'b')
        return step_balance(machine);
    if (*letter == 'f')
        return step_frontier(machine);
    if (*letter >= '0' && *letter <= '9')
        return step_reference(machine, *letter);
    return single(machine);
}

static enum step advance(struct machine *machine)
{
    const struct pattern *pattern = machine->pattern;

    machine_charge(machine, PATTERN_PARTS);
    if (machine->item == pattern->text_end)
        return STEP_END;
    switch (*machine->item) {
    case '(': return step_open(machine);
    case ')': return step_close(machine);
    case '%': return escape(machine);
    case '$':
        if (machine->item + 1 < pattern->text_end)
            return single(machine);
        return machine->at == pattern->subject_end ? STEP_END : STEP_BACK;
    default: return single(machine);
    }
}

/* Tries the last choice that has another way. */
static enum step go_back(struct machine *machine)
{
    while (machine->depth > 0) {
        struct choice *choice = &machine->choices[machine->depth - 1];

        machine_charge(machine, PATTERN_PARTS);
        if (choice->grows && !fits(machine, choice->item, choice->item_end, choice->at)) {
            machine->depth--;
            continue;
        }
        choice->at += choice->grows ? 1 : -1;
        if (choice->at == choice->least)
            machine->depth--; /* its last way */
        machine->at = choice->at;
        machine->item = choice->rest;
        machine->pattern->count = choice->count;
        machine->pattern->open = choice->open;
        return STEP_ON;
    }
    return STEP_BACK;
}

static enum pattern_answer run(struct machine *machine)
{
    for (;;) {
        enum step step = advance(machine);

        if (step == STEP_BACK)
            step = go_back(machine);
        if (machine->stopped)
            return PATTERN_STOPPED;
        switch (step) {
        case STEP_ON: break;
        case STEP_BACK: return PATTERN_NONE;
        case STEP_END: return PATTERN_MATCH;
        case STEP_FAULT: return PATTERN_FAULT;
        }
    }
}

void pattern_init(struct pattern *pattern, const char *text, size_t text_size, const char *subject,
                  size_t subject_size, struct budget *budget)
{
    pattern->text = text;
    pattern->text_end = text + text_size;
    pattern->subject = subject;
    pattern->subject_end = subject + subject_size;
    pattern->budget = budget;
    pattern->count = 0;
    pattern->open = 0;
    memset(pattern->fault, 0, sizeof pattern->fault);
}

/* The machine is handed in, so that its cost is carried from one place to the next. */
static enum pattern_answer match_at(struct machine *machine, const char *at)
{
    machine->item = machine->pattern->text;
    machine->at = at;
    machine->depth = 0;
    machine->pattern->count = 0;
    machine->pattern->open = 0;
    return run(machine);
}

enum pattern_answer pattern_match(struct pattern *pattern, const char *at, const char **end)
{
    struct machine machine;
    enum pattern_answer answer;

    machine.pattern = pattern;
    machine.cost = PATTERN_PARTS - 1;
    machine.stopped = false;
    answer = match_at(&machine, at);
    machine_flush(&machine);
    *end = machine.at;
    return machine.stopped ? PATTERN_STOPPED : answer;
}

enum pattern_answer pattern_find(struct pattern *pattern, const char *from, const char **start,
                                 const char **end)
{
    struct machine machine;
    enum pattern_answer answer;

    machine.pattern = pattern;
    machine.cost = PATTERN_PARTS - 1;
    machine.stopped = false;
    do
        answer = match_at(&machine, *start = from);
    while (answer == PATTERN_NONE && from++ < pattern->subject_end);
    machine_flush(&machine);
    *end = machine.at;
    return machine.stopped ? PATTERN_STOPPED : answer;
}

bool pattern_is_plain(const char *text, size_t size)
{
    static const char marks[] = "^$*+?.([%-"; /* a lone ")" or "]" means itself */

    for (size_t i = 0; i < size; i++)
        if (text[i] != '\0' && strchr(marks, text[i]) != NULL)
            return false;
    return true;
}
