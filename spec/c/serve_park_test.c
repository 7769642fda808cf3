/* SPDX-License-Identifier: MIT */
/* Calls of the server that wait for their user: which questions leave, in which order, and what a cancelled call
 * does with its answer. */
#include <stdlib.h>

#include "check.h"
#include "serve_crew_parts.h"
#include "tree_fixture.h"

static croft_view *view;
static croft_session *session;

/* A crew that has no more to do, whose output goes to a pipe. */
struct scene {
    struct crew crew;
    struct output output;
    int ends[2];
};

/* ---- a recorder that records nothing ---- */

void recorder_hold(struct recorder *recorder)
{
    (void)recorder;
}

void recorder_release(struct recorder *recorder)
{
    (void)recorder;
}

void recorder_add(struct recorder *recorder, const struct recorded *call)
{
    (void)recorder;
    (void)call;
}

struct recorded recorder_result(croft_status status, const croft_result *result)
{
    (void)status;
    (void)result;
    return (struct recorded){0};
}

/* ---- the scene --------------------------------------------------------------------------------- */

static void nobody_leads(void *user)
{
    (void)user;
}

static void open_scene(struct scene *scene)
{
    CHECK(pipe(scene->ends) == 0);
    output_init(&scene->output, scene->ends[1]);
    crew_init(&scene->crew, session, &scene->output, 0, nobody_leads, NULL);
    (void)pthread_mutex_lock(&scene->crew.lock);
    scene->crew.over = true;
}

static void close_scene(struct scene *scene)
{
    while (scene->crew.first != NULL)
        crew_forget(&scene->crew, scene->crew.first);
    (void)pthread_mutex_unlock(&scene->crew.lock);
    for (size_t i = 0; i < scene->crew.thread_count; i++)
        (void)pthread_join(scene->crew.threads[i], NULL);
    crew_free(&scene->crew);
    output_free(&scene->output);
    (void)close(scene->ends[0]);
}

/* All that left, as one text; the other end is closed then. */
static char *all_sent(struct scene *scene)
{
    static char text[4096];
    ssize_t size;

    output_flush(&scene->output);
    (void)close(scene->ends[1]);
    size = read(scene->ends[0], text, sizeof text - 1);
    text[size < 0 ? 0 : size] = '\0';
    return text;
}

/* A call of `write` that has run so far that its question is known. */
static struct job *add_job(struct scene *scene, uint64_t question)
{
    static const struct answer_form form = {.done = "\"text\":",
                                            .after_done = "}",
                                            .failed = "\"text\":",
                                            .after_failed = "}",
                                            .refused = "",
                                            .broken = "}"};
    static const char args[] = "{\"path\":\"new.txt\",\"content\":\"x\"}";
    const struct job_parts parts = {
        .texts = {[JOB_KEY] = {{"k", 1}}, [JOB_NAME] = {{"write", 5}}, [JOB_START] = {{"{", 1}}},
        .form = &form,
        .args = {args, sizeof args - 1}};
    struct job *job = job_make(&parts, NULL);

    CHECK(job != NULL);
    job->id = ++scene->crew.last_id;
    job->output = &scene->output;
    job->asks = ASKS_REQUEST;
    job->question = question;
    job->deadline_ns = UINT64_MAX;
    job->running = true;
    bytes_add_text(&job->asking, "question");
    job->next = scene->crew.first;
    scene->crew.first = job;
    scene->crew.count++;
    return job;
}

static bool was_refused(const struct job *job, croft_undecided cause)
{
    return !job->is_parked && job->has_answer && job->answer.verdict.decision == CROFT_UNDECIDED &&
           job->answer.verdict.cause == cause;
}

/* ---- which questions leave --------------------------------------------------------------------- */

static void test_asks(void)
{
    struct scene scene;
    struct job *job;

    open_scene(&scene);
    job = add_job(&scene, 7);
    park_job(&scene.crew, job);
    CHECK(job->is_parked && scene.crew.parked == 1);
    CHECK_TEXT(all_sent(&scene), "question\n");
    close_scene(&scene);
}

