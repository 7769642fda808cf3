/* SPDX-License-Identifier: MIT */
#include "pattern_machine.h"

#include <string.h>

#include "pattern_item.h"

enum { PARTS_AT_ONCE = 256 * PATTERN_PARTS };

void machine_flush(struct machine *machine)
{
    if (!budget_spend(machine->pattern->budget, machine->cost / PATTERN_PARTS))
        machine->stopped = true;
    machine->cost %= PATTERN_PARTS;
}

void machine_charge(struct machine *machine, size_t parts)
{
    machine->cost += parts;
    if (machine->cost >= PARTS_AT_ONCE)
        machine_flush(machine);
}

size_t machine_price(const char *item, const char *item_end)
{
    return 1 + (size_t)(item_end - item) / 8;
}

enum step machine_fault(struct machine *machine, const char *text)
{
    strncpy(machine->pattern->fault, text, sizeof machine->pattern->fault - 1);
    return STEP_FAULT;
}

enum step machine_fault_in(struct machine *machine, const char *item, const char *text)
{
    machine_charge(machine, (size_t)(machine->pattern->text_end - item));
    return machine_fault(machine, text);
}

/* ---- captures ---------------------------------------------------------------------------------- */

enum step step_open(struct machine *machine)
{
    struct pattern *pattern = machine->pattern;
    struct pattern_capture *capture = &pattern->captures[pattern->count];

    if (pattern->count == PATTERN_CAPTURES)
        return machine_fault(machine, "too many captures");
    capture->start = machine->at;
    capture->size = PATTERN_POSITION;
    machine->item++;
    if (machine->item < pattern->text_end && *machine->item == ')')
        machine->item++; /* a position capture is never open */
    else
        pattern->open |= UINT32_C(1) << pattern->count;
    pattern->count++;
    return STEP_ON;
}

/* A ")" belongs to the last "(" that has none. */
enum step step_close(struct machine *machine)
{
    struct pattern *pattern = machine->pattern;
    unsigned index = pattern->count;

    do {
        if (index == 0)
            return machine_fault(machine, "invalid pattern capture");
        index--;
    } while ((pattern->open >> index & 1) == 0);
    pattern->open &= ~(UINT32_C(1) << index);
    pattern->captures[index].size = (size_t)(machine->at - pattern->captures[index].start);
    machine->item++;
    return STEP_ON;
}

/* "%1": the text of a capture once more. */
enum step step_reference(struct machine *machine, char digit)
{
    struct pattern *pattern = machine->pattern;
    unsigned index = (unsigned)(digit - '1'); /* of "%0": none has it */
    size_t left = (size_t)(pattern->subject_end - machine->at), size;

    if (digit == '0' || index >= pattern->count || (pattern->open >> index & 1) != 0) {
        char text[] = "invalid capture index %0";

        text[sizeof text - 2] = digit;
        return machine_fault(machine, text);
    }
    size = pattern->captures[index].size;
    if (size > left)
        return STEP_BACK;
    machine_charge(machine, size / 4);
    if (memcmp(pattern->captures[index].start, machine->at, size) != 0)
        return STEP_BACK;
    machine->at += size;
    machine->item += 2;
    return STEP_ON;
}

/* ---- %b and %f --------------------------------------------------------------------------------- */

/* "%bxy": from an x to the y that closes it. */
enum step step_balance(struct machine *machine)
{
    const struct pattern *pattern = machine->pattern;
    const char *at = machine->at;
    size_t depth = 0;

    if (pattern->text_end - machine->item < 4)
        return machine_fault(machine, "malformed pattern (missing arguments to '%b')");
    if (at == pattern->subject_end || *at != machine->item[2])
        return STEP_BACK;
    for (; at < pattern->subject_end && !machine->stopped; at++) {
        machine_charge(machine, 1);
        if (at > machine->at && *at == machine->item[3]) /* first: x and y may be the same */
            depth--;
        else if (*at == machine->item[2])
            depth++;
        if (depth == 0) {
            machine->at = at + 1;
            machine->item += 4;
            return STEP_ON;
        }
    }
    return STEP_BACK;
}

/* "%f[set]": the border at which the set begins. Before and behind the subject there is a NUL. */
enum step step_frontier(struct machine *machine)
{
    const struct pattern *pattern = machine->pattern;
    const char *set = machine->item + 2, *text, *end;
    unsigned char before = '\0', here = '\0';

    if (set == pattern->text_end || *set != '[')
        return machine_fault(machine, "missing '[' after '%f' in pattern");
    end = pattern_item_end(set, pattern->text_end, &text);
    if (end == NULL)
        return machine_fault_in(machine, set, text);
    if (machine->at > pattern->subject)
        before = (unsigned char)machine->at[-1];
    if (machine->at < pattern->subject_end)
        here = (unsigned char)*machine->at;
    machine_charge(machine, 2 * machine_price(set, end));
    if (pattern_set_has(set, end, before) || !pattern_set_has(set, end, here))
        return STEP_BACK;
    machine->item = end;
    return STEP_ON;
}
