/* SPDX-License-Identifier: MIT */
#include "budget.h"

#include "sys.h"

enum { STEPS_BETWEEN_LOOKS = 4096 };

void budget_start(struct budget *budget, uint64_t steps, uint64_t milliseconds,
                  const atomic_bool *cancelled)
{
    budget->steps_left = budget->steps_given = steps;
    budget->started_ns = clock_ns();
    budget->deadline_ns = budget->started_ns + milliseconds * 1000000;
    budget->next_look = steps;
    budget->cancelled = cancelled;
    budget->breach = BREACH_NONE;
}

bool budget_look(struct budget *budget)
{
    budget->next_look = budget->steps_left > STEPS_BETWEEN_LOOKS
                            ? budget->steps_left - STEPS_BETWEEN_LOOKS
                            : 0;
    if (budget->breach != BREACH_NONE)
        return false;
    if (budget->cancelled != NULL && atomic_load(budget->cancelled))
        budget->breach = BREACH_CANCELLED;
    else if (clock_ns() >= budget->deadline_ns)
        budget->breach = BREACH_TIME;
    return budget->breach == BREACH_NONE;
}

bool budget_spend(struct budget *budget, uint64_t steps)
{
    if (budget->breach != BREACH_NONE)
        return false;
    if (steps > budget->steps_left) {
        budget->steps_left = 0;
        budget->breach = BREACH_STEPS;
        return false;
    }
    budget->steps_left -= steps;
    return budget->steps_left > budget->next_look || budget_look(budget);
}

bool budget_is_short(struct budget *budget)
{
    uint64_t given = budget->deadline_ns - budget->started_ns;

    if (!budget_look(budget))
        return true;
    return clock_ns() >= budget->deadline_ns - given / 10 ||
           budget->steps_left < budget->steps_given / 10;
}
