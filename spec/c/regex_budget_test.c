/* SPDX-License-Identifier: MIT */
/*
 * Patterns that backtrack without end over long lines, by a clock of this test's own: a search takes the steps
 * that it says, stops when there is one too few, and looks at the clock after each start offset once they
 * are slow; and the four ways in which it ends are four sentences.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "croft.h"
#include "regex.h"
#include "tree_fixture.h"

/* ---- a clock that moves when it is looked at --------------------------------------------------- */

static bool is_ours;
static uint64_t looks, nanoseconds_a_look;

int clock_gettime(clockid_t clock, struct timespec *now) /* in place of the system's */
{
    uint64_t time = ++looks * nanoseconds_a_look;

    if (!is_ours)
        return (int)syscall(SYS_clock_gettime, clock, now);
    now->tv_sec = (time_t)(time / 1000000000) + 1;
    now->tv_nsec = (long)(time % 1000000000);
    return 0;
}

static void set_clock(uint64_t nanoseconds)
{
    is_ours = true;
    looks = 0;
    nanoseconds_a_look = nanoseconds;
}

/* ---- what is searched -------------------------------------------------------------------------- */

enum { LONG = 12000, STEPS = INT32_MAX };

static const char *const patterns[] = {
    "(a+)+$",
    "(a|aa)+[bd]",
    "a.*?[bc]\\d",
    "(.*)\\1\\1[bc]x",
    "(?=(a+))*a*b[^c]|(x+x+)+y|(\\w+\\s?)+:",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?i)(\\w+\\W*)+\\d",
    "[^x]*[^y]*[^z]*[^w]*\\d",
    "(?>a*)+b|(a?){50}a{50}q",
    "(((a*)*)*)*z|\xc3\xa4(.+)+\xc3\xb6",
};

struct text {
    const char *name, *piece, *tail;
    size_t size; /* of pieces */
};

static const struct text texts[] = {
    {"a's", "a", "", LONG},
    {"a's and one more", "a", "!", 5000},
    {"a short line", "a", "!", 30},
    {"words", "word ", "", LONG},
    {"no UTF-8", "a\x80\xff", "!", LONG},
    {"nothing", "", "", 0},
};

enum { PATTERNS = sizeof patterns / sizeof patterns[0], TEXTS = sizeof texts / sizeof texts[0] };

static char line[LONG + 1];

static size_t fill_line(const struct text *text)
{
    size_t size = 0, piece = strlen(text->piece);

    while (size + piece <= text->size && piece > 0) {
        memcpy(line + size, text->piece, piece);
        size += piece;
    }
    memcpy(line + size, text->tail, strlen(text->tail));
    return size + strlen(text->tail);
}

struct outcome {
    enum regex_answer answer;
    enum breach breach;
    uint64_t steps, looks; /* looks: at the clock */
};

static struct outcome search(const char *pattern, unsigned flags, size_t size, uint64_t steps,
                             uint64_t milliseconds, uint64_t nanoseconds)
{
    struct outcome outcome;
    struct regex_fault fault;
    struct regex *regex = NULL;
    struct matcher *matcher;
    struct budget budget = {.cancelled = NULL};
    croft_error err;
    size_t start, end;

    CHECK(regex_new(pattern, strlen(pattern), flags, &regex, &fault, &err) == CROFT_OK);
    matcher = matcher_new(regex);
    set_clock(nanoseconds);
    budget_start(&budget, steps, milliseconds, NULL);
    outcome.answer = matcher_find(matcher, line, size, 0, &budget, &start, &end);
    outcome.steps = steps - budget.steps_left;
    outcome.breach = budget.breach;
    outcome.looks = looks;
    is_ours = false;
    matcher_free(matcher);
    regex_free(regex);
    return outcome;
}

/* ---- steps ------------------------------------------------------------------------------------- */

static void tell(const char *pattern, const struct text *text, const struct outcome *outcome)
{
    static const char *const words[] = {"no match", "match", "too expensive", "stopped"};

    if (getenv("CROFT_TEST_TIMES") != NULL)
        printf("    %-40.40s %-18s %-14s %9llu steps\n", pattern, text->name,
               words[outcome->answer], (unsigned long long)outcome->steps);
}

