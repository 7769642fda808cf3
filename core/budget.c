/* SPDX-License-Identifier: MIT */
#include "budget.h"

#include "sys.h"

enum { STEPS_BETWEEN_LOOKS = 4096 };

void budget_start(struct budget *budget, uint64_t steps, uint64_t milliseconds,
                  const atomic_bool *cancelled)
{
    uint64_t now = clock_ns();

    *budget = (struct budget){
        .steps_left = steps,
        .steps_given = steps,
        .started_ns = now,
        .deadline_ns = now + milliseconds * 1000000,
        .next_look = steps,
        .cancelled = cancelled,
    };
}

/* Nothing in the first half second, then at most five times a second, and only what is more. */
static void tell(struct budget *budget, uint64_t now)
{
    enum { QUIET_NS = 500 * 1000 * 1000, BETWEEN_NS = 200 * 1000 * 1000 };
    struct listener *listener = &budget->listener;

    if (listener->progress == NULL || budget->done <= listener->told ||
        now - budget->started_ns < QUIET_NS || now - listener->told_ns < BETWEEN_NS)
        return;
    listener->told = budget->done;
    listener->told_ns = now;
    listener->progress(listener->user, listener->told);
}

static bool is_set(const atomic_bool *flag)
{
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed);
}

enum breach budget_breach_at(const struct budget *budget, uint64_t now)
{
    if (budget->breach != BREACH_NONE)
        return budget->breach;
    if (is_set(budget->cancelled) || is_set(budget->halted))
        return BREACH_CANCELLED;
    return now >= budget->deadline_ns ? BREACH_TIME : BREACH_NONE;
}

static bool look(struct budget *budget, uint64_t now)
{
    budget->next_look =
        budget->steps_left > STEPS_BETWEEN_LOOKS ? budget->steps_left - STEPS_BETWEEN_LOOKS : 0;
    if (budget->breach != BREACH_NONE)
        return false;
    budget->breach = budget_breach_at(budget, now);
    if (budget->breach != BREACH_NONE)
        return false;
    tell(budget, now);
    return true;
}

bool budget_look(struct budget *budget)
{
    return look(budget, clock_ns());
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

bool budget_lacks_steps(const struct budget *budget)
{
    return budget->steps_left < budget->steps_given / 10;
}

bool budget_is_short(struct budget *budget)
{
    uint64_t given = budget->deadline_ns - budget->started_ns, now = clock_ns();

    if (!look(budget, now))
        return true;
    return now >= budget->deadline_ns - given / 10 || budget_lacks_steps(budget);
}
