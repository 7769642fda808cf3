/* SPDX-License-Identifier: MIT */
/* The Lua sources of a session: those inside the library, and the files of its tool directories. */
#ifndef CROFT_SOURCES_H
#define CROFT_SOURCES_H

#include "bytes.h"
#include "error.h"
#include "problems.h"

struct embedded_source;

struct source {
    char *module;     /* "croft.tool", "tools.workspace.read", "user.1.count_lines" */
    char *chunk;      /* "@tools/workspace/read.lua": how errors name it; no host path */
    struct bytes own; /* compiled, when it is this session's alone */
    struct bytes
        text; /* of the same, where a debugger shows it or its parts are to be found again */
    const struct embedded_source *embedded; /* the library's own; else NULL */
    unsigned
        line; /* where it begins to say what it is about, as far as can be seen; 0: not known */
    bool is_tool;
    bool is_left_out; /* it could not be loaded, and nobody minds */
};

struct sources {
    struct source *items;
    size_t count, capacity;
    bool keeps_text; /* set before they are gathered */
};

/* Gathers them all. `tool_dirs` are host paths; each *.lua file in one is a tool, or part of a tool set.
 * Of what is wrong with them *problems is told, and the others are gathered all the same. */
croft_status sources_gather(struct sources *sources, const croft_session_options *options,
                            struct problems *problems, croft_error *err);
void sources_free(struct sources *sources);

/* NULL when there is none of that name. */
const struct source *sources_find(const struct sources *sources, const char *module);

/* Whether it is the toolset.lua of a tool directory, which may restrict what everybody else may do. */
bool source_is_manifest(const struct source *source);

/* The line of a toolset.lua or messages.lua on which `word` stands, or the one that is best beside; 0: not known. */
unsigned source_line_of(const struct source *source, const char *word);

struct code {
    const char *data;
    size_t size;
};

/* The source compiled; it lives as long as the source. {NULL, 0}: *err says why. Any thread. */
struct code source_code(const struct source *source, croft_error *err);

#endif
