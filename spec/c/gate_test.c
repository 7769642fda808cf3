/* SPDX-License-Identifier: MIT */
/* The gate in C: what it is asked and may answer, in several threads at once; questions that are withdrawn;
 * results that need an answer. */
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"
#include "croft.h"
#include "session.h"
#include "tree_fixture.h"

static croft_view *view;

/* A gate that waits until it is told what to answer. */
struct desk {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned asked, withdrawn;
    uint64_t id;    /* of the question that waits */
    bool is_closed; /* whoever waits is to go */
    croft_verdict verdict;
};

static struct desk desk = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void ask(void *user, const croft_gate_request *request, croft_verdict *verdict)
{
    struct desk *at = user;

    CHECK(verdict->decision == CROFT_UNDECIDED && verdict->note[0] == '\0');
    (void)pthread_mutex_lock(&at->lock);
    at->asked++;
    at->id = request->id;
    (void)pthread_cond_broadcast(&at->changed);
    while (!at->is_closed && at->verdict.decision == CROFT_UNDECIDED)
        (void)pthread_cond_wait(&at->changed, &at->lock);
    *verdict = at->verdict;
    (void)pthread_mutex_unlock(&at->lock);
}

static void withdraw(void *user, uint64_t id)
{
    struct desk *at = user;

    (void)pthread_mutex_lock(&at->lock);
    CHECK(id == at->id);
    at->withdrawn++;
    at->is_closed = true;
    (void)pthread_cond_broadcast(&at->changed);
    (void)pthread_mutex_unlock(&at->lock);
}

static void wait_for_questions(unsigned count)
{
    (void)pthread_mutex_lock(&desk.lock);
    while (desk.asked < count)
        (void)pthread_cond_wait(&desk.changed, &desk.lock);
    (void)pthread_mutex_unlock(&desk.lock);
}

static void answer(croft_decision decision)
{
    (void)pthread_mutex_lock(&desk.lock);
    desk.verdict.decision = decision;
    (void)pthread_cond_broadcast(&desk.changed);
    (void)pthread_mutex_unlock(&desk.lock);
}

static void clear_desk(void)
{
    desk.asked = desk.withdrawn = 0;
    desk.is_closed = false;
    memset(&desk.verdict, 0, sizeof desk.verdict);
}

static croft_session *open_session(croft_gate_function *gate, void *user)
{
    const croft_limit limits[] = {{"calls", 1}};
    croft_session_options options;
    croft_session *session = NULL;
    croft_error err;

    croft_session_options_init(&options);
    options.gate = gate;
    options.gate_withdraw = withdraw;
    options.gate_user = user;
    options.limits = limits;
    options.limit_count = 1;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
    clear_desk();
    return session;
}

struct caller {
    croft_session *session;
    uint64_t id;
    pthread_t thread;
    croft_result result;
};

static void *call(void *user)
{
    static const char args[] = "{\"path\":\"a.txt\"}";
    struct caller *caller = user;
    croft_call_options options;

    croft_call_options_init(&options);
    options.call_id = caller->id;
    (void)croft_call(caller->session, "read", args, strlen(args), &options, &caller->result);
    return NULL;
}

static void start(struct caller *caller, croft_session *session, uint64_t id)
{
    caller->session = session;
    caller->id = id;
    CHECK(pthread_create(&caller->thread, NULL, call, caller) == 0);
}

/* ---- threads ----------------------------------------------------------------------------------- */

/* With one interpreter alone: questions hold none. */
static void test_many_questions(void)
{
    enum { CALLERS = 8 };
    croft_session *session = open_session(ask, &desk);
    struct caller callers[CALLERS];

    for (uint64_t i = 0; i < CALLERS; i++)
        start(&callers[i], session, i + 1);
    wait_for_questions(CALLERS);
    CHECK(desk.asked == CALLERS);
    answer(CROFT_ALLOW);
    for (size_t i = 0; i < CALLERS; i++) {
        (void)pthread_join(callers[i].thread, NULL);
        CHECK(callers[i].result.outcome == CROFT_DONE && callers[i].result.question == NULL);
        croft_result_free(&callers[i].result);
    }
    croft_session_close(session);
}

static void test_cancel(void)
{
    croft_session *session = open_session(ask, &desk);
    struct caller caller;

    start(&caller, session, 7);
    wait_for_questions(1);
    croft_cancel(session, 8);
    CHECK(desk.withdrawn == 0);
    croft_cancel(session, 7);
    (void)pthread_join(caller.thread, NULL);
    CHECK(desk.withdrawn == 1);
    CHECK(caller.result.outcome == CROFT_CALLED_OFF && caller.result.text_size == 0);
    croft_result_free(&caller.result);
    croft_session_close(session);
}

