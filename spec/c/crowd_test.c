/* SPDX-License-Identifier: MIT */
/*
 * 64 threads call one session, in any order: what works, what fails, what is ended by a ceiling, what is
 * cancelled while it runs or waits. Each gets the answer to its own call, and afterwards the session is as it
 * was. CROFT_CROWD_SECONDS: how long (default 2); CROFT_SEED: of what they do. S0-8
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"
#include "memory.h"
#include "session.h"
#include "tree_fixture.h"

enum { THREADS = 64, TEXT = 256 };

static const char set_up[] =
    "mkdir tools ws/docs ws/d && cd ws && for i in $(seq 0 63); do echo \"own $i.\" > f$i; echo "
    "\"0\" > own$i; "
    "echo \"<$i:0>\" >> shared; done && echo 'a needle' > d/x && echo 'no' > d/y && "
    "head() { echo \"local tool = require 'croft.tool'\"; "
    "echo \"return tool.define { name = '$1', description = 'd', access = 'read',\"; "
    "echo \"input = { type = 'object', properties = { n = { type = 'integer', description = 'n' } "
    "} },\"; } && "
    "cd ../tools && { head spin; echo 'run = function() while true do end end }'; } > spin.lua && "
    "{ head grow; echo 'run = function() local t = {} while true do t[#t + 1] = {} end end }'; } > "
    "grow.lua && "
    "{ head nap; echo 'run = function(_, ctx) while true do ctx.host.nap() end end }'; } > nap.lua "
    "&& "
    "{ head tell; echo 'run = function(args) return { n = args.n, text = { args.n } } end }'; } > "
    "tell.lua && "
    "{ head fail; echo 'run = function(args) error(args) end }'; } > fail.lua";

static croft_view *view;
static croft_session *session;
static atomic_bool over;

struct member {
    pthread_t thread;
    unsigned number;
    uint64_t random;
    atomic_uint_least64_t cancellable; /* the id of its call that is to be cancelled; 0: none */
    uint64_t calls, cancelled, stopped, failed;
    unsigned own, shared;  /* what it has written so far */
    char wrong[TEXT + 64]; /* the first answer that was not right */
};

static struct member members[THREADS];

