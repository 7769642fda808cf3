/* SPDX-License-Identifier: MIT */
/* A part of a result added to the whole, as if it had been searched into it. */
#include "search_batch.h"

#include <string.h>

/* What stands between the last row of the whole and the first of the part. */
static const char *between(const struct search_result *total, const struct search_result *part,
                           const struct search_options *options)
{
    if (total->text.size == 0 || part->text.size == 0)
        return "";
    return options->output == SEARCH_LINES && options->context > 0 ? "\n--\n" : "\n";
}

/* Whether no ceiling lies in the part. */
static bool fits(const struct search_result *total, const struct search_result *part,
                 const struct search_options *options)
{
    bool by_line = options->output == SEARCH_LINES;
    uint64_t count =
        by_line ? total->matches + part->matches : total->files_matched + part->files_matched;

    if (total->text.size == 0 && total->matches == 0) /* then it is as if it came first */
        return true;
    if (part->end == SEARCH_MATCH_CEILING || part->end == SEARCH_BYTE_CEILING)
        return false;
    return count <= options->match_ceiling &&
           total->text.size + strlen(between(total, part, options)) + part->text.size <=
               options->byte_ceiling;
}

static void take_first(char *total, const char *part)
{
    if (total[0] == '\0')
        memcpy(total, part, strlen(part) + 1);
}

static void add_counts(struct search_result *total, const struct search_result *part)
{
    total->matches += part->matches;
    total->files_matched += part->files_matched;
    total->files_searched += part->files_searched;
    total->binary += part->binary;
    total->large += part->large;
    total->unreadable += part->unreadable;
    total->unsendable += part->unsendable;
    total->mounts += part->mounts;
}

bool part_add(struct search_result *total, const struct search_result *part,
              const struct search_options *options)
{
    if (!fits(total, part, options))
        return false;
    bytes_add_text(&total->text, between(total, part, options));
    bytes_add(&total->text, part->text.data, part->text.size);
    total->text.failed = total->text.failed || part->text.failed;
    add_counts(total, part);
    take_first(total->first_escaped, part->first_escaped);
    take_first(total->first_large, part->first_large);
    take_first(total->first_binary, part->first_binary);
    total->end = part->end;
    if (part->too_expensive) {
        total->too_expensive = true;
        total->expensive_line = part->expensive_line;
        total->expensive_bytes = part->expensive_bytes;
        memcpy(total->expensive_file, part->expensive_file, sizeof part->expensive_file);
    }
    return true;
}
