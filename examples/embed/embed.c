/* SPDX-License-Identifier: MIT */
/* A host in C: opens a directory in which reference/ cannot be changed, gives tools a function of its own, loads a
 * tool that uses it, says itself which calls may run, makes calls in threads, and prints what a model would read.
 *
 *   embed DIRECTORY TOOLS
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <croft.h>

/* Tools see it as ctx.host.person(name). JSON comes and goes; several threads may be here at once. */
static void person(void *user, const char *json, size_t size, croft_reply *reply)
{
    static const char ada[] = "{\"full_name\": \"Ada Lovelace\", \"team\": \"engines\"}";
    atomic_uint *asked = user;

    atomic_fetch_add(asked, 1);
    if (size == 5 && memcmp(json, "\"ada\"", 5) == 0)
        croft_reply_json(reply, ada, strlen(ada));
    else
        croft_reply_error(reply, CROFT_MISSING, "Nobody here has that name. Ask for \"ada\".");
}

/* Asked before each call, in several threads too: everybody may read, and write in notes/. */
static void decide(void *user, const croft_gate_request *request, croft_verdict *verdict)
{
    (void)user;
    verdict->decision = CROFT_ALLOW;
    if (request->effect == CROFT_WRITES && strncmp(request->paths[0], "notes/", 6) != 0) {
        verdict->decision = CROFT_DENY;
        strcpy(verdict->note, "New files belong in notes/.");
    }
}

struct job {
    const char *tool, *args;
    const char *code; /* that is expected: "" for none */
    croft_session *session;
    pthread_t thread;
    croft_result result;
};

static void *work(void *data)
{
    struct job *job = data;

    croft_call(job->session, job->tool, job->args, strlen(job->args), NULL, &job->result);
    return NULL;
}

/* Prints what a model would read. Returns whether the call ended as it should. */
static bool report(struct job *job)
{
    bool good = job->result.code != NULL && strcmp(job->result.code, job->code) == 0;

    printf("%s %s\n%.*s\n\n", job->tool, job->args, (int)job->result.text_size, job->result.text);
    croft_result_free(&job->result);
    return good;
}

static bool call_at_once(croft_session *session)
{
    struct job jobs[] = {
        {.tool = "list", .args = "{}", .code = ""},
        {.tool = "mentions", .args = "{\"path\": \"plan.md\"}", .code = ""},
        {.tool = "mentions", .args = "{\"path\": \"../plan.md\"}", .code = "outside"},
        {.tool = "write", .args = "{\"path\": \"b.md\", \"content\": \"\"}", .code = "denied"},
        {.tool = "write", .args = "{\"path\": \"notes/b.md\", \"content\": \"\"}", .code = ""},
    };
    const size_t count = sizeof jobs / sizeof *jobs;
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        jobs[i].session = session;
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) != 0)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(jobs[i].thread, NULL);
        good = report(&jobs[i]) && good;
    }
    return good;
}

static void print_usage(croft_session *session)
{
    croft_usage usage;

    croft_session_usage(session, &usage);
    printf("%llu calls, %llu at once; the costliest took %llu of %llu steps\n"
           "%llu interpreters, of at most %llu KiB\n",
           (unsigned long long)usage.calls_ended, (unsigned long long)usage.calls.most,
           (unsigned long long)usage.steps.most, (unsigned long long)usage.steps.limit,
           (unsigned long long)usage.interpreters_made, (unsigned long long)usage.heap.most / 1024);
}

static bool serve(croft_view *view, const char *tools)
{
    atomic_uint asked = 0;
    const croft_function functions[] = {{"person", "name -> {full_name, team}", person, &asked}};
    const croft_limit limits[] = {{"time", 2000}};
    croft_session_options options;
    croft_session *session;
    croft_error err;
    bool good;

    croft_session_options_init(&options);
    options.tool_dirs = &tools;
    options.tool_dir_count = 1;
    options.functions = functions;
    options.function_count = sizeof functions / sizeof *functions;
    options.gate = decide;
    options.limits = limits;
    options.limit_count = sizeof limits / sizeof *limits;
    if (croft_session_open(view, &options, &session, &err) != CROFT_OK) {
        fprintf(stderr, "embed: %s\n", err.message);
        return false;
    }
    good = call_at_once(session);
    print_usage(session);
    printf("the host was asked %u times\n", atomic_load(&asked));
    croft_session_close(session);
    return good;
}

int main(int argc, char **argv)
{
    const char *const read_only[] = {"reference"};
    croft_view_options options;
    croft_view *view;
    croft_error err;
    bool good;

    if (argc != 3) {
        fputs("usage: embed DIRECTORY TOOLS\n", stderr);
        return 2;
    }
    croft_view_options_init(&options);
    options.read_only_names = read_only;
    options.read_only_count = 1;
    /* so that a tool's time limit holds within one instruction of Lua, too */
    if (croft_lend_signal(SIGRTMIN + 3, &err) != CROFT_OK ||
        croft_view_open(argv[1], &options, &view, &err) != CROFT_OK) {
        fprintf(stderr, "embed: %s\n", err.message);
        return 1;
    }
    good = serve(view, argv[2]);
    croft_view_close(view);
    return good ? 0 : 1;
}
