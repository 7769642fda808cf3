/* SPDX-License-Identifier: MIT */
#include "ceilings.h"

#include <stddef.h>
#include <string.h>

const struct limit_row limit_rows[] = {
#define X(name, value, low, high) {#name, value, low, high},
    CROFT_LIMITS(X)
#undef X
        {NULL, 0, 0, 0},
};

void limits_init(struct limits *limits)
{
#define X(name, value, low, high) limits->name = value;
    CROFT_LIMITS(X)
#undef X
}

uint64_t *limits_field(struct limits *limits, const char *name)
{
#define X(field, value, low, high)                                                                 \
    if (strcmp(name, #field) == 0)                                                                 \
        return &limits->field;
    CROFT_LIMITS(X)
#undef X
    return NULL;
}
