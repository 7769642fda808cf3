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
    croft_view_close(view);
    fixture_remove();
    return check_report("gate");
}
