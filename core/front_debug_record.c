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

static void add_step(struct bytes *line, const croft_debug_step *step)
{
    add_text(line, "{\"name\":", step->name, step->size);
    add_text(line, ",\"what\":", step->what, strlen(step->what));
    bytes_add_text(line, step->from_link ? ",\"from_link\":true" : ",\"from_link\":false");
    if (step->target != NULL)
        add_text(line, ",\"target\":", step->target, step->target_size);
    bytes_add_char(line, '}');
}

static void add_steps(struct bytes *line, const croft_debug_record *record)
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
        add_step(line, &record->steps[i]);
    }
    bytes_add_char(line, ']');
}

void front_debug_record(struct bytes *lines, const croft_debug_record *record)
{
    host_record_add(lines, record->record);
    if (lines->failed || lines->size < 2)
        return;
    lines->size -= 2; /* the end of the object, and of the line */
    add_place(lines, record);
    add_steps(lines, record);
    bytes_add_text(lines, "}\n");
}
