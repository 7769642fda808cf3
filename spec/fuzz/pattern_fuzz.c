/* SPDX-License-Identifier: MIT */
/*
 * Lua's patterns. The input is a pattern, a LF and a subject. Whatever the pattern is, the run ends, what
 * it finds lies in the subject, and it finds the same again.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000, MINUTE = 60000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
    if (!good)
        abort();
}

struct finding {
    enum pattern_answer answer;
    const char *start, *end;
    struct pattern pattern;
    struct budget budget;
};

static void look(struct finding *finding, const char *text, size_t text_size, const char *subject,
                 size_t size)
{
    budget_start(&finding->budget, STEPS, MINUTE, NULL);
    pattern_init(&finding->pattern, text, text_size, subject, size, &finding->budget);
    finding->answer = pattern_find(&finding->pattern, subject, &finding->start, &finding->end);
}

static bool is_inside(const struct pattern *pattern, const char *start, const char *end)
{
    return pattern->subject <= start && start <= end && end <= pattern->subject_end;
}

static void check_match(const struct finding *finding)
{
    const struct pattern *pattern = &finding->pattern;

    require(is_inside(pattern, finding->start, finding->end));
    require(pattern->count <= PATTERN_CAPTURES);
    for (unsigned i = 0; i < pattern->count; i++) {
        const struct pattern_capture *capture = &pattern->captures[i];
        size_t size = capture->size == PATTERN_POSITION ? 0 : capture->size;

        if ((pattern->open >> i & 1) != 0)
            size = 0;
        require(is_inside(pattern, capture->start, capture->start + size));
        require(capture->start >= finding->start && capture->start + size <= finding->end);
    }
}

/* It fits where it was found. */
static void check_place(const struct finding *finding)
{
    struct pattern pattern = finding->pattern;
    struct budget budget;
    const char *end;

    budget_start(&budget, STEPS, MINUTE, NULL);
    pattern.budget = &budget;
    require(pattern_match(&pattern, finding->start, &end) == PATTERN_MATCH);
    require(end == finding->end && pattern.count == finding->pattern.count);
}

/* A text without marks is found where memmem finds it. */
static void check_plain(const struct finding *finding)
{
    const struct pattern *pattern = &finding->pattern;
    size_t text_size = (size_t)(pattern->text_end - pattern->text);
    const char *hit;

    if (!pattern_is_plain(pattern->text, text_size) || memchr(pattern->text, ')', text_size))
        return;
    hit = memmem(pattern->subject, (size_t)(pattern->subject_end - pattern->subject), pattern->text,
                 text_size);
    require(finding->answer == PATTERN_STOPPED ||
            (hit == NULL ? finding->answer == PATTERN_NONE
                         : finding->answer == PATTERN_MATCH && finding->start == hit));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *lf = size == 0 ? NULL : memchr(text, '\n', size);
    size_t text_size = lf == NULL ? size : (size_t)(lf - text);
    const char *subject = lf == NULL ? "aab(b)1 " : lf + 1;
    size_t subject_size = lf == NULL ? 8 : size - text_size - 1;
    struct finding first, again;

    look(&first, size == 0 ? "" : text, text_size, subject, subject_size);
    look(&again, size == 0 ? "" : text, text_size, subject, subject_size);
    require(first.answer == again.answer && first.budget.steps_left == again.budget.steps_left);
    require((first.answer == PATTERN_FAULT) == (first.pattern.fault[0] != '\0'));
    require((first.answer == PATTERN_STOPPED) == (first.budget.breach != BREACH_NONE));
    if (first.answer == PATTERN_MATCH) {
        check_match(&first);
        check_place(&first);
    }
    check_plain(&first);
    return 0;
}
