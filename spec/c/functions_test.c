/* SPDX-License-Identifier: MIT */
/* Functions of the host: what they are given and reply, how they fail, which names they may have, what a
 * call that they hold up comes to; and what a session says it used. */
#include <pthread.h>

#include "check.h"
#include "session.h"
#include "tree_fixture.h"

enum { THREADS = 6, CALLS = 20 };

static const char set_up[] =
    "mkdir tools && cd tools && cat > ask.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'ask', description = 'Asks.', access = 'read',\n"
    "  input = { type = 'object', properties = { f = { type = 'string', description = 'f' },\n"
    "    text = { type = 'string', description = 't' } } },\n"
    "  run = function(args, ctx)\n"
    "    return { reply = ctx.host[args.f](args.text and { text = args.text, n = { 1, 2.5 } }) }\n"
    "  end }\n"
    "END\n"
    "cat > try.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "local errors = require 'croft.errors'\n"
    "return tool.define { name = 'try', description = 'Tries.', access = 'read',\n"
    "  input = { type = 'object', properties = { f = { type = 'string', description = 'f' } } },\n"
    "  run = function(args, ctx)\n"
    "    local ok, err = pcall(ctx.host[args.f], 1)\n"
    "    return ('%s %s %s %s %s'):format(ok, errors.is(err), err.code, err.detail, err.text)\n"
    "  end }\n"
    "END\n"
    "cat > odd.lua <<'END'\n"
    "local tool = require 'croft.tool'\n"
    "return tool.define { name = 'odd', description = 'Misuses.', access = 'read',\n"
    "  input = { type = 'object', properties = {} },\n"
    "  run = function(_, ctx)\n"
    "    local found = {}\n"
    "    for name in pairs(ctx.host) do found[#found + 1] = name end\n"
    "    print(#found, pcall(function() return ctx.host.other end))\n"
    "    print(pcall(function() ctx.host.echo = 1 end))\n"
    "    print(pcall(ctx.host.echo, print))\n"
    "    return 'done'\n"
    "  end }\n"
    "END";

static croft_view *view;
static croft_session *session;
static struct bytes told; /* what was logged; by one thread at a time */

/* ---- the functions ----------------------------------------------------------------------------- */

static void echo(void *user, const char *json, size_t size, croft_reply *reply)
{
    CHECK(user == &session && json[size] == '\0');
    croft_reply_json(reply, json, size);
}

/* Replies the text that `user` is. */
static void say(void *user, const char *json, size_t size, croft_reply *reply)
{
    const char *text = user;

    (void)json;
    (void)size;
    croft_reply_error(reply, CROFT_BUSY, "replaced by the next");
    croft_reply_json(reply, text, strlen(text));
}

static void refuse(void *user, const char *json, size_t size, croft_reply *reply)
{
    const croft_status *code = user;

    (void)json;
    (void)size;
    croft_reply_error(reply, *code, "Nobody is called that.");
}

static void refuse_plainly(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    croft_reply_error(reply, CROFT_DENIED, NULL);
}

static void stay_silent(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    (void)reply;
}

/* A string of as many bytes as `user` says. */
static void say_much(void *user, const char *json, size_t size, croft_reply *reply)
{
    size_t much = *(const size_t *)user;
    char *text = malloc(much);

    (void)json;
    (void)size;
    memset(text, 'x', much);
    text[0] = text[much - 1] = '"';
    croft_reply_json(reply, text, much);
    free(text);
}

static pthread_barrier_t two;

/* Returns when another call is here, too. */
static void meet(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    (void)json;
    (void)size;
    pthread_barrier_wait(&two);
    croft_reply_json(reply, "1", 1);
}

static void nest(void *user, const char *json, size_t size, croft_reply *reply)
{
    char text[140];

    (void)user;
    (void)json;
    (void)size;
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    croft_reply_json(reply, text, 130);
}

static void sleep_long(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    usleep(1200 * 1000);
    croft_reply_json(reply, json, size);
}

static void call_off(void *user, const char *json, size_t size, croft_reply *reply)
{
    (void)user;
    croft_cancel(session, 7);
    croft_reply_json(reply, json, size);
}

static croft_status missing = CROFT_MISSING, internal = CROFT_INTERNAL, stopped = CROFT_STOPPED;
static size_t one_mib = MIB, too_much = 8 * MIB + 1;