/* With a clock that stands still the same search takes the same steps; fewer stop it, be it by one. */
static void takes_the_steps_it_says(const char *pattern, unsigned flags, const struct text *text)
{
    size_t size = fill_line(text);
    struct outcome whole = search(pattern, flags, size, STEPS, 1000, 0);
    const uint64_t fewer[] = {whole.steps - 1, whole.steps / 10};

    CHECK(whole.answer != REGEX_STOPPED && whole.steps > 0);
    tell(pattern, text, &whole);
    for (size_t i = 0; i < sizeof fewer / sizeof fewer[0]; i++) {
        struct outcome stopped = search(pattern, flags, size, fewer[i], 1000, 0);

        if (fewer[i] == whole.steps)
            continue;
        CHECK(stopped.answer == REGEX_STOPPED && stopped.breach == BREACH_STEPS);
        CHECK(stopped.steps == fewer[i]);
    }
}

/* ---- time -------------------------------------------------------------------------------------- */

/*
 * Two milliseconds pass between two looks, so that a window shrinks to one start offset soon. The look that
 * finds the time over is the last: nothing more is tried behind it.
 */
static void looks_at_the_clock(const char *pattern, unsigned flags, const struct text *text)
{
    enum {
        TIME = 60,
        A_LOOK = 2,
        MORE = 2 /* budget_start's, and that of a window beside the budget's */
    };
    size_t size = fill_line(text);
    struct outcome outcome = search(pattern, flags, size, STEPS, TIME, A_LOOK * 1000000);

    CHECK(outcome.looks <= TIME / A_LOOK + MORE);
    CHECK((outcome.answer == REGEX_STOPPED) == (outcome.breach == BREACH_TIME));
    if (outcome.looks > TIME / A_LOOK + MORE)
        fprintf(stderr, "    %s, %s: %llu looks\n", pattern, text->name,
                (unsigned long long)outcome.looks);
}

/* So few start offsets are tried in the time of as many looks that the long line is not done. */
static void tries_few_between_two_looks(unsigned flags)
{
    size_t size = fill_line(&texts[3]);
    struct outcome outcome = search("(a+)+$", flags, size, STEPS, 480, 1100000);

    CHECK(outcome.answer == REGEX_STOPPED && outcome.breach == BREACH_TIME);
}

static void pairs_all(unsigned flags)
{
    for (int i = 0; i < PATTERNS; i++) {
        for (int k = 0; k < TEXTS; k++) {
            if (flags == 0)
                takes_the_steps_it_says(patterns[i], flags, &texts[k]);
            looks_at_the_clock(patterns[i], flags, &texts[k]);
        }
    }
    tries_few_between_two_looks(flags);
}

/* ---- sentences --------------------------------------------------------------------------------- */

static croft_session *open_session(croft_view *view, uint64_t steps)
{
    const croft_limit limits[] = {{"steps", steps}};
    croft_session_options options;
    croft_session *session = NULL;
    croft_error err;

    croft_session_options_init(&options);
    options.limits = limits;
    options.limit_count = 1;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
    return session;
}

static void says(croft_view *view, const char *args, uint64_t steps, croft_outcome outcome,
                 const char *sentence)
{
    croft_session *session = open_session(view, steps);
    croft_result result;

    CHECK(croft_call(session, "grep", args, strlen(args), NULL, &result) == CROFT_OK);
    CHECK(result.outcome == outcome);
    CHECK(strstr(result.text, sentence) != NULL);
    if (strstr(result.text, sentence) == NULL)
        fprintf(stderr, "    %s: %s\n", args, result.text);
    croft_result_free(&result);
    croft_session_close(session);
}

static void says_which_of_the_four_it_was(void)
{
    char root[128];
    croft_view *view;
    croft_error err;

    fixture_make("cd ws && head -c 60000 /dev/zero | tr '\\0' a > f && echo '!' >> f");
    snprintf(root, sizeof root, "%s/ws", fixture_base);
    if (croft_view_open(root, NULL, &view, &err) != CROFT_OK)
        abort();
    says(view, "{\"pattern\":\"a+!\",\"path\":\"f\"}", STEPS, CROFT_DONE, "f:1|a");
    says(view, "{\"pattern\":\"a+[?]\",\"path\":\"f\"}", STEPS, CROFT_DONE, "no line");
    says(view, "{\"pattern\":\"(a+)+$\",\"path\":\"f\"}", STEPS, CROFT_FAILED, "backtrack");
    says(view, "{\"pattern\":\"(a+)+$\",\"path\":\"f\"}", 100000, CROFT_ENDED,
         "more than 100000 steps");
    croft_view_close(view);
    fixture_remove();
}

int main(void)
{
    pairs_all(0);
    pairs_all(REGEX_NO_JIT);
    says_which_of_the_four_it_was();
    return check_report("regex_budget");
}
