/* SPDX-License-Identifier: MIT */
/* Many threads call one session: answers are their own, writes of one file are in order, a trapped or
 * cancelled call disturbs nobody. S0-8 */
#include <pthread.h>

#include "check.h"
#include "tree_fixture.h"

enum { THREADS = 8, EDITS = 60 };

static const char set_up[] =
    "mkdir tools && cd ws && seq -f '<%g>' 0 59 > ctr.txt && for i in $(seq 0 59); do echo \"own $i.\" > "
    "f$i; done && cat > ../tools/loop.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'loop', title = 'Loop', description = 'Never ends.', access = 'read',\n"
    "  input = { type = 'object', properties = {} }, run = function() while true do end end }\n"
    "END";

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
    CHECK(call("grep", "{\"pattern\":\"^\\\\[\\\\d+\\\\]$\",\"path\":\"ctr.txt\",\"output\":\"count\"}", 0,
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

static croft_view *open_session(void)
{
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
    view = open_session();
    CHECK(run_threads(read_some) == 0);
    loses_no_edit();
    cancels_one_call();
    stops_one_call();
    tells_what_did_not_run();
    croft_session_close(session);
    croft_view_close(view);
    fixture_remove();
    return check_report("session");
}