static void test_asks_nobody_about_a_cancelled_call(void)
{
    struct scene scene;
    struct job *job;

    open_scene(&scene);
    job = add_job(&scene, 7);
    atomic_store(&job->cancelled, true);
    park_job(&scene.crew, job);
    CHECK(was_refused(job, CROFT_UNDECIDED_CANCELLED) && scene.crew.parked == 0);
    CHECK_TEXT(all_sent(&scene), "");
    close_scene(&scene);
}

static void test_asks_nobody_over_the_most(void)
{
    struct scene scene;
    struct job *job;

    open_scene(&scene);
    scene.crew.parked = CREW_PARKED;
    job = add_job(&scene, 7);
    park_job(&scene.crew, job);
    CHECK(was_refused(job, CROFT_UNDECIDED_TOO_MANY) && scene.crew.parked == CREW_PARKED);
    CHECK_TEXT(all_sent(&scene), "");
    close_scene(&scene);
}

/* While another thread sends, lines wait for it in their order. */
static void test_withdraws_after_asking(void)
{
    struct scene scene;
    struct job *job;
    const char *sent;

    open_scene(&scene);
    job = add_job(&scene, 7);
    scene.crew.sends = true;
    park_job(&scene.crew, job);
    park_cancel(&scene.crew, job);
    scene.crew.sends = false;
    park_send_notices(&scene.crew);
    sent = all_sent(&scene);
    CHECK(strncmp(sent, "question\n", 9) == 0);
    CHECK(strstr(sent, "notifications/cancelled") != NULL);
    close_scene(&scene);
}

/* A call whose gate asks in its own thread leaves its place to others, and takes it again. */
static void test_asking_holds_nobody_up(void)
{
    struct scene scene;
    struct job *job;

    open_scene(&scene);
    job = add_job(&scene, 0);
    job->is_long = true;
    scene.crew.running = scene.crew.running_long = 1;
    (void)pthread_mutex_unlock(&scene.crew.lock);
    crew_asks(&scene.crew, job->id, true);
    CHECK(scene.crew.running == 0 && scene.crew.running_long == 0 && scene.crew.asking == 1);
    crew_asks(&scene.crew, job->id, false);
    CHECK(scene.crew.running == 1 && scene.crew.running_long == 1 && scene.crew.asking == 0);
    (void)pthread_mutex_lock(&scene.crew.lock);
    scene.crew.running = scene.crew.running_long = 0;
    close_scene(&scene);
}

/* ---- what is done with the answer -------------------------------------------------------------- */

/* Makes the call as far as its question, and again with the answer that it may run. */
static bool writes(bool cancelled)
{
    struct scene scene;
    struct job *job;

    open_scene(&scene);
    (void)unlink("ws/new.txt");
    job = add_job(&scene, 0);
    CHECK(job_run(job, session));
    job->answer = (croft_answer){.request_id = job->question, .verdict = {.decision = CROFT_ALLOW}};
    job->has_answer = true;
    atomic_store(&job->cancelled, cancelled);
    CHECK(!job_run(job, session));
    close_scene(&scene);
    return fixture_says("test -e ws/new.txt");
}

static void test_runs_nothing_that_is_cancelled(void)
{
    CHECK(writes(false));
    fixture_run("rm ws/new.txt");
    CHECK(!writes(true));
}

static void set_up(void)
{
    croft_session_options options;
    croft_error err;
    char root[128];

    fixture_make("true");
    (void)snprintf(root, sizeof root, "%s/ws", fixture_base);
    CHECK(croft_view_open(root, NULL, &view, &err) == CROFT_OK);
    croft_session_options_init(&options);
    options.gate_kind = CROFT_GATE_NEEDS_INPUT;
    CHECK(croft_session_open(view, &options, &session, &err) == CROFT_OK);
}

int main(void)
{
    set_up();
    test_asks();
    test_asks_nobody_about_a_cancelled_call();
    test_asks_nobody_over_the_most();
    test_withdraws_after_asking();
    test_asking_holds_nobody_up();
    test_runs_nothing_that_is_cancelled();
    croft_session_close(session);
    croft_view_close(view);
    fixture_remove();
    return check_report("serve_park");
}
