/* SPDX-License-Identifier: MIT */
/* One match in the making, between pattern.c, which runs it, and pattern_step.c. */
#ifndef CROFT_PATTERN_MACHINE_H
#define CROFT_PATTERN_MACHINE_H

#include "pattern.h"

/* Costs are counted in parts of a step and charged when some steps are together. */
enum { PATTERN_PARTS = 8 };

struct choice {
    const char *item, *item_end; /* what takes a character more or one less */
    const char *rest;            /* the pattern behind it and its sign */
    const char *at;              /* where its characters end now */
    const char *least;           /* where they end at the least */
    uint32_t open;               /* the captures, as they were */
    unsigned count;
    bool grows; /* from the least number on ("-"), else it shrinks from the greatest */
};

struct machine {
    struct pattern *pattern;
    const char *item; /* what comes next in the pattern */
    const char *at;   /* and in the subject */
    uint64_t cost;
    bool stopped;
    size_t depth;
    struct choice choices[PATTERN_CHOICES];
};

enum step { STEP_ON, STEP_BACK, STEP_END, STEP_FAULT };

/* Charges what is together. */
void machine_flush(struct machine *machine);
void machine_charge(struct machine *machine, size_t parts);

/* What it costs to hold one character against an item. */
size_t machine_price(const char *item, const char *item_end);

/* The fault that ends it. */
enum step machine_fault(struct machine *machine, const char *text);

/* The same, where all of the pattern behind `item` was looked through for an end of it. */
enum step machine_fault_in(struct machine *machine, const char *item, const char *text);

/* A step over the item at which the machine stands: "(", ")", "%1", "%bxy" and "%f[set]". */
enum step step_open(struct machine *machine);
enum step step_close(struct machine *machine);
enum step step_reference(struct machine *machine, char digit);
enum step step_balance(struct machine *machine);
enum step step_frontier(struct machine *machine);

#endif
