/* SPDX-License-Identifier: MIT */
/*
 * Many lines at once, where that is right. Where it is known what a matching line holds, that is looked
 * for, and the pattern is tried on the lines that hold it. Else the pattern itself is run over pieces
 * that end at line ends, if it is one that a neighbouring line cannot make fail; a hit that does not keep
 * to its line is tried again on the line alone. Everything else goes line by line.
 */
#include "lines.h"
#include "regex_parts.h"
#include "utf8.h"

#include <string.h>

enum {
    FIRST_PIECE = 2 * 1024, /* small, since the next hit may be near */
    LARGEST_PIECE = 64 * 1024,
    PIECE_LIMIT = 2000, /* of matching; beyond it goes line by line, with a higher one */
    LINES_BETWEEN_LOOKS = 16,
    /* bytes for a step, so that the steps of a call last as long as its time: of what is looked through for a
     * text, and of what the pattern is run over */
    HUNTED_A_STEP = 1024,
    MATCHED_A_STEP = 256,
    FIRST_ALARMS =
        64, /* after so many finds that were no match it is asked whether looking pays: */
    BYTES_AN_ALARM = 256 /* it does not, when one comes in fewer bytes */
};

/* The buffer, and where in it the answer is. */
struct find {
    struct matcher *matcher;
    struct budget *budget;
    const char *text;
    size_t size;
    size_t start, end, match_start, match_end;
};

/* Which code fits the CRs in [from, end). USE_LINE: none does. */
static enum regex_use use_for(const struct find *find, size_t from, size_t end)
{
    const char *at = memchr(find->text + from, '\r', end - from);

    if (at == NULL)
        return USE_LF;
    while (at != NULL) {
        size_t next = (size_t)(at - find->text) + 1;

        if (next == end || find->text[next] != '\n')
            return USE_LINE;
        at = memchr(find->text + next, '\r', end - next);
    }
    return USE_CRLF;
}

/* Sets the answer's line to that which begins at `start`; returns where its LF is. */
static size_t take_line(struct find *find, size_t start)
{
    size_t end = lines_end(find->text, find->size, start);

    find->start = start;
    find->end = lines_trim(find->text, find->size, start, end);
    return end;
}

static enum regex_answer try_line(struct find *find)
{
    size_t start = 0, end = 0;
    enum regex_answer answer = matcher_find(find->matcher, find->text + find->start,
                                            find->end - find->start, 0, find->budget, &start, &end);

    find->match_start = find->start + start;
    find->match_end = find->start + end;
    return answer;
}

static enum regex_answer find_by_line(struct find *find, size_t from, size_t end)
{
    for (unsigned count = 1; from < end; count++) {
        size_t line_end = take_line(find, from);
        enum regex_answer answer = try_line(find);

        if (answer != REGEX_NO_MATCH)
            return answer;
        if (count % LINES_BETWEEN_LOOKS == 0 && budget_is_short(find->budget))
            return REGEX_STOPPED;
        from = line_end + 1;
    }
    return REGEX_NO_MATCH;
}

/* Takes the hit that was found from `from` on. Returns false when it is on no line. */
static bool take_hit(struct find *find, size_t from, size_t end, size_t *line_end)
{
    size_t start, stop;

    matcher_hit(find->matcher, &start, &stop);
    find->match_start = from + start;
    find->match_end = from + stop;
    if (find->match_start >= end && find->text[end - 1] == '\n')
        return false; /* behind the last line end */
    *line_end = take_line(find, lines_start(find->text, from, find->match_start));
    return true;
}

static enum regex_answer find_at_once(struct find *find, enum regex_use use, size_t from,
                                      size_t end)
{
    pcre2_set_offset_limit(find->matcher->room->context, PCRE2_UNSET);
    while (from < end) {
        int result = matcher_run(find->matcher, use, find->text + from, end - from, 0, PIECE_LIMIT);
        enum regex_answer answer = REGEX_MATCH;
        size_t line_end = end;

        if (result != PCRE2_ERROR_NOMATCH && result < 0)
            return find_by_line(find, from, end);
        if (result == PCRE2_ERROR_NOMATCH || !take_hit(find, from, end, &line_end))
            answer = REGEX_NO_MATCH;
        if (!budget_spend(find->budget, 1 + (line_end - from) / MATCHED_A_STEP))
            return REGEX_STOPPED;
        if (answer == REGEX_NO_MATCH)
            return answer;
        if (find->match_end <= find->end)
            return answer;
        answer = try_line(find);
        if (answer != REGEX_NO_MATCH)
            return answer;
        from = line_end + 1;
        pcre2_set_offset_limit(find->matcher->room->context, PCRE2_UNSET);
    }
    return REGEX_NO_MATCH;
}