static unsigned draw(struct member *member, unsigned below)
{
    member->random = member->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(member->random >> 33) % below;
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* Copies the text; the status is that of the call. */
static croft_status call(struct member *member, const char *tool, const char *args, uint64_t id,
                         croft_outcome *outcome, char *text)
{
    croft_call_options options;
    croft_result result;
    croft_status status;

    croft_call_options_init(&options);
    options.call_id = id;
    status = croft_call(session, tool, args, strlen(args), &options, &result);
    *outcome = result.outcome;
    snprintf(text, TEXT, "%s", result.text == NULL ? "(nothing)" : result.text);
    croft_result_free(&result);
    member->calls++;
    return status;
}

static void judge(struct member *member, bool good, const char *what, const char *text)
{
    if (!good && member->failed++ == 0)
        snprintf(member->wrong, sizeof member->wrong, "%s: %s", what, text);
}

/* Calls and looks for the outcome and a piece of the text. */
static void expect(struct member *member, const char *tool, const char *args, croft_outcome wanted,
                   const char *piece)
{
    croft_outcome outcome;
    char text[TEXT];

    (void)call(member, tool, args, 0, &outcome, text);
    judge(member, outcome == wanted && strstr(text, piece) != NULL, tool, text);
}

/* Ids of calls are this thread's own. */
static croft_outcome call_cancelled(struct member *member, const char *tool, const char *args,
                                    char *text)
{
    uint64_t id = member->calls * THREADS + member->number + 1;
    croft_outcome outcome;

    atomic_store(&member->cancellable, id);
    (void)call(member, tool, args, id, &outcome, text);
    atomic_store(&member->cancellable, 0);
    member->cancelled += outcome == CROFT_CALLED_OFF;
    return outcome;
}

/* ---- what a member does ------------------------------------------------------------------------ */

static void look(struct member *member)
{
    char args[64], piece[64];

    switch (draw(member, 3)) {
    case 0:
        snprintf(args, sizeof args, "{\"path\":\"f%u\"}", member->number);
        snprintf(piece, sizeof piece, "1|own %u.\n", member->number);
        expect(member, "read", args, CROFT_DONE, piece);
        break;
    case 1:
        expect(member, "grep", "{\"pattern\":\"ne+dle\",\"path\":\"d\"}", CROFT_DONE,
               "d/x:1|a needle");
        break;
    default: expect(member, "list", "{\"path\":\"d\"}", CROFT_DONE, "d/x (9 bytes)\nd/y (3 bytes)");
    }
}

static void refuse(struct member *member)
{
    croft_outcome outcome;
    char text[TEXT];

    switch (draw(member, 5)) {
    case 0: expect(member, "read", "{\"path\":\"nowhere\"}", CROFT_FAILED, "nowhere"); break;
    case 1:
        expect(member, "write", "{\"path\":\"docs/x\",\"content\":\"x\"}", CROFT_FAILED, "docs");
        break;
    case 2: expect(member, "fail", "{}", CROFT_FAILED, "fail"); break;
    case 3:
        judge(member, call(member, "nope", "{}", 0, &outcome, text) == CROFT_UNKNOWN_TOOL, "nope",
              text);
        break;
    default:
        judge(member, call(member, "read", "{\"path\":", 0, &outcome, text) == CROFT_BAD_JSON,
              "bad JSON", text);
    }
}

static void echo(struct member *member)
{
    char args[64], piece[64];

    snprintf(args, sizeof args, "{\"n\":%u}", (unsigned)member->calls * THREADS + member->number);
    snprintf(piece, sizeof piece, "\"n\":%u", (unsigned)member->calls * THREADS + member->number);
    expect(member, "tell", args, CROFT_DONE, piece);
}

static void stop(struct member *member)
{
    if (draw(member, 2) == 0)
        expect(member, "spin", "{}", CROFT_ENDED, "steps");
    else
        expect(member, "grow", "{}", CROFT_ENDED, "memory");
    member->stopped++;
}

/* All change the one file, each its own line. */
static void edit_shared(struct member *member)
{
    char args[TEXT];

    snprintf(args, sizeof args,
             "{\"path\":\"shared\",\"old_string\":\"<%u:%u>\",\"new_string\":\"<%u:%u>\"}",
             member->number, member->shared, member->number, member->shared + 1);
    expect(member, "edit", args, CROFT_DONE, "shared");
    member->shared++;
}

static unsigned read_own(struct member *member)
{
    croft_outcome outcome;
    char args[64], text[TEXT];
    unsigned value = 0;

    snprintf(args, sizeof args, "{\"path\":\"own%u\"}", member->number);
    (void)call(member, "read", args, 0, &outcome, text);
    judge(member, outcome == CROFT_DONE && sscanf(text, "1|%u\n", &value) == 1, "own", text);
    return value;
}

/* A write that may be cancelled is done or not begun. */
static void write_own(struct member *member)
{
    char args[TEXT], text[TEXT];
    unsigned now;
    croft_outcome outcome;

    snprintf(args, sizeof args, "{\"path\":\"own%u\",\"content\":\"%u\\n\"}", member->number,
             member->own + 1);
    outcome = call_cancelled(member, "write", args, text);
    now = read_own(member);
    judge(member, now == member->own + 1 || (now == member->own && outcome == CROFT_CALLED_OFF),
          "a cancelled write", text);
    member->own = now;
}

static void nap(struct member *member)
{
    char text[TEXT];

    judge(member, call_cancelled(member, "nap", "{}", text) == CROFT_CALLED_OFF, "nap", text);
}

static void *take_part(void *data)
{
    struct member *member = data;

    while (!atomic_load(&over)) {
        unsigned choice = draw(member, 100);

        if (choice < 40)
            look(member);
        else if (choice < 60)
            refuse(member);
        else if (choice < 70)
            echo(member);
        else if (choice < 80)
            edit_shared(member);
        else if (choice < 90)
            write_own(member);
        else if (choice < 95)
            nap(member);
        else
            stop(member);
    }
    return NULL;
}

/* ---- the others -------------------------------------------------------------------------------- */

static void sleep_for(long milliseconds)
{
    const struct timespec time = {.tv_nsec = milliseconds * 1000000};

    (void)nanosleep(&time, NULL);
}

static void take_nap(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    sleep_for(1);
    croft_reply_json(reply, "1", 1);
}

static atomic_bool all_gone;

static void *cancel_some(void *unused)
{
    (void)unused;
    while (!atomic_load(&all_gone)) {
        for (int i = 0; i < THREADS; i++) {
            uint64_t id = atomic_load(&members[i].cancellable);

            if (id != 0)
                croft_cancel(session, id);
        }
        sleep_for(1);
    }
    return NULL;
}

/* ---- together ---------------------------------------------------------------------------------- */

static void run_all(unsigned seconds, uint64_t seed)
{
    pthread_t canceller;

    pthread_create(&canceller, NULL, cancel_some, NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        members[i].number = i;
        members[i].random = seed * THREADS + i;
        pthread_create(&members[i].thread, NULL, take_part, &members[i]);
    }
    sleep(seconds);
    atomic_store(&over, true);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(members[i].thread, NULL);
    atomic_store(&all_gone, true);
    pthread_join(canceller, NULL);
}

static void add_up(struct member *sum)
{
    *sum = (struct member){0};
    for (int i = 0; i < THREADS; i++) {
        sum->calls += members[i].calls;
        sum->cancelled += members[i].cancelled;
        sum->stopped += members[i].stopped;
        sum->shared += members[i].shared;
        CHECK(members[i].failed == 0);
        if (members[i].failed != 0)
            fprintf(stderr, "    %s\n", members[i].wrong);
    }
}

static void holds_every_edit(void)
{
    for (int i = 0; i < THREADS; i++) {
        char line[64];

        snprintf(line, sizeof line, "grep -qxF '<%d:%u>' ws/shared", i, members[i].shared);
        CHECK(fixture_says(line));
    }
    CHECK(fixture_says("test \"$(ls -A ws | wc -l)\" = 131"));
}

static void is_as_it_was(const struct member *sum)
{
    croft_usage usage;

    croft_session_usage(session, &usage);
    CHECK(usage.calls_ended == sum->calls);
    CHECK(usage.calls.last == 0 && usage.calls.most > usage.calls.limit);
    CHECK(usage.interpreters_trapped >= sum->stopped);
    CHECK(session->turns.taken == NULL && session->running == NULL);
    CHECK(session->pool.made == 1 && session->pool.idle_count == 1 && session->pool.waiting == 0);
}

static void open_session(void)
{
    static const char *const names[] = {"docs"};
    static const croft_limit limits[] = {{"steps", 400000}, {"heap", 4 << 20}, {"time", 600000}};
    static const croft_function functions[] = {{.name = "nap", .callback = take_nap}};
    char root[128], tools[128];
    const char *dirs[] = {tools};
    croft_view_options view_options;
    croft_session_options options;
    croft_error err = {0};

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_view_options_init(&view_options);
    view_options.no_fsync = true;
    view_options.read_only_names = names;
    view_options.read_only_count = 1;
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.functions = functions;
    options.function_count = 1;
    options.limits = limits;
    options.limit_count = 3;
    if (croft_view_open(root, &view_options, &view, &err) != CROFT_OK ||
        croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

int main(void)
{
    const char *seconds = getenv("CROFT_CROWD_SECONDS"), *seed = getenv("CROFT_SEED");
    uint64_t start = seed == NULL ? (uint64_t)time(NULL) : strtoull(seed, NULL, 10);
    unsigned descriptors;
    struct member sum;

    fixture_disk = "/dev/shm";
    fixture_make(set_up);
    open_session();
    descriptors = count_descriptors();
    run_all(seconds == NULL ? 2 : (unsigned)strtoul(seconds, NULL, 10), start);
    add_up(&sum);
    holds_every_edit();
    is_as_it_was(&sum);
    CHECK(count_descriptors() == descriptors);
    printf("%llu calls, %llu of them stopped and %llu cancelled, %u edits of one file, seed %llu\n",
           (unsigned long long)sum.calls, (unsigned long long)sum.stopped,
           (unsigned long long)sum.cancelled, sum.shared, (unsigned long long)start);
    croft_session_close(session);
    croft_view_close(view);
    fixture_remove();
    return check_report("crowd");
}