/* A cancelled call does not run, whatever is answered. */
static void test_cancel_and_allow(void)
{
    croft_session *session = open_session(ask, &desk);
    struct caller caller;

    desk.verdict.decision = CROFT_UNDECIDED;
    start(&caller, session, 7);
    wait_for_questions(1);
    (void)pthread_mutex_lock(&desk.lock); /* so that the verdict is there with the cancelling */
    desk.verdict.decision = CROFT_ALLOW;
    (void)pthread_mutex_unlock(&desk.lock);
    croft_cancel(session, 7);
    (void)pthread_join(caller.thread, NULL);
    CHECK(caller.result.outcome == CROFT_CALLED_OFF);
    croft_result_free(&caller.result);
    croft_session_close(session);
}

/* ---- verdicts ---------------------------------------------------------------------------------- */

static void give(void *user, const croft_gate_request *request, croft_verdict *verdict)
{
    (void)request;
    *verdict = *(const croft_verdict *)user;
}

static const char *code_of(const croft_verdict *verdict, char code[32])
{
    croft_verdict given = *verdict;
    croft_session *session = open_session(give, &given);
    croft_result result;

    (void)croft_call(session, "list", "", 0, NULL, &result);
    strcpy(code, result.code);
    croft_result_free(&result);
    croft_session_close(session);
    return code;
}

static void test_verdicts(void)
{
    croft_verdict verdict = {.decision = CROFT_ALLOW};
    char code[32];

    CHECK_TEXT(code_of(&verdict, code), "");
    verdict.scope = (croft_scope)2;
    CHECK_TEXT(code_of(&verdict, code), "gate_unavailable");
    verdict = (croft_verdict){.decision = (croft_decision)3};
    CHECK_TEXT(code_of(&verdict, code), "gate_unavailable");
    verdict = (croft_verdict){.decision = CROFT_DENY};
    CHECK_TEXT(code_of(&verdict, code), "denied");
    verdict = (croft_verdict){.decision = CROFT_UNDECIDED, .cause = CROFT_UNDECIDED_CANCELLED};
    CHECK_TEXT(code_of(&verdict, code), "gate_unavailable");
    verdict = (croft_verdict){.decision = CROFT_ALLOW};
    memset(verdict.note, 'x', sizeof verdict.note); /* without an end */
    CHECK_TEXT(code_of(&verdict, code), "gate_unavailable");
}

static void test_options(void)
{
    croft_session_options options;
    croft_session *session;
    croft_error err;

    croft_session_options_init(&options);
    options.gate_kind = CROFT_GATE_CALLBACK;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_BAD_ARGUMENT);
}

/* ---- the question as a result ------------------------------------------------------------------ */

static void test_needs_input(void)
{
    static const char args[] = "{\"path\":\"./a.txt\"}";
    croft_session_options options;
    croft_call_options call_options;
    croft_session *session = NULL;
    croft_result result, second;
    croft_answer given = {.verdict = {.decision = CROFT_ALLOW}};
    croft_error err;

    croft_session_options_init(&options);
    options.gate_kind = CROFT_GATE_NEEDS_INPUT;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
    CHECK(croft_call(session, "read", args, strlen(args), NULL, &result) == CROFT_OK);
    CHECK(result.outcome == CROFT_NEEDS_INPUT && result.is_error && result.text_size > 0);
    CHECK(result.question->path_count == 1 && result.question->id != 0);
    CHECK_TEXT(result.question->paths[0], "a.txt");
    CHECK_TEXT(result.question->args, args);
    CHECK_TEXT(result.question->why, "");
    CHECK(result.question->content_sha256 == NULL && result.question->effect == CROFT_READS);

    croft_call_options_init(&call_options);
    given.request_id = result.question->id;
    call_options.answer = &given;
    CHECK(croft_call(session, "read", args, strlen(args), &call_options, &second) == CROFT_OK);
    CHECK(second.outcome == CROFT_DONE && second.question == NULL);
    CHECK_TEXT(result.question->tool, "read"); /* as long as its result */
    croft_result_free(&result);
    croft_result_free(&second);
    croft_session_close(session);
}

/* ---- records ----------------------------------------------------------------------------------- */

/* Keeps all but the record whose number `user` counts down to. */
static bool keep(void *user, const croft_record *record)
{
    int *left = user;

    (void)record;
    return (*left)-- != 0;
}

/* A call whose question or verdict cannot be recorded does not run. */
static void test_records(void)
{
    for (int number = 0; number < 3; number++) {
        croft_verdict verdict = {.decision = CROFT_ALLOW};
        croft_session_options options;
        croft_session *session = NULL;
        croft_result result;
        croft_error err;
        int left = number;

        croft_session_options_init(&options);
        options.gate = give;
        options.gate_user = &verdict;
        options.audit = keep;
        options.audit_user = &left;
        CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
        (void)croft_call(session, "list", "", 0, NULL, &result);
        CHECK(result.outcome == CROFT_FAILED);
        CHECK_TEXT(result.code, "denied");
        croft_result_free(&result);
        croft_session_close(session);
    }
}