/* The end of the piece from `from`: whole lines of about `wanted` bytes, or one longer line. */
static size_t piece_end(const struct find *find, size_t from, size_t wanted)
{
    size_t end;

    if (find->size - from <= wanted)
        return find->size;
    end = lines_start(find->text, from, from + wanted);
    if (end > from)
        return end;
    end = lines_end(find->text, find->size, from + wanted);
    return end < find->size ? end + 1 : end;
}

static enum regex_answer find_in_piece(struct find *find, size_t from, size_t end)
{
    const struct regex *regex = find->matcher->regex;
    enum regex_use use = USE_LINE;

    if (regex->plain && end - from <= LARGEST_PIECE)
        use = use_for(find, from, end);
    /* Without machine code PCRE2 takes what follows a bad byte for the start of a line. */
    if (!regex->jit && utf8_valid(find->text + from, end - from) < end - from)
        use = USE_LINE;
    if (use == USE_LINE)
        return find_by_line(find, from, end);
    return find_at_once(find, use, from, end);
}

/* ---- by what a line must hold ---- */

static bool hunts(const struct matcher *matcher)
{
    return matcher->regex->has_needle &&
           (matcher->alarms < FIRST_ALARMS || matcher->hunted / BYTES_AN_ALARM > matcher->alarms);
}

/* The line of the answer holds what it must, at `at`. */
static enum regex_answer try_hit(struct find *find, size_t at)
{
    struct matcher *matcher = find->matcher;
    const struct regex *regex = matcher->regex;
    int result;

    if (regex->exact) {
        find->match_start = at;
        find->match_end = at + regex->needle.any.list[0].size;
        return find->match_end <= find->end ? REGEX_MATCH : REGEX_NO_MATCH;
    }
    if (!regex->plain || !regex->jit)
        return try_line(find);
    pcre2_set_offset_limit(matcher->room->context, PCRE2_UNSET);
    result = matcher_run(matcher, USE_LF, find->text + find->start, find->end - find->start, 0,
                         PIECE_LIMIT);
    if (result == PCRE2_ERROR_NOMATCH)
        return REGEX_NO_MATCH;
    if (result < 0)
        return try_line(find);
    matcher_hit(matcher, &find->match_start, &find->match_end);
    find->match_start += find->start;
    find->match_end += find->start;
    return REGEX_MATCH;
}

/* Looks in whole lines for what a line must hold. */
static enum regex_answer hunt(struct find *find, size_t from, size_t end)
{
    struct matcher *matcher = find->matcher;

    while (from < end) {
        size_t at = end, line_end = end;
        bool found = needle_find(&matcher->regex->needle, find->text, from, end, &at);
        enum regex_answer answer = REGEX_NO_MATCH;

        if (found)
            line_end = take_line(find, lines_start(find->text, from, at));
        matcher->hunted += line_end - from;
        if (!budget_spend(find->budget, 1 + (line_end - from) / HUNTED_A_STEP))
            return REGEX_STOPPED;
        if (found)
            answer = try_hit(find, at);
        if (answer != REGEX_NO_MATCH)
            return answer;
        matcher->alarms += found;
        from = line_end + 1;
    }
    return REGEX_NO_MATCH;
}

static enum regex_answer find_from(struct find *find, size_t from)
{
    size_t wanted = FIRST_PIECE;

    while (from < find->size) {
        bool hunting = hunts(find->matcher);
        size_t end = piece_end(find, from, hunting ? LARGEST_PIECE : wanted);
        enum regex_answer answer = hunting ? hunt(find, from, end) : find_in_piece(find, from, end);

        if (answer != REGEX_NO_MATCH)
            return answer;
        from = end;
        if (wanted < LARGEST_PIECE)
            wanted *= 2;
        if (from < find->size && budget_is_short(find->budget)) {
            find->start = find->end = from;
            return REGEX_STOPPED;
        }
    }
    return REGEX_NO_MATCH;
}

enum regex_answer matcher_find_line(struct matcher *matcher, const char *text, size_t size,
                                    size_t from, struct budget *budget, size_t *start, size_t *end,
                                    size_t *match_start, size_t *match_end)
{
    struct find find = {.matcher = matcher, .budget = budget, .text = text, .size = size};
    enum regex_answer answer;

    find.start = find.end = find.match_start = find.match_end = from;
    answer = find_from(&find, from);
    *start = find.start;
    *end = find.end;
    *match_start = find.match_start;
    *match_end = find.match_end;
    return answer;
}
