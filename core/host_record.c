/* SPDX-License-Identifier: MIT */
#include "host_record.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "json_scan.h"
#include "utf8.h"

enum { TOOL_BYTES = 200, MICROSECONDS = 1000000 };

static void add_text(struct bytes *line, const char *key, const char *text, size_t size)
{
    bytes_add_text(line, key);
    if (text == NULL)
        bytes_add_text(line, "null");
    else
        json_quote(line, text, size);
}

/* A word; the empty one stands for none. */
static void add_word(struct bytes *line, const char *key, const char *word)
{
    add_text(line, key, *word == '\0' ? NULL : word, strlen(word));
}

static void add_number(struct bytes *line, const char *key, uint64_t number)
{
    bytes_add_text(line, key);
    bytes_add_number(line, number);
}

/* A name from the file system may have any bytes, and is to be told from another one. */
static void add_resolved(struct bytes *line, const croft_record *record)
{
    struct bytes shown = {0};

    if (record->resolved != NULL &&
        utf8_valid(record->resolved, record->resolved_size) != record->resolved_size) {
        (void)utf8_add_name(&shown, record->resolved, record->resolved_size);
        add_text(line, ",\"resolved\":", shown.data, shown.size);
    } else {
        add_text(line, ",\"resolved\":", record->resolved, record->resolved_size);
    }
    bytes_free(&shown);
}

/* ISO 8601, in UTC. */
static void add_time(struct bytes *line, uint64_t time)
{
    time_t seconds = (time_t)(time / MICROSECONDS);
    char day[32], text[64];
    struct tm parts;

    if (gmtime_r(&seconds, &parts) == NULL ||
        strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts) == 0)
        day[0] = '\0';
    (void)snprintf(text, sizeof text, "{\"time\":\"%s.%06uZ\"", day,
                   (unsigned)(time % MICROSECONDS));
    bytes_add_text(line, text);
}

void host_record_add(struct bytes *line, const croft_record *record)
{
    add_time(line, record->time);
    add_number(line, ",\"call\":", record->call_id);
    add_text(line, ",\"tool\":", record->tool,
             utf8_cut(record->tool, strlen(record->tool), TOOL_BYTES));
    add_text(line, ",\"op\":", record->operation, strlen(record->operation));
    add_text(line, ",\"path\":", record->path, record->path_size);
    add_resolved(line, record);
    add_word(line, ",\"verdict\":", record->verdict);
    add_word(line, ",\"rule\":", record->rule);
    if (record->decider != NULL)
        add_text(line, ",\"decider\":", record->decider, strlen(record->decider));
    if (record->digest != NULL)
        add_text(line, ",\"digest\":", record->digest, strlen(record->digest));
    if (record->note != NULL)
        add_text(line, ",\"note\":", record->note, strlen(record->note));
    add_number(line, ",\"bytes\":", record->bytes);
    add_number(line, ",\"us\":", record->microseconds);
    bytes_add(line, "}\n", 2);
}