static char texts[][48] = {" {\"b\":[3,null,4.5],\"a\":null,\"c\":{\"d\":12}} ",
                           "null",
                           "\"\\u00e9\"",
                           "{\"a\":1,}",
                           "NaN",
                           "[\"\\ud800\"]"};

static const croft_function functions[] = {
    {"echo", "gives back what it gets", echo, &session},
    {"table", NULL, say, texts[0]},
    {"null", "", say, texts[1]},
    {"text", "", say, texts[2]},
    {"bad", "", say, texts[3]},
    {"nan", "", say, texts[4]},
    {"half", "", say, texts[5]},
    {"missing", "", refuse, &missing},
    {"internal", "", refuse, &internal},
    {"stopped", "", refuse, &stopped},
    {"denied", "", refuse_plainly, NULL},
    {"silent", "", stay_silent, NULL},
    {"much", "", say_much, &one_mib},
    {"too_much", "", say_much, &too_much},
    {"nest", "", nest, NULL},
    {"sleep_long", "", sleep_long, NULL},
    {"call_off", "", call_off, NULL},
    {"meet", "", meet, NULL},
};

/* ---- a session --------------------------------------------------------------------------------- */

static void hear(void *user, const char *text, size_t size)
{
    bytes_add(user, text, size);
    bytes_add_char(user, '\n');
}

/* The records of functions, "NAME VERDICT BYTES" of the last. */
static char recorded[128];

static bool keep(void *user, const croft_record *record)
{
    (void)user;
    if (strcmp(record->operation, "host") == 0)
        snprintf(recorded, sizeof recorded, "%.*s %s %llu", (int)record->path_size, record->path,
                 record->verdict, (unsigned long long)record->bytes);
    return true;
}

static bool heard(const char *text)
{
    bool found = strstr(bytes_end(&told), text) != NULL;

    bytes_clear(&told);
    return found;
}

static croft_status open_session(const croft_function *given, size_t count,
                                 croft_audit_function *audit, croft_error *err)
{
    static char tools[128];
    static const char *dirs[] = {tools};
    static const croft_limit limits[] = {{"time", 1000}, {"heap", 3 * MIB}};
    croft_session_options options;

    snprintf(tools, sizeof tools, "%s/tools", fixture_base);
    croft_session_options_init(&options);
    options.tool_dirs = dirs;
    options.tool_dir_count = 1;
    options.limits = limits;
    options.limit_count = 2;
    options.log = hear;
    options.log_user = &told;
    options.functions = given;
    options.function_count = count;
    options.audit = audit;
    return croft_session_open(view, &options, &session, err);
}

static croft_status open_with(const croft_function *given, size_t count, croft_error *err)
{
    return open_session(given, count, NULL, err);
}

static void call(const char *tool, const char *args, uint64_t id, croft_result *result)
{
    croft_call_options options;

    croft_call_options_init(&options);
    options.call_id = id;
    CHECK(croft_call(session, tool, args, strlen(args), &options, result) == CROFT_OK);
}

/* Calls ask or try for the function `name`, and compares "CODE TEXT". */
static void answers(const char *tool, const char *name, const char *wanted)
{
    char args[128], got[512];
    croft_result result;

    snprintf(args, sizeof args, "{\"f\":\"%s\"}", name);
    call(tool, args, 7, &result);
    snprintf(got, sizeof got, "%s %.*s", result.code, (int)result.text_size, result.text);
    CHECK_TEXT(got, wanted);
    croft_result_free(&result);
}

/* ---- tests ------------------------------------------------------------------------------------- */

static void replies_values(void)
{
    croft_result result;

    call("ask", "{\"f\":\"echo\",\"text\":\"\\u00e9 \\\"\"}", 0, &result);
    CHECK_TEXT(result.structured, "{\"reply\":{\"n\":[1,2.5],\"text\":\"\xc3\xa9 \\\"\"}}");
    croft_result_free(&result);
    answers("ask", "echo", " {}"); /* nil is null */
    answers("ask", "null", " {}");
    answers("ask", "table", " {\"reply\":{\"a\":null,\"b\":[3,null,4.5],\"c\":{\"d\":12}}}");
    answers("ask", "text", " {\"reply\":\"\xc3\xa9\"}");
    CHECK(told.size == 0);
}

static void fails_in_words(void)
{
    answers("ask", "missing", "missing Nobody is called that.");
    answers("try", "missing", " false true missing missing Nobody is called that.");
    answers("ask", "denied", "denied The host refused: denied.");
    CHECK(told.size == 0);
}

