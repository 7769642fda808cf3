/* SPDX-License-Identifier: MIT */
/* How a function of the kernel floor reports that the budget is breached. */
#ifndef CROFT_BREACH_H
#define CROFT_BREACH_H

#include "budget.h"
#include "error.h"

static inline croft_status fail_breach(const struct budget *budget, croft_error *err)
{
    if (budget->breach == BREACH_CANCELLED)
        return fail(err, CROFT_CANCELLED, 0, "the call was cancelled");
    return fail(err, CROFT_STOPPED, 0, "the call used more than it may");
}

#endif
