/* SPDX-License-Identifier: MIT */
#include "front_debug_record.h"

#include <string.h>

#include "host_record.h"
#include "json_scan.h"

static void add_text(struct bytes *line, const char *key, const char *text, size_t size)
{
    bytes_add_text(line, key);
    json_quote(line, text, size);
}

static void add_place(struct bytes *line, const croft_debug_record *record)
{
    if (record->line == 0)
        return;
    add_text(line, ",\"file\":", record->file, strlen(record->file));
    bytes_add_text(line, ",\"line\":");
    bytes_add_number(line, (uint64_t)record->line);
}

static bool goes_up(const char *target, size_t size)
{
    for (size_t at = 0; at + 1 < size; at++) {
        bool begins = at == 0 || target[at - 1] == '/';

        if (begins && target[at] == '.' && target[at + 1] == '.' &&
            (at + 2 == size || target[at + 2] == '/'))
            return true;
    }
    return false;
}

static void add_target(struct bytes *line, const croft_debug_step *step, bool shows_host)
{
    const char *word = shows_host                                      ? NULL
                       : step->target_size > 0 && *step->target == '/' ? "an absolute path"
                       : goes_up(step->target, step->target_size)      ? "a path that goes up"
                                                                       : NULL;

    if (word != NULL)
        add_text(line, ",\"target\":", word, strlen(word));
    else
        add_text(line, ",\"target\":", step->target, step->target_size);
}

static void add_step(struct bytes *line, const croft_debug_step *step, bool shows_host)
{
    add_text(line, "{\"name\":", step->name, step->size);
    add_text(line, ",\"what\":", step->what, strlen(step->what));
    bytes_add_text(line, step->from_link ? ",\"from_link\":true" : ",\"from_link\":false");
    if (step->target != NULL)
        add_target(line, step, shows_host);
    bytes_add_char(line, '}');
}

static void add_steps(struct bytes *line, const croft_debug_record *record, bool shows_host)
{
    if (record->blamed == NULL)
        return;
    add_text(line, ",\"blamed\":", record->blamed, record->blamed_size);
    if (record->read_only != NULL)
        add_text(line, ",\"read_only\":", record->read_only, strlen(record->read_only));
    bytes_add_text(line, ",\"steps\":[");
    for (size_t i = 0; i < record->step_count; i++) {
        if (i > 0)
            bytes_add_char(line, ',');
        add_step(line, &record->steps[i], shows_host);
    }
    bytes_add_char(line, ']');
}

bool front_debug_is_primitive(const croft_debug_record *record)
{
    static const char *const others[] = {"call", "end", "question", "verdict"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(record->record->operation, others[i]) == 0)
            return false;
    return true;
}

void front_debug_record(struct bytes *lines, const croft_debug_record *record, uint64_t number,
                        bool shows_host)
{
    host_record_add(lines, record->record);
    if (lines->failed || lines->size < 2)
        return;
    lines->size -= 2; /* the end of the object, and of the line */
    add_place(lines, record);
    add_steps(lines, record, shows_host);
    if (number > 0) {
        bytes_add_text(lines, ",\"n\":");
        bytes_add_number(lines, number);
    }
    bytes_add_text(lines, "}\n");
}