static void fails_inside(const char *name, const char *logged)
{
    char wanted[128];
    croft_result result;

    snprintf(wanted, sizeof wanted, " false true internal %s nil", name);
    answers("try", name, wanted);
    CHECK(heard(logged));
    snprintf(wanted, sizeof wanted, "{\"f\":\"%s\"}", name);
    call("ask", wanted, 0, &result);
    CHECK_TEXT(result.code, "internal");
    CHECK(strstr(result.text, "Nobody") == NULL && strstr(result.text, "replied") == NULL);
    croft_result_free(&result);
    CHECK(heard(logged));
}

static void hides_faults(void)
{
    fails_inside("internal", "ctx.host.internal Nobody is called that.");
    fails_inside("stopped", "ctx.host.stopped Nobody is called that.");
    fails_inside("silent", "ctx.host.silent gave no reply");
    fails_inside("bad", "ctx.host.bad replied no JSON that can be used: ");
    fails_inside("nan", "ctx.host.nan replied no JSON that can be used: ");
    fails_inside("nest", "ctx.host.nest replied no JSON that can be used: nested too deeply");
    fails_inside("half", "ctx.host.half replied half of a surrogate pair");
    fails_inside("too_much", "ctx.host.too_much replied more than 8 MiB");
}

static void is_closed_to_tools(void)
{
    char wanted[64];
    croft_result result;

    call("odd", "{}", 0, &result);
    CHECK_TEXT(result.text, "done");
    croft_result_free(&result);
    snprintf(wanted, sizeof wanted, "%zu\tfalse\t", sizeof functions / sizeof functions[0]);
    CHECK(strstr(bytes_end(&told), wanted) != NULL);
    CHECK(strstr(told.data, "the host has no function other; it has: "
                            "echo (gives back what it gets), table, null") != NULL);
    CHECK(strstr(told.data, "this table is read-only") != NULL);
    CHECK(heard("ctx.host.echo: a function cannot be written as JSON"));
}

/* The trap waits until the function has returned, and what it replied is given back. */
static void ends_calls_afterwards(void)
{
    croft_result result;

    call("ask", "{\"f\":\"sleep_long\"}", 0, &result);
    CHECK(result.outcome == CROFT_ENDED && result.microseconds >= 1200 * 1000);
    croft_result_free(&result);
    call("ask", "{\"f\":\"call_off\"}", 7, &result);
    CHECK(result.outcome == CROFT_CALLED_OFF);
    croft_result_free(&result);
    call("ask", "{\"f\":\"much\"}", 0, &result); /* a few copies of it do not fit into the heap */
    CHECK(result.outcome == CROFT_ENDED);
    croft_result_free(&result);
    answers("ask", "text", " {\"reply\":\"\xc3\xa9\"}");
}

static void *ask_often(void *data)
{
    int *failed = data;
    croft_result result;
    char args[64], wanted[64];

    for (int i = 0; i < CALLS; i++) {
        snprintf(args, sizeof args, "{\"f\":\"echo\",\"text\":\"%p %d\"}", data, i);
        snprintf(wanted, sizeof wanted, "{\"reply\":{\"n\":[1,2.5],\"text\":\"%p %d\"}}", data, i);
        *failed += croft_call(session, "ask", args, strlen(args), NULL, &result) != CROFT_OK ||
                   result.structured == NULL || strcmp(result.structured, wanted) != 0;
        croft_result_free(&result);
    }
    return NULL;
}

