/* SPDX-License-Identifier: MIT */
/* What gates and policies know of tools. */
#ifndef CROFT_GATE_TOOLS_H
#define CROFT_GATE_TOOLS_H

#include "question.h"

struct gate_tools {
    struct gate_tool *items;
    size_t count;
};

/* Adds those of `lines`: "name\teffect\targument\targument..." each, as call.gates of lua/croft has it. False
 * when memory ran out. */
bool gate_tools_add(struct gate_tools *tools, const char *lines);

/* Adds the tools that come with croft. */
bool gate_tools_add_built_in(struct gate_tools *tools);

/* The first of that name; NULL when there is none. */
const struct gate_tool *gate_tools_find(const struct gate_tools *tools, const char *name);

void gate_tools_free(struct gate_tools *tools);

#endif