/* ---- policies ---------------------------------------------------------------------------------- */

static void write_policy(const char *text, char path[160])
{
    FILE *file;

    snprintf(path, 160, "%s/policy.lua", fixture_base);
    file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    fixture_run("chmod 600 policy.lua");
}

static void count_problem(void *user, const char *text)
{
    unsigned *count = user;

    CHECK(strstr(text, "policy.lua") != NULL);
    (*count)++;
}

static void test_policy_that_is_good(void)
{
    static const char args[] = "{\"path\":\"x/.env\"}";
    char path[160];
    const char *file = path;
    croft_policy *policy = NULL;
    croft_error err;
    char *text = NULL;

    write_policy(
        "return policy { version = 1, decider = { kind = 'deny', timeout_s = 2 }, rules = {\n"
        "deny { tools = '*', paths = { '**/.env' }, why = 'no', when = { regex_like = 'x' } }"
        "}, expect = { { 'deny', 'read', { path = 'x/.env' } } } }",
        path);
    CHECK(croft_policy_open(NULL, &file, 1, NULL, NULL, &policy, &err) == CROFT_OK);
    CHECK_TEXT(croft_policy_decider(policy), "deny");
    CHECK(croft_policy_rules(policy) == 1 && croft_policy_milliseconds(policy) == 2000);
    CHECK(croft_policy_explain(policy, "read", args, strlen(args), &text, &err) == CROFT_OK);
    CHECK_TEXT(text, "{\"tool\":\"read\",\"paths\":[{\"verdict\":\"deny\",\"path\":\"x/.env\","
                     "\"by\":\"rule\",\"rules\":[{\"decision\":\"deny\",\"file\":\"policy.lua\","
                     "\"line\":2,\"glob\":\"**/.env\",\"regex_like\":\"x\",\"why\":\"no\","
                     "\"decides\":true}]}],\"verdict\":\"deny\",\"default\":\"ask\"}");
    free(text);
    CHECK(croft_policy_explain(policy, "nope", "", 0, &text, &err) == CROFT_UNKNOWN_TOOL);
    CHECK(croft_policy_explain(policy, "read", "[]", 2, &text, &err) == CROFT_BAD_JSON);
    CHECK(croft_policy_explain(policy, "read", "{\"path\":\"/x\"}", 13, &text, &err) ==
          CROFT_OUTSIDE);
    croft_policy_close(policy);
    croft_policy_close(NULL);
}

/* What is wrong is told, and nothing is left behind: the sanitizers look. */
static void test_policies_that_are_bad(void)
{
    static const char *const texts[] = {
        "return policy {",
        "return policy { version = 1, rules = { deny { tools = 1 } } }",
        "return policy { version = 1, rules = { deny { tools = {'read'}, paths = {'a', '['} } } }",
        "return policy { version = 1, expect = { {'deny', 'read', {path = {{{'x'}}}}}, 7 } }",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "while true do end"};
    char path[160];
    const char *file = path;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        croft_policy *policy = NULL;
        unsigned count = 0;
        croft_error err;

        write_policy(texts[i], path);
        CHECK(croft_policy_open(NULL, &file, 1, count_problem, &count, &policy, &err) ==
              CROFT_BAD_ARGUMENT);
        CHECK(count >= 1 && policy == NULL);
    }
}

static void test_session_with_policy(void)
{
    char path[160];
    const char *file = path;
    croft_session_options options;
    croft_session *session = NULL;
    croft_result result;
    croft_error err;

    write_policy("return policy { version = 1, decider = { kind = 'policy' }, rules = {"
                 "allow { tools = 'list', paths = { '**' } } } }",
                 path);
    croft_session_options_init(&options);
    options.policies = &file;
    options.policy_count = 1;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
    (void)croft_call(session, "list", "", 0, NULL, &result);
    CHECK(result.outcome == CROFT_DONE);
    croft_result_free(&result);
    (void)croft_call(session, "read", "{\"path\":\"a.txt\"}", 16, NULL, &result);
    CHECK_TEXT(result.code, "denied");
    croft_result_free(&result);
    croft_session_close(session);
    write_policy("return policy { version = 1 }", path);
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_GATE_UNAVAILABLE);
}

int main(void)
{
    char root[128];
    croft_error err;

    fixture_make("echo alpha > ws/a.txt");
    snprintf(root, sizeof root, "%s/ws", fixture_base);
    CHECK(croft_view_open(root, NULL, &view, &err) == CROFT_OK);
    test_many_questions();
    test_cancel();
    test_cancel_and_allow();
    test_verdicts();
    test_options();
    test_needs_input();
    test_records();
    test_policy_that_is_good();
    test_policies_that_are_bad();
    test_session_with_policy();
    croft_view_close(view);
    fixture_remove();
    return check_report("gate");
}
