/* SPDX-License-Identifier: MIT */
/*
 * Calls are ended by each ceiling in turn, again and again, with a file, a walk and an expression open: what
 * the process holds stays the same, and the sentence about it always comes. CROFT_REBUILDS: how many of
 * each kind (default 75); then the figures are printed. S0-6
 */
#include <sys/syscall.h>
#include <time.h>

#include "check.h"
#include "croft.h"
#include "memory.h"
#include "tree_fixture.h"

static const char set_up[] =
    "mkdir tools ws/d && echo x > ws/f && cat > tools/end.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "local by = {}\n"
    "function by.steps() while true do end end\n"
    "function by.time() while true do end end\n"
    "function by.memory() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end\n"
    "function by.encoding()\n"
    "  local t = {}\n"
    "  for i = 1, 12 do t[i] = ('\"'):rep(100000) .. i end\n"
    "  return { t = t }\n"
    "end\n"
    "return tool.define { name = 'end', description = 'Ends.', access = 'read',\n"
    "  input = { type = 'object', properties = { by = { type = 'string', description = 'b' } } },\n"
    "  run = function(args, ctx)\n"
    "    local file, regex, walk = ctx.fs:open('f'), ctx.regex('x+'), ctx.fs:walk('.')\n"
    "    walk()\n"
    "    return by[args.by](), file, regex\n"
    "  end }\n"
    "END";

static croft_view *view;
static croft_session *tight, *hasty;

/* ---- a clock that can fly ---------------------------------------------------------------------- */

static long leap_ms, flown_ms; /* what each reading adds, and what was added so far */

int clock_gettime(clockid_t clock, struct timespec *now) /* in place of the system's */
{
    long result = syscall(SYS_clock_gettime, clock, now);

    flown_ms += leap_ms;
    now->tv_sec += flown_ms / 1000 + (now->tv_nsec + flown_ms % 1000 * 1000000) / 1000000000;
    now->tv_nsec = (now->tv_nsec + flown_ms % 1000 * 1000000) % 1000000000;
    return (int)result;
}

/* ---- ends -------------------------------------------------------------------------------------- */

struct end {
    croft_session *const *session;
    const char *args, *word; /* the word is in the sentence */
};

static const struct end ends[] = {
    {&tight, "{\"by\":\"steps\"}", "steps"},
    {&tight, "{\"by\":\"memory\"}", "memory"},
    {&hasty, "{\"by\":\"time\"}", "its time limit"},
    {&tight, "{\"by\":\"encoding\"}", "memory"},
};

enum { ENDS = sizeof ends / sizeof ends[0] };

static void end_call(const struct end *end)
{
    croft_result result;
    bool good;

    (void)croft_call(*end->session, "end", end->args, strlen(end->args), NULL, &result);
    good = result.outcome == CROFT_ENDED && strcmp(result.code, "stopped") == 0 &&
           strstr(result.text, "end was stopped") != NULL && strstr(result.text, end->word) != NULL;
    CHECK(good);
    if (!good)
        fprintf(stderr, "    %s: %d: %s\n", end->args, (int)result.outcome, result.text);
    croft_result_free(&result);
}

static void reads(croft_session *session)
{
    croft_result result;

    CHECK(croft_call(session, "read", "{\"path\":\"f\"}", 12, NULL, &result) == CROFT_OK);
    CHECK_TEXT(result.text, "1|x\n[end of file: 1 line]");
    croft_result_free(&result);
}

static void ends_and_is_made_anew(long rounds, bool tell)
{
    enum { WARM = 10 };
    size_t used = 0;
    unsigned open_before = 0;

    for (long i = 0; i < rounds; i++) {
        if (i == WARM) {
            used = memory_used();
            open_before = count_descriptors();
        }
        for (int kind = 0; kind < ENDS; kind++)
            end_call(&ends[kind]);
        if (tell && (i + 1) % (rounds / 10 < 1 ? 1 : rounds / 10) == 0)
            printf("%8ld calls ended: %6lu KiB resident, %zu bytes in use, %u descriptors\n",
                   (i + 1) * ENDS, memory_resident(), memory_used(), count_descriptors());
    }
    CHECK(memory_used() < used + MEMORY_SLACK);
    CHECK(count_descriptors() == open_before);
    reads(tight);
    reads(hasty);
}

/* Time flies: a call has none left when the clock is read again, but the sentence about it needs none of
 * the call's. */
static void tells_it_however_late_it_is(void)
{
    leap_ms = 20;
    end_call(&ends[2]);
    leap_ms = 0;
}

/* ---- sessions ---------------------------------------------------------------------------------- */

static croft_session *open_session(const croft_limit *limits, size_t count)
{
    char tools[128];
    const char *dirs[] = {tools};
    croft_session_options options;
    croft_session *session;
    croft_error err;

    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.limits = limits;
    options.limit_count = count;
    if (croft_session_open(view, &options, &session, &err) == CROFT_OK)
        return session;
    fprintf(stderr, "%s\n", err.message);
    abort();
}

static void open_all(void)
{
    static const croft_limit few[] = {{"steps", 500000}, {"heap", 2 << 20}, {"time", 60000}};
    static const croft_limit short_ones[] = {{"steps", UINT64_MAX / 4}, {"time", 10}};
    char root[128];
    croft_error err;

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    if (croft_view_open(root, NULL, &view, &err) != CROFT_OK)
        abort();
    tight = open_session(few, 3);
    hasty = open_session(short_ones, 2);
}

/* The smallest limits that may be set are enough to load the tools, and to say what was too much. */
static void opens_with_the_smallest_limits(void)
{
    static const croft_limit least[] = {{"steps", 10000}, {"heap", 2 << 20}, {"time", 10}};
    croft_session *session = open_session(least, 3);
    const struct end end = {&session, "{\"by\":\"steps\"}", "was stopped"};

    end_call(&end);
    croft_session_close(session);
}

int main(void)
{
    const char *wanted = getenv("CROFT_REBUILDS");
    long rounds = wanted == NULL ? 75 : strtol(wanted, NULL, 10);

    fixture_make(set_up);
    open_all();
    ends_and_is_made_anew(rounds, wanted != NULL);
    tells_it_however_late_it_is();
    opens_with_the_smallest_limits();
    croft_session_close(tight);
    croft_session_close(hasty);
    croft_view_close(view);
    fixture_remove();
    return check_report("rebuild");
}
