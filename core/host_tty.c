/* SPDX-License-Identifier: MIT */
#include "host_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ask_text.h"
#include "utf8.h"

enum { LINE_BYTES = 1024, STEP_MS = 100 };

void host_tty_init(struct host_tty *tty)
{
    tty->fd = -1;
    tty->waits = NULL;
    (void)pthread_mutex_init(&tty->turn, NULL);
    (void)pthread_mutex_init(&tty->lock, NULL);
    tty->questions = NULL;
    tty->withdrawn = 0;
}

void host_tty_free(struct host_tty *tty)
{
    if (tty->fd >= 0)
        close(tty->fd);
    tty->fd = -1;
    (void)pthread_mutex_destroy(&tty->turn);
    (void)pthread_mutex_destroy(&tty->lock);
}

bool host_tty_open(struct host_tty *tty)
{
    tty->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    return tty->fd >= 0;
}

void host_tty_withdraw(void *user, uint64_t request_id)
{
    struct host_tty *tty = user;

    (void)pthread_mutex_lock(&tty->lock);
    tty->withdrawn = request_id;
    for (struct host_tty_question *question = tty->questions; question != NULL;
         question = question->next)
        if (question->id == request_id)
            atomic_store(&question->withdrawn, true);
    (void)pthread_mutex_unlock(&tty->lock);
}

static void enter(struct host_tty *tty, struct host_tty_question *question)
{
    (void)pthread_mutex_lock(&tty->lock);
    atomic_init(&question->withdrawn, tty->withdrawn == question->id);
    question->next = tty->questions;
    tty->questions = question;
    (void)pthread_mutex_unlock(&tty->lock);
}

static void leave(struct host_tty *tty, const struct host_tty_question *question)
{
    struct host_tty_question **link = &tty->questions;

    (void)pthread_mutex_lock(&tty->lock);
    while (*link != question)
        link = &(*link)->next;
    *link = question->next;
    (void)pthread_mutex_unlock(&tty->lock);
}

static bool say(const struct host_tty *tty, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t count = write(tty->fd, text, size);

        if (count < 0 && errno != EINTR)
            return false;
        text += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool print(const struct host_tty *tty, const croft_gate_request *request)
{
    static const char choices[] = "\n[y] once  [s] for this session  [n] no, with a note behind it "
                                  "if you like: ";
    struct bytes text = {0};
    bool good;

    bytes_add_char(&text, '\n');
    ask_text(&text, request);
    bytes_add(&text, choices, sizeof choices - 1);
    good = !text.failed && say(tty, text.data, text.size);
    bytes_free(&text);
    return good;
}

static uint64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

/* What was typed before the question was there is no answer to it. */
static void drop_input(const struct host_tty *tty)
{
    struct pollfd input = {.fd = tty->fd, .events = POLLIN};
    char line[LINE_BYTES];

    while (poll(&input, 1, 0) == 1 && (input.revents & POLLIN) != 0)
        if (read(tty->fd, line, sizeof line) <= 0)
            return;
}

enum reading { READ_LINE, READ_NOTHING, READ_LATE, READ_WITHDRAWN };

/* Waits for a line until `until`, or until the question is withdrawn. */
static enum reading read_line(const struct host_tty *tty, const struct host_tty_question *question,
                              uint64_t until, char *line)
{
    struct pollfd input = {.fd = tty->fd, .events = POLLIN};

    for (;;) {
        ssize_t size;

        if (atomic_load(&question->withdrawn))
            return READ_WITHDRAWN;
        if (now_ms() >= until)
            return READ_LATE;
        if (poll(&input, 1, STEP_MS) <= 0)
            continue;
        size = read(tty->fd, line, LINE_BYTES - 1);
        if (size <= 0)
            return READ_NOTHING;
        line[size] = '\0';
        line[strcspn(line, "\n")] = '\0';
        return READ_LINE;
    }
}

/* Of "n not before Friday". */
static void take_note(croft_verdict *verdict, const char *line)
{
    size_t size;

    line += strspn(line, " \t");
    size = utf8_cut(line, strlen(line), sizeof verdict->note - 1);
    if (utf8_valid(line, size) == size)
        memcpy(verdict->note, line, size);
}

/* False for what is none of the choices. */
static bool understand(const char *line, croft_verdict *verdict)
{
    size_t word;

    line += strspn(line, " \t");
    word = strcspn(line, " \t");
    if ((word == 1 && *line == 'y') || (word == 3 && strncmp(line, "yes", 3) == 0)) {
        verdict->decision = CROFT_ALLOW;
    } else if (word == 1 && *line == 's') {
        verdict->decision = CROFT_ALLOW;
        verdict->scope = CROFT_SESSION;
    } else if ((word == 1 && *line == 'n') || (word == 2 && strncmp(line, "no", 2) == 0)) {
        verdict->decision = CROFT_DENY;
        take_note(verdict, line + word);
    }
    return verdict->decision != CROFT_UNDECIDED;
}

static void say_text(const struct host_tty *tty, const char *text)
{
    (void)say(tty, text, strlen(text));
}

static void ask(const struct host_tty *tty, const croft_gate_request *request,
                const struct host_tty_question *question, uint64_t until, croft_verdict *verdict)
{
    char line[LINE_BYTES];

    if (atomic_load(&question->withdrawn)) /* while it waited for its turn */
        return;
    drop_input(tty);
    while (print(tty, request)) {
        switch (read_line(tty, question, until, line)) {
        case READ_LINE:
            if (understand(line, verdict))
                return;
            break;
        case READ_LATE:
            say_text(tty, "\n(too late: it was refused)\n");
            verdict->cause = CROFT_UNDECIDED_TIMEOUT;
            return;
        case READ_WITHDRAWN: say_text(tty, "\n(not needed any more)\n"); return;
        default: verdict->cause = CROFT_UNDECIDED_CANCELLED; return;
        }
    }
}

void host_tty_ask(void *user, const croft_gate_request *request, croft_verdict *verdict)
{
    struct host_tty *tty = user;
    uint64_t until = now_ms() + request->milliseconds;
    struct host_tty_question question = {.id = request->id};

    enter(tty, &question);
    if (tty->waits != NULL)
        tty->waits(tty->waits_user, request->call_id, true);
    (void)pthread_mutex_lock(&tty->turn);
    ask(tty, request, &question, until, verdict);
    (void)pthread_mutex_unlock(&tty->turn);
    if (tty->waits != NULL)
        tty->waits(tty->waits_user, request->call_id, false);
    leave(tty, &question);
}
