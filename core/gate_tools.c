/* SPDX-License-Identifier: MIT */
#include "gate_tools.h"

#include <stdlib.h>
#include <string.h>

static croft_effect effect_of(const char *word, size_t size)
{
    if (size == 5 && memcmp(word, "write", 5) == 0)
        return CROFT_WRITES;
    return size == 6 && memcmp(word, "search", 6) == 0 ? CROFT_SEARCHES : CROFT_READS;
}

/* Of "name\teffect\targument\targument...", `size` bytes. */
static bool take_tool(struct gate_tool *tool, const char *line, size_t size)
{
    const char *end = line + size;
    size_t field = strcspn(line, "\t\n");

    tool->name = strndup(line, field);
    line += field + 1;
    field = strcspn(line, "\t\n");
    tool->effect = effect_of(line, field);
    for (line += field; line < end; line += field) {
        line++;
        field = strcspn(line, "\t\n");
        bytes_add(&tool->arguments, line, field);
        bytes_add_char(&tool->arguments, '\0');
    }
    return tool->name != NULL && !tool->arguments.failed;
}

bool gate_tools_add(struct gate_tools *tools, const char *lines)
{
    while (*lines != '\0') {
        size_t size = strcspn(lines, "\n");
        struct gate_tool *items = realloc(tools->items, (tools->count + 1) * sizeof *items);

        if (items == NULL)
            return false;
        tools->items = items;
        memset(&items[tools->count], 0, sizeof *items);
        if (!take_tool(&items[tools->count++], lines, size))
            return false;
        lines += size + (lines[size] == '\n');
    }
    return true;
}

bool gate_tools_add_built_in(struct gate_tools *tools)
{
    return gate_tools_add(tools, "list\tread\t?path\n"
                                 "read\tread\tpath\n"
                                 "grep\tsearch\t?path\n"
                                 "write\twrite\tpath\n"
                                 "edit\twrite\tpath\n"
                                 "stat\tread\tpath\n"
                                 "move\twrite\tfrom\tto\n"
                                 "remove\twrite\tpath\n"
                                 "apply_patch\twrite\n"
                                 "open_file\tread\tpath\n"
                                 "open_json_file\tread\tpath\n"
                                 "open_markdown_file\tread\tpath\n"
                                 "stage_file\tread\tpath\n"
                                 "save_media\twrite\tpath\n"
                                 "list_directory\tread\t?path\n"
                                 "search_files\tsearch\t?path\n"
                                 "find_files\tsearch\t?path\n"
                                 "artifact_read\tread\n"
                                 "artifact_grep\tsearch\n"
                                 "artifact_json\tread\n"
                                 "artifact_outline\tread\n"
                                 "media_list\tread\n");
}

const struct gate_tool *gate_tools_find(const struct gate_tools *tools, const char *name)
{
    for (size_t i = 0; i < tools->count; i++)
        if (strcmp(tools->items[i].name, name) == 0)
            return &tools->items[i];
    return NULL;
}

void gate_tools_free(struct gate_tools *tools)
{
    for (size_t i = 0; i < tools->count; i++) {
        free(tools->items[i].name);
        bytes_free(&tools->items[i].arguments);
    }
    free(tools->items);
    memset(tools, 0, sizeof *tools);
}