static void serves_threads(void)
{
    pthread_t threads[THREADS];
    int failed[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, ask_often, &failed[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(failed[i] == 0);
    }
}

static void tells_its_usage(void)
{
    croft_usage before, after;

    croft_session_usage(session, &before);
    CHECK(before.heap.limit == 3 * MIB && before.calls.limit == 4 &&
          before.steps.limit == 50000000);
    CHECK(before.calls.last == 0 && before.calls.most >= 1 && before.calls.most <= THREADS);
    CHECK(before.interpreters_trapped == 3);
    CHECK(before.interpreters_made > before.interpreters_trapped);
    CHECK(before.heap.last > 0 && before.heap.most >= before.heap.last);
    CHECK(before.heap.most <= before.heap.limit);
    answers("ask", "text", " {\"reply\":\"\xc3\xa9\"}");
    croft_session_usage(session, &after);
    CHECK(after.calls_ended == before.calls_ended + 1);
    CHECK(after.steps.last > 0 && after.steps.last < after.steps.most);
    CHECK(after.interpreters_made == before.interpreters_made);
}

static void *ask_to_meet(void *data)
{
    croft_result result;

    (void)data;
    CHECK(croft_call(session, "ask", "{\"f\":\"meet\"}", 12, NULL, &result) == CROFT_OK &&
          !result.is_error);
    croft_result_free(&result);
    return NULL;
}

/* How many interpreters two calls at once made. */
static uint64_t made_by_two_calls(void)
{
    croft_usage before, after;
    pthread_t other;

    croft_session_usage(session, &before);
    pthread_create(&other, NULL, ask_to_meet, NULL);
    ask_to_meet(NULL);
    pthread_join(other, NULL);
    croft_session_usage(session, &after);
    return after.interpreters_made - before.interpreters_made;
}

static void keeps_as_many_as_it_is_told(void)
{
    pthread_barrier_init(&two, NULL, 2);
    CHECK(made_by_two_calls() == 1 && made_by_two_calls() == 1); /* one stays */
    croft_session_keep(session, 2);
    CHECK(made_by_two_calls() == 1 && made_by_two_calls() == 0 && made_by_two_calls() == 0);
    croft_session_keep(session, 0); /* as 1: what is over goes now */
    CHECK(session->pool.made == 1 && session->pool.idle_count == 1);
    CHECK(made_by_two_calls() == 1);
    pthread_barrier_destroy(&two);
}

static void refused(const char *name, croft_host_function *callback, const char *description,
                    const char *wanted)
{
    const croft_function given[] = {{"good", NULL, echo, NULL},
                                    {name, description, callback, NULL}};
    croft_error err;

    CHECK(open_with(given, 2, &err) == CROFT_BAD_ARGUMENT);
    CHECK_TEXT(err.message, wanted);
}

#define NAMES_ARE "a name has 1 to 64 letters, digits and _, no digit first, and is no word of Lua"

static void refuses_bad_functions(void)
{
    char name[66] = {0};

    memset(name, 'a', 65);
    refused("a-b", echo, "", "a function cannot be called \"a-b\": " NAMES_ARE);
    refused("1a", echo, "", "a function cannot be called \"1a\": " NAMES_ARE);
    refused("end", echo, "", "a function cannot be called \"end\": " NAMES_ARE);
    refused("", echo, "", "a function cannot be called \"\": " NAMES_ARE);
    refused(NULL, echo, "", "a function cannot be called \"\": " NAMES_ARE);
    refused("a\n\xff", echo, "", "a function cannot be called \"a\\x0a\\xff\": " NAMES_ARE);
    refused("good", echo, "", "two functions are called \"good\"");
    refused("a", NULL, "", "the function \"a\" has no callback");
    refused("a", echo, "\xff",
            "the description of the function \"a\" is not UTF-8 of at most 1024 bytes");
    refused(name + 1, NULL, "",
            "the function \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" has "
            "no callback");
}

static void is_recorded(void)
{
    croft_result result;

    CHECK(open_session(functions, sizeof functions / sizeof functions[0], keep, NULL) == CROFT_OK);
    answers("ask", "text", " {\"reply\":\"\xc3\xa9\"}");
    CHECK_TEXT(recorded, "text ok 8");
    answers("ask", "missing", "missing Nobody is called that.");
    CHECK_TEXT(recorded, "missing missing 0");
    call("ask", "{\"f\":\"sleep_long\"}", 0, &result);
    CHECK_TEXT(recorded, "sleep_long stopped 0");
    croft_result_free(&result);
    croft_session_close(session);
}

int main(void)
{
    char root[128];
    croft_error err = {0};

    fixture_make(set_up);
    snprintf(root, sizeof root, "%s/ws", fixture_base);
    CHECK(croft_view_open(root, NULL, &view, &err) == CROFT_OK);
    refuses_bad_functions();
    is_recorded();
    CHECK(open_with(functions, sizeof functions / sizeof functions[0], &err) == CROFT_OK);
    replies_values();
    fails_in_words();
    hides_faults();
    is_closed_to_tools();
    ends_calls_afterwards();
    serves_threads();
    tells_its_usage();
    keeps_as_many_as_it_is_told();
    croft_session_close(session);
    croft_view_close(view);
    bytes_free(&told);
    fixture_remove();
    return check_report("functions");
}
