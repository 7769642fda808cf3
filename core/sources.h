/* SPDX-License-Identifier: MIT */
/* The Lua sources of a session: those inside the library, and the files of its tool directories. */
#ifndef CROFT_SOURCES_H
#define CROFT_SOURCES_H

#include "bytes.h"
#include "error.h"

struct source {
    char *module;     /* "croft.tool", "tools.workspace.read", "user.1.count_lines" */
    char *chunk;      /* "@tools/workspace/read.lua": how errors name it; no host path */
    struct bytes own; /* compiled, when it is this session's alone */
    const char *code; /* compiled: in `own`, or in the process's cache */
    size_t size;
    bool is_tool;
};

struct sources {
    struct source *items;
    size_t count, capacity;
};

/* Gathers them all. `tool_dirs` are host paths; each *.lua file in one is a tool. */
croft_status sources_gather(struct sources *sources, const croft_session_options *options,
                            croft_error *err);
void sources_free(struct sources *sources);

/* NULL when there is none of that name. */
const struct source *sources_find(const struct sources *sources, const char *module);

#endif
