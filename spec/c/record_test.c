/* SPDX-License-Identifier: MIT */
/* The host's side of the record: what it is given, and that no call runs, or runs on, of which it keeps
 * none. S0-4 */
#include <pthread.h>

#include "check.h"
#include "session.h"
#include "tree_fixture.h"

static const char set_up[] =
    "mkdir tools && echo one > ws/a.txt && ln -s a.txt ws/link && cat > tools/stubborn.lua "
    "<<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'stubborn', title = 'Stubborn', description = 'Catches what it "
    "can.',\n"
    "  access = 'write', input = { type = 'object', properties = {} },\n"
    "  run = function(_, ctx)\n"
    "    local file = ctx.fs:open('a.txt')\n"
    "    for _ = 1, 3 do pcall(ctx.fs.replace, ctx.fs, 'new.txt', 'new') end\n"
    "    for _ in file:lines() do end\n"
    "    pcall(file.close, file)\n"
    "    pcall(ctx.fs.stat, ctx.fs, '../x')\n"
    "    pcall(ctx.fs.stat, ctx.fs, {})\n"
    "    return 'came through'\n"
    "  end }\n"
    "END";

static croft_view *view;
static croft_session *session;

/* What the callback was given, and from which record on (counted from 1) it keeps none; 0: it keeps all. */
static struct {
    pthread_mutex_t lock;
    unsigned count, fails_from;
    char lines[4096]; /* "operation path resolved verdict;" of each */
    uint64_t last_id;
    pthread_t thread;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool keep(void *user, const croft_record *record)
{
    size_t used = strlen(kept.lines);
    bool good;

    CHECK(user == &kept);
    pthread_mutex_lock(&kept.lock);
    kept.count++;
    kept.last_id = record->call_id;
    kept.thread = pthread_self();
    snprintf(kept.lines + used, sizeof kept.lines - used, "%s %.*s %.*s %s;", record->operation,
             record->path == NULL ? 1 : (int)record->path_size,
             record->path == NULL ? "-" : record->path,
             record->resolved == NULL ? 1 : (int)record->resolved_size,
             record->resolved == NULL ? "-" : record->resolved, record->verdict);
    good = kept.fails_from == 0 || kept.count < kept.fails_from;
    pthread_mutex_unlock(&kept.lock);
    return good;
}

static void forget(unsigned fails_from)
{
    kept.count = 0;
    kept.fails_from = fails_from;
    kept.lines[0] = '\0';
}

static croft_status call(const char *tool, const char *args, uint64_t id, croft_result *result)
{
    croft_call_options options;

    croft_call_options_init(&options);
    options.call_id = id;
    return croft_call(session, tool, args, strlen(args), &options, result);
}

static void open_session(void)
{
    static char tools[128];
    static const char *dirs[] = {tools};
    char root[128];
    croft_view_options view_options;
    croft_session_options options;
    croft_error err;

    snprintf(root, sizeof root, "%s/ws", fixture_base);
    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_view_options_init(&view_options);
    view_options.no_fsync = true;
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.audit = keep;
    options.audit_user = &kept;
    if (croft_view_open(root, &view_options, &view, &err) != CROFT_OK ||
        croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

/* ---- what it is given -------------------------------------------------------------------------- */

static void tells_of_a_call(void)
{
    croft_result result;

    forget(0);
    CHECK(call("read", "{\"path\":\"link\"}", 77, &result) == CROFT_OK && !result.is_error);
    croft_result_free(&result);
    CHECK_TEXT(kept.lines, "call - - ok;page link a.txt ok;end - - ok;");
    CHECK(kept.last_id == 77);
    CHECK(pthread_equal(kept.thread, pthread_self()));
    forget(0);
    CHECK(call("none", "{}", 0, &result) == CROFT_UNKNOWN_TOOL);
    croft_result_free(&result);
    CHECK_TEXT(kept.lines, "call - - ok;end - - unknown_tool;");
    CHECK(kept.last_id == 1);
    forget(0);
    CHECK(call("read", "[]", 0, &result) == CROFT_BAD_JSON);
    croft_result_free(&result);
    CHECK_TEXT(kept.lines, "call - - ok;end - - bad_json;");
    CHECK(kept.last_id == 2);
}

static void tells_nothing_before_a_call(void)
{
    CHECK(kept.count == 0); /* loading tools is no call */
}

/* An older host's structure ends before `audit`. */
static void takes_a_shorter_structure(void)
{
    croft_session_options options;
    croft_session *other;
    croft_error err;

    croft_session_options_init(&options);
    options.size = offsetof(croft_session_options, audit);
    options.audit = keep;
    CHECK(croft_session_open(view, &options, &other, &err) == CROFT_OK);
    CHECK(other->pool.options.audit == NULL);
    croft_session_close(other);
}

/* ---- when it keeps none ------------------------------------------------------------------------ */

static bool is_refused(const char *tool, const char *args, const char *outcome)
{
    croft_result result;
    bool good = call(tool, args, 0, &result) == CROFT_OK && result.outcome == CROFT_FAILED &&
                strcmp(result.code, "denied") == 0 &&
                strstr(result.text, "audit log cannot be written") != NULL &&
                strstr(result.text, outcome) != NULL && strstr(result.text, "tell the operator");

    if (!good)
        fprintf(stderr, "    %s: %s\n", result.code, result.text);
    croft_result_free(&result);
    return good;
}

/* Records of stubborn: 1 call, 2 open, 3 to 5 replace, 6 file, 7 stat, 8 stat (found at the end), 9 end. */
static void ends_at_each_record(void)
{
    croft_result result;

    forget(0);
    CHECK(call("stubborn", "{}", 0, &result) == CROFT_OK && !result.is_error);
    CHECK_TEXT(result.text, "came through");
    croft_result_free(&result);
    CHECK(kept.count == 9);
    for (unsigned at = 1; at <= 9; at++) {
        fixture_run("rm -f ws/new.txt");
        forget(at);
        CHECK(is_refused("stubborn", "{}", at < 3 ? "Nothing was changed." : "before stays."));
        CHECK(fixture_says("test -e ws/new.txt") == (at >= 3));
        CHECK(kept.count >= at && kept.count <= at + 2); /* the handle and the end may follow */
    }
}

static void refuses_until_it_can_keep(void)
{
    croft_result result;

    forget(1);
    for (int i = 0; i < 3; i++)
        CHECK(
            is_refused("write", "{\"path\":\"w.txt\",\"content\":\"x\"}", "Nothing was changed."));
    CHECK(kept.count == 3); /* each asked again, and nothing else was tried */
    CHECK(fixture_says("test ! -e ws/w.txt"));
    forget(0);
    CHECK(call("write", "{\"path\":\"w.txt\",\"content\":\"x\"}", 0, &result) == CROFT_OK);
    CHECK(result.outcome == CROFT_DONE && fixture_says("test -e ws/w.txt"));
    croft_result_free(&result);
}

/* ---- many at once ------------------------------------------------------------------------------ */

enum { THREADS = 8, CALLS = 50 };

static void *read_much(void *data)
{
    croft_result result;
    size_t *failed = data;

    for (int i = 0; i < CALLS; i++) {
        *failed += call("read", "{\"path\":\"a.txt\"}", 0, &result) != CROFT_OK || result.is_error;
        croft_result_free(&result);
    }
    return NULL;
}

static void tells_of_all(void)
{
    pthread_t threads[THREADS];
    size_t failed[THREADS] = {0};

    forget(0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, read_much, &failed[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(failed[i] == 0);
    }
    CHECK(kept.count == 3 * THREADS * CALLS);
}

int main(void)
{
    fixture_make(set_up);
    open_session();
    tells_nothing_before_a_call();
    tells_of_a_call();
    takes_a_shorter_structure();
    ends_at_each_record();
    refuses_until_it_can_keep();
    tells_of_all();
    croft_session_close(session);
    croft_view_close(view);
    fixture_remove();
    return check_report("record");
}
