/* SPDX-License-Identifier: MIT */
/* Many threads call one session: answers are their own, writes of one file are in order, a trapped or
 * cancelled call disturbs nobody. S0-8 */
#include <pthread.h>

#include <time.h>

#include "check.h"
#include "session.h"
#include "tree_fixture.h"

enum { THREADS = 8, EDITS = 60, WAITING = 4, PATIENCE = 20 /* seconds */ };

static const char set_up[] =
    "mkdir tools && cd ws && seq -f '<%g>' 0 59 > ctr.txt && for i in $(seq 0 59); do echo \"own "
    "$i.\" > "
    "f$i; done && cat > ../tools/loop.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'loop', title = 'Loop', description = 'Never ends.', access = "
    "'read',\n"
    "  input = { type = 'object', properties = {} }, run = function() while true do end end }\n"
    "END\n"
    "make() { echo \"local tool = require 'croft.tool' return tool.define { name = '$1', "
    "description = 'd', "
    "access = 'write', input = { type = 'object', properties = {} }, run = function(_, ctx) $2 end "
    "}\" "
    "> ../tools/$1.lua; }\n"
    "make spin 'ctx.host.await() local t = {} for i = 1, 30000 do t[i] = {} end while true do "
    "end'\n"
    "make hold 'ctx.host.hold() return [[held]]'\n"
    "make take 'ctx.fs:load([[f0]], 99) ctx.host.hold() return [[taken]]'\n"
    "make walk 'ctx.fs:list([[.]]) ctx.fs:load([[f0]], 99) return [[walked]]'";

static croft_session *session;

static croft_status call(const char *tool, const char *args, uint64_t id, croft_result *result)
{
    croft_call_options options;

    croft_call_options_init(&options);
    options.call_id = id;
    return croft_call(session, tool, args, strlen(args), &options, result);
}

struct share {
    pthread_t thread;
    int from;
    int failed;
};

static void *edit_some(void *data)
{
    struct share *share = data;
    croft_result result;
    char args[128];

    for (int i = share->from; i < EDITS; i += THREADS) {
        snprintf(args, sizeof args,
                 "{\"path\":\"ctr.txt\",\"old_string\":\"<%d>\",\"new_string\":\"[%d]\"}", i, i);
        share->failed += call("edit", args, 0, &result) != CROFT_OK || result.is_error;
        croft_result_free(&result);
    }
    return NULL;
}

static void *read_some(void *data)
{
    struct share *share = data;
    croft_result result;
    char args[64], wanted[64];

    for (int i = share->from; i < EDITS; i += THREADS) {
        snprintf(args, sizeof args, "{\"path\":\"f%d\"}", i);
        snprintf(wanted, sizeof wanted, "1|own %d.\n", i);
        share->failed += call("read", args, 0, &result) != CROFT_OK ||
                         strncmp(result.text, wanted, strlen(wanted)) != 0;
        croft_result_free(&result);
    }
    return NULL;
}

static int run_threads(void *(*body)(void *))
{
    struct share shares[THREADS];
    int failed = 0;

    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){.from = i};
        pthread_create(&shares[i].thread, NULL, body, &shares[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(shares[i].thread, NULL);
        failed += shares[i].failed;
    }
    return failed;
}

static void loses_no_edit(void)
{
    croft_result result;

    CHECK(run_threads(edit_some) == 0);
    CHECK(call("grep",
               "{\"pattern\":\"^\\\\[\\\\d+\\\\]$\",\"path\":\"ctr.txt\",\"output\":\"count\"}", 0,
               &result) == CROFT_OK);
    CHECK(strstr(result.text, "60") != NULL);
    croft_result_free(&result);
}

static void *loop(void *data)
{
    croft_result *result = data;

    call("loop", "{}", 7, result);
    return NULL;
}

static void cancels_one_call(void)
{
    croft_result result;
    pthread_t thread;

    pthread_create(&thread, NULL, loop, &result);
    while (pthread_tryjoin_np(thread, NULL) != 0) {
        croft_cancel(session, 8); /* nobody's: ignored */
        croft_cancel(session, 7);
        CHECK(run_threads(read_some) == 0);
    }
    CHECK(result.outcome == CROFT_CALLED_OFF && result.is_error && result.text_size == 0);
    croft_result_free(&result);
}

static void stops_one_call(void)
{
    croft_result result;

    CHECK(call("loop", "{}", 0, &result) == CROFT_OK);
    CHECK(result.outcome == CROFT_ENDED);
    CHECK_TEXT(result.code, "stopped");
    CHECK(strstr(result.text, "loop was stopped") != NULL);
    croft_result_free(&result);
    CHECK(run_threads(read_some) == 0);
}

static void tells_what_did_not_run(void)
{
    croft_result result;

    CHECK(call("nope", "{}", 0, &result) == CROFT_UNKNOWN_TOOL);
    CHECK(strstr(result.text, "There is no tool \"nope\"") != NULL);
    croft_result_free(&result);
    CHECK(call("read", "[1]", 0, &result) == CROFT_BAD_JSON);
    croft_result_free(&result);
    CHECK(call("read", "{\"path\":", 0, &result) == CROFT_BAD_JSON);
    croft_result_free(&result);
}

/* ---- what waits -------------------------------------------------------------------------------- */

static atomic_bool released;

static void sleep_a_little(void)
{
    const struct timespec time = {.tv_nsec = 1000000};

    (void)nanosleep(&time, NULL);
}

static void hold(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    while (!atomic_load(&released))
        sleep_a_little();
    croft_reply_json(reply, "1", 1);
}

