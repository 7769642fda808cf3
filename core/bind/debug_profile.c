/* SPDX-License-Identifier: MIT */
/* How often each line runs, and how long it takes until the next one does. */
#include <stdlib.h>
#include <string.h>

#include "bind/debug.h"
#include "json_scan.h"

enum { ROWS = 4096 }; /* lines beyond them are not counted */

static void add_time(struct debug_profile *profile)
{
    uint64_t now = clock_ns();

    if (profile->last != NULL)
        profile->last->ns += now - profile->since_ns;
    profile->since_ns = now;
}

static size_t hash(const char *source, int line)
{
    uint32_t sum = 2166136261u ^ (uint32_t)line;

    for (; *source != '\0'; source++)
        sum = (sum ^ (unsigned char)*source) * 16777619u;
    return sum % ROWS;
}

/* The row of that line, taken if it has none; NULL when all are taken. */
static struct profile_row *find(const struct debug_profile *profile, const char *source, int line)
{
    size_t at = hash(source, line);

    for (size_t i = 0; i < ROWS; i++, at = (at + 1) % ROWS) {
        struct profile_row *row = &profile->rows[at];

        if (row->file[0] == '\0') {
            strncpy(row->file, source, sizeof row->file - 1);
            row->line = line;
            return row;
        }
        if (row->line == line && strncmp(row->file, source, sizeof row->file - 1) == 0)
            return row;
    }
    return NULL;
}

void debug_profile_line(struct debug_profile *profile, const char *source, int line)
{
    add_time(profile);
    profile->last = *source == '\0' ? NULL : find(profile, source, line);
    if (profile->last != NULL)
        profile->last->hits++;
}

void debug_profile_end(struct debug_profile *profile)
{
    add_time(profile);
    profile->last = NULL;
}

void croft_debug_profile(croft_debug *debug, bool on)
{
    struct debug_profile *profile = &debug->profile;

    free(profile->rows);
    memset(profile, 0, sizeof *profile);
    if (on)
        profile->rows = calloc(ROWS, sizeof *profile->rows);
    profile->is_on = profile->rows != NULL;
}

void croft_debug_profiled(const croft_debug *debug, croft_debug_sink *sink, void *user)
{
    const struct debug_profile *profile = &debug->profile;
    struct bytes out = {0};

    bytes_add_char(&out, '[');
    for (size_t i = 0; profile->rows != NULL && i < ROWS; i++) {
        const struct profile_row *row = &profile->rows[i];

        if (row->file[0] == '\0')
            continue;
        bytes_add_text(&out, out.size > 1 ? ",{\"file\":" : "{\"file\":");
        json_quote(&out, row->file, strlen(row->file));
        bytes_add_text(&out, ",\"line\":");
        bytes_add_number(&out, (uint64_t)row->line);
        bytes_add_text(&out, ",\"hits\":");
        bytes_add_number(&out, row->hits);
        bytes_add_text(&out, ",\"us\":");
        bytes_add_number(&out, row->ns / 1000);
        bytes_add_char(&out, '}');
    }
    bytes_add_char(&out, ']');
    bytes_end(&out);
    sink(user, out.data, out.size);
    bytes_free(&out);
}
