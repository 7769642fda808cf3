/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "json_scan.h"
#include "runner_parts.h"

enum { TICK = 20, REQUEST_BYTES = 1 << 20, READ_BYTES = 64 * 1024, ENDING = 2000, NAMES = 64 };

enum ended { EXITED, BY_TIME, BY_OUTPUT, BY_PROCESSES, UNHEARD };

static const char *const ended_words[] = {
    [EXITED] = "exited", [BY_TIME] = "time", [BY_OUTPUT] = "output", [BY_PROCESSES] = "processes"};

/* ---- answers ----------------------------------------------------------------------------------- */

static void send_all(int caller, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t count = send(caller, data, size, MSG_NOSIGNAL);

        if (count < 0 && errno != EINTR)
            return;
        if (count > 0) {
            data += count;
            size -= (size_t)count;
        }
    }
}

static void refuse(int caller, croft_status status, const char *message)
{
    const char head[] = {ANSWER_ERROR, (char)status};

    send_all(caller, head, sizeof head);
    send_all(caller, message, strlen(message));
}

/* ---- the program runs -------------------------------------------------------------------------- */

struct keeping {
    const struct runner_limits *limits;
    const croft_argv *argv;
    struct launch launch;
    struct output_kept *output;
    int out, caller;
    uint64_t until, next_count; /* milliseconds of the clock */
    enum ended ended;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* bubblewrap takes all that it started with it. */
static void end(struct keeping *k, enum ended why)
{
    if (k->ended != EXITED)
        return;
    k->ended = why;
    k->until = now_ms() + ENDING;
    kill(k->launch.pid, SIGKILL);
}

/* False at the end of the output. */
static bool take_output(struct keeping *k)
{
    char data[READ_BYTES];
    ssize_t count = read(k->out, data, sizeof data);

    if (count > 0 && k->ended == EXITED)
        output_add(k->output, data, (size_t)count);
    if (k->output->total > k->limits->output)
        end(k, BY_OUTPUT);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void look(struct keeping *k)
{
    uint64_t now = now_ms();

    if (k->ended == EXITED && now >= k->until)
        end(k, BY_TIME);
    if (k->ended == EXITED && now >= k->next_count) {
        k->next_count = now + TICK;
        /* bubblewrap itself and the first process of its namespace are not the program's */
        if (limits_count(k->launch.pid, k->limits->processes + 2) > k->limits->processes + 2)
            end(k, BY_PROCESSES);
    }
}

/* Until all that could write has ended. Of one that was killed that is not waited for long. */
static void watch(struct keeping *k)
{
    bool more = true;

    while (more) {
        struct pollfd waits[] = {{k->out, POLLIN, 0}, {k->caller, POLLRDHUP, 0}};
        int count = poll(waits, k->ended == EXITED ? 2 : 1, TICK);

        if (count > 0 && waits[0].revents != 0)
            more = take_output(k);
        if (count > 0 && waits[1].revents != 0)
            end(k, UNHEARD);
        look(k);
        if (k->ended != EXITED && now_ms() >= k->until)
            more = false;
    }
}

/* What the command could not do anywhere, so that nobody is told of what it could: bubblewrap's arguments say
 * it. */
static void add_view(const croft_argv *argv, struct bytes *json)
{
    bool network = true, read_only = true;

    for (size_t i = 0; i < argv->split; i++) {
        network = network && strcmp(argv->items[i], "--unshare-net") != 0;
        if (i + 2 < argv->split && strcmp(argv->items[i], "--bind") == 0)
            read_only = read_only && strcmp(argv->items[i + 2], "/workspace") != 0;
    }
    bytes_add_text(json, network ? ",\"network\":true" : ",\"network\":false");
    bytes_add_text(json, read_only ? ",\"read_only\":true" : ",\"read_only\":false");
}

static void answer(struct keeping *k, int status)
{
    struct bytes json = {0};

    if (k->ended == EXITED && status < 0) {
        char message[512];

        (void)snprintf(message, sizeof message, "was not started: %.*s",
                       (int)(k->output->head_size < 400 ? k->output->head_size : 400),
                       k->output->head);
        refuse(k->caller, CROFT_INTERNAL, message);
        return;
    }
    bytes_add_char(&json, ANSWER_JSON);
    bytes_add_char(&json, '{');
    output_write(k->output, &json);
    add_view(k->argv, &json);
    bytes_add_text(&json, ",\"ended\":\"");
    bytes_add_text(&json, ended_words[k->ended]);
    bytes_add_char(&json, '"');
    if (k->ended == EXITED) {
        bytes_add_text(&json, ",\"exit\":");
        bytes_add_number(&json, (uint64_t)status);
    }
    bytes_add_char(&json, '}');
    if (!json.failed)
        send_all(k->caller, json.data, json.size);
    bytes_free(&json);
}

/* ---- starting it ------------------------------------------------------------------------------- */

static void run(const struct runner_job *job, const croft_argv *argv, uint64_t seconds, int caller)
{
    struct keeping k = {.limits = &job->limits, .argv = argv, .caller = caller};
    struct control_groups groups;
    int ends[2] = {-1, -1}, null = open("/dev/null", O_RDONLY | O_CLOEXEC), status;
    bool good;

    k.output = calloc(1, sizeof *k.output);
    good = k.output != NULL && null >= 0 && pipe2(ends, O_CLOEXEC) == 0;
    groups_make(&groups, &job->limits);
    if (good) {
        const int standard[3] = {null, ends[1], ends[1]}; /* one pipe keeps the order of both */

        good = launch_start(argv, standard, groups_join, &groups, &k.launch);
        close(ends[1]);
    }
    if (good) {
        k.out = ends[0];
        k.until = now_ms() + seconds * 1000;
        watch(&k);
        close(k.out);
        status = launch_finish(&k.launch);
        if (k.ended != UNHEARD) /* nobody is there to be answered */
            answer(&k, status);
    } else {
        refuse(caller, CROFT_INTERNAL, strerror(errno));
    }
    groups_remove(&groups);
    free(k.output);
}

/* ---- what is asked for ------------------------------------------------------------------------- */

static bool get_text(struct json_slice object, const char *name, struct bytes *out)
{
    struct json_slice value = json_member(object, name);

    return json_type(value) == JSON_STRING && json_text(value, out) &&
           strlen(bytes_end(out)) == out->size && !out->failed;
}

static uint64_t get_seconds(struct json_slice object, uint64_t most)
{
    struct json_slice value = json_member(object, "seconds");
    uint64_t seconds = most;

    if (json_type(value) == JSON_NUMBER)
        seconds = strtoull(value.data, NULL, 10); /* a comma or brace stands behind it */
    return seconds < 1 ? 1 : seconds > most ? most : seconds;
}

/* The host's path of a directory in the tools' tree: a tree of that name is at the top for a subprocess, all
 * else in the root; a directory "workspace" of the root's is one of these. */
static bool find_directory(const croft_view *view, const char *path, char *out, size_t size)
{
    char inside[LAUNCH_PATH];
    bool is_trees = strncmp(path, "workspace", 9) != 0 || (path[9] != '/' && path[9] != '\0');
    int used = snprintf(inside, sizeof inside, "/%s", path);

    if (is_trees && used > 1 && (size_t)used < sizeof inside &&
        croft_translate(view, inside, out, size))
        return true;
    used = snprintf(inside, sizeof inside, "/workspace%s%s", *path == '\0' ? "" : "/", path);
    return (size_t)used < sizeof inside && croft_translate(view, inside, out, size);
}

/* Where the root has a read-only directory now, which it had not when commands were enabled: what to say. */
static bool find_made(const croft_view *view, char *message, size_t size)
{
    const char *names[NAMES];
    size_t count = croft_read_only_names(view, names, NAMES);

    for (size_t i = 0; i < count && i < NAMES; i++) {
        char inside[LAUNCH_PATH], path[LAUNCH_PATH];

        (void)snprintf(inside, sizeof inside, "/%s", names[i]);
        if (croft_translate(view, inside, path, sizeof path)) /* another tree, which is held */
            continue;
        (void)snprintf(inside, sizeof inside, "/workspace/%s", names[i]);
        if (!croft_translate(view, inside, path, sizeof path) ||
            faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        (void)snprintf(message, size,
                       "The workspace root has \"%.100s\" now, which is read-only here, and a "
                       "command could not be kept from changing it. Nothing was run, and nothing "
                       "is until the operator has moved it away.",
                       names[i]);
        return true;
    }
    return false;
}

static void refuse_start(const struct runner_job *job, croft_status status, const char *why,
                         int caller)
{
    char message[512];

    if (status == CROFT_DENIED)
        refuse(caller, status, "A command cannot see that directory. Nothing was run.");
    else if (strstr(why, "is read-only") != NULL && find_made(job->view, message, sizeof message))
        refuse(caller, CROFT_DENIED, message);
    else /* the view and its paths are the host's affair */
        refuse(caller, CROFT_INTERNAL, *why == '\0' ? "was asked badly" : why);
}

static void start(const struct runner_job *job, struct json_slice request, int caller)
{
    struct bytes command = {0}, directory = {0};
    const char *words[] = {"sh", "-c", NULL, NULL};
    char workdir[LAUNCH_PATH];
    croft_wrap_options options;
    croft_argv argv = {0};
    croft_error err = {0};
    croft_status status = CROFT_BAD_ARGUMENT;

    launch_options(&job->probe, &options);
    if (get_text(request, "command", &command) && get_text(request, "directory", &directory) &&
        find_directory(job->view, bytes_end(&directory), workdir, sizeof workdir)) {
        words[2] = bytes_end(&command);
        status = croft_wrap_argv(job->view, workdir, words, &options, &argv, &err);
    }
    if (status == CROFT_OK)
        run(job, &argv, get_seconds(request, job->limits.seconds), caller);
    else
        refuse_start(job, status, err.message, caller);
    croft_argv_free(&argv);
    bytes_free(&command);
    bytes_free(&directory);
}

/* A request is its size, four bytes, and JSON. */
static bool receive_all(int caller, void *data, size_t size)
{
    char *at = data;

    while (size > 0) {
        ssize_t count = recv(caller, at, size, 0);

        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        if (count > 0) {
            at += count;
            size -= (size_t)count;
        }
    }
    return true;
}

void runner_keep(const struct runner_job *job, int caller)
{
    uint32_t size = 0;
    char *text = NULL;

    if (receive_all(caller, &size, sizeof size) && size <= REQUEST_BYTES)
        text = malloc((size_t)size + 1);
    if (text != NULL && receive_all(caller, text, size)) {
        struct json_slice request = {text, size};

        text[size] = '\0';
        if (json_check(request, 8, NULL))
            start(job, request, caller);
        else
            refuse(caller, CROFT_INTERNAL, "was asked badly");
    }
    free(text);
}