static uint64_t calls_now(void)
{
    croft_usage usage;

    croft_session_usage(session, &usage);
    return usage.calls.last;
}

/* Returns once the others wait for an interpreter. */
static void await(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    while (calls_now() <= WAITING)
        sleep_a_little();
    croft_reply_json(reply, "1", 1);
}

static bool ends_in_time(pthread_t thread)
{
    struct timespec until;
    bool good;

    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    good = pthread_timedjoin_np(thread, NULL, &until) == 0;
    atomic_store(&released, true);
    if (!good)
        pthread_join(thread, NULL);
    return good;
}

static void *call_spin(void *data)
{
    call("spin", "{}", 0, data);
    return NULL;
}

static void *call_hold(void *data)
{
    bool *held = data;
    croft_result result;

    call("hold", "{}", 0, &result);
    *held = strcmp(result.text, "held") == 0;
    croft_result_free(&result);
    return NULL;
}

/* Calls that hold an interpreter each, or wait for one, until they are released. */
struct holds {
    pthread_t threads[WAITING];
    bool held[WAITING];
};

static void start_holds(struct holds *holds)
{
    for (int i = 0; i < WAITING; i++)
        pthread_create(&holds->threads[i], NULL, call_hold, &holds->held[i]);
}

static void join_holds(struct holds *holds)
{
    for (int i = 0; i < WAITING; i++) {
        pthread_join(holds->threads[i], NULL);
        CHECK(holds->held[i]);
    }
}

/* The sentence about a call that was stopped does not wait for those that want its interpreter. */
static void answers_a_stopped_call_at_once(void)
{
    struct holds holds;
    pthread_t spins;
    croft_result result;

    atomic_store(&released, false);
    pthread_create(&spins, NULL, call_spin, &result);
    while (calls_now() == 0)
        sleep_a_little();
    start_holds(&holds);
    CHECK(ends_in_time(spins));
    CHECK(result.outcome == CROFT_ENDED && strstr(result.text, "spin was stopped") != NULL);
    croft_result_free(&result);
    join_holds(&holds);
}

/* While nobody calls, a session keeps one interpreter. */
static void keeps_one_interpreter(void)
{
    struct holds holds;

    atomic_store(&released, false);
    start_holds(&holds);
    while (calls_now() < WAITING)
        sleep_a_little();
    atomic_store(&released, true);
    join_holds(&holds);
    CHECK(session->pool.made == 1 && session->pool.idle_count == 1);
}

static void *call_take(void *data)
{
    call("take", "{}", 0, data);
    return NULL;
}

static atomic_int free_turns; /* at each progress that was told */

static void look_at_turns(void *user, uint64_t done)
{
    bool is_free = pthread_mutex_trylock(&session->turns.lock) == 0;

    (void)user;
    (void)done;
    if (is_free)
        pthread_mutex_unlock(&session->turns.lock);
    atomic_fetch_add(&free_turns, is_free ? 1 : -100);
    atomic_store(&released, true);
}

static void *call_walk(void *data)
{
    croft_call_options options;

    croft_call_options_init(&options);
    options.progress = look_at_turns;
    (void)croft_call(session, "walk", "{}", 2, &options, data);
    return NULL;
}

static bool a_turn_is_taken(void)
{
    bool taken;

    pthread_mutex_lock(&session->turns.lock);
    taken = session->turns.taken != NULL;
    pthread_mutex_unlock(&session->turns.lock);
    return taken;
}

/* A host that takes its time over progress holds up nobody's write. */
static void tells_progress_with_nothing_locked(void)
{
    pthread_t takes, walks;
    croft_result taken, walked;

    atomic_store(&released, false);
    pthread_create(&takes, NULL, call_take, &taken);
    while (!a_turn_is_taken())
        sleep_a_little();
    pthread_create(&walks, NULL, call_walk, &walked);
    CHECK(ends_in_time(walks));
    CHECK_TEXT(walked.text, "walked");
    CHECK(atomic_load(&free_turns) > 0);
    pthread_join(takes, NULL);
    croft_result_free(&walked);
    croft_result_free(&taken);
}

/* ------------------------------------------------------------------------------------------------ */

static croft_view *open_session(size_t limit_count)
{
    static const croft_limit limits[] = {{"calls", 1}, {"steps", 300000}};
    static const croft_function functions[] = {{.name = "hold", .callback = hold},
                                               {.name = "await", .callback = await}};
    static char tools[128];
    static const char *dirs[] = {tools};
    char root[128];
    croft_view_options view_options;
    croft_session_options options;
    croft_view *view;
    croft_error err;

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_view_options_init(&view_options);
    view_options.no_fsync = true;
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.functions = functions;
    options.function_count = 2;
    options.limits = limits;
    options.limit_count = limit_count;
    if (croft_view_open(root, &view_options, &view, &err) != CROFT_OK ||
        croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return view;
}

int main(void)
{
    croft_view *view;

    fixture_make(set_up);
    view = open_session(0);
    CHECK(run_threads(read_some) == 0);
    loses_no_edit();
    cancels_one_call();
    stops_one_call();
    tells_what_did_not_run();
    tells_progress_with_nothing_locked();
    keeps_one_interpreter();
    croft_session_close(session);
    croft_view_close(view);
    view = open_session(2);
    for (int i = 0; i < 10; i++)
        answers_a_stopped_call_at_once();
    croft_session_close(session);
    croft_view_close(view);
    fixture_remove();
    return check_report("session");
}
