/* SPDX-License-Identifier: MIT */
/* What one call may spend: steps and time, and whether somebody called it off. The kernel floor asks
 * and stops; it is the bind floor that turns a breach into a trap. */
#ifndef CROFT_BUDGET_H
#define CROFT_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum breach {
    BREACH_NONE,
    BREACH_STEPS,
    BREACH_TIME,
    BREACH_MEMORY,
    BREACH_CANCELLED,
    BREACH_RECORD /* what it did could not be recorded */
};

/* Who is told how far a call has come (a callback of the host). */
struct listener {
    void (*progress)(void *user, uint64_t done); /* NULL: nobody */
    void *user;
    uint64_t told_ns, told; /* when and what it was told last */
};

struct budget {
    uint64_t steps_left, steps_given;
    uint64_t started_ns, deadline_ns; /* of clock_ns() */
    uint64_t next_look;               /* steps_left at which the clock is read again */
    const atomic_bool *cancelled;     /* NULL: it cannot be */
    const atomic_bool *halted; /* the same, by other threads of this call; budget_start clears it */
    enum breach breach;        /* sticks */
    uint64_t done;             /* entries that walks have looked at */
    struct listener listener;  /* nobody, unless set behind budget_start */
};

void budget_start(struct budget *budget, uint64_t steps, uint64_t milliseconds,
                  const atomic_bool *cancelled);

/* Charges `steps`. False once there is a breach. Cheap: the clock is read every 4096 steps. */
bool budget_spend(struct budget *budget, uint64_t steps);

/* Reads the clock now. */
bool budget_look(struct budget *budget);

/* What a look at the time `now` would find; it changes nothing and tells nobody. */
enum breach budget_breach_at(const struct budget *budget, uint64_t now);

/* True when 9/10 of the time or of the steps are gone (or there is a breach): a search or walk ends itself then and shows what it has. */
bool budget_is_short(struct budget *budget);

/* Which of the two it was: fewer than 1/10 of the steps are left. */
bool budget_lacks_steps(const struct budget *budget);

#endif
