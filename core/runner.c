/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leave.h"
#include "runner_parts.h"

enum { TICK = 50, CALL_CLOSE_RANGE = 436 };

const struct runner_limits runner_defaults = {
    .seconds = 600, .output = 64u << 20, .processes = 256, .memory = UINT64_C(4) << 30};

struct runner {
    int socket;
    pid_t pid;
};

/* ---- passing a descriptor ---------------------------------------------------------------------- */

union control {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

static bool send_descriptor(int socket, int fd)
{
    union control control = {0};
    char byte = 'r';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

/* -1 when the other end is closed. */
static int receive_descriptor(int socket)
{
    union control control = {0};
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    const struct cmsghdr *header;
    ssize_t count;
    int fd;

    do
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header == NULL || header->cmsg_type != SCM_RIGHTS)
        return -1;
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

/* ---- the child --------------------------------------------------------------------------------- */

/* Holds nothing of its parent's: a client waits for the end of stdout. Signals of the terminal are not for it;
 * it ends when its parent does. */
static int leave_parent(int socket)
{
    int null = open("/dev/null", O_RDWR);

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        (void)dup2(null, fd);
    if (socket != STDERR_FILENO + 1 && dup2(socket, STDERR_FILENO + 1) < 0)
        leave(1);
    (void)syscall(CALL_CLOSE_RANGE, STDERR_FILENO + 2, ~0U, 0);
    (void)setsid();
    return STDERR_FILENO + 1;
}

static void serve(const struct runner_job *job, int socket)
{
    int caller;

    signal(SIGCHLD, SIG_IGN); /* keepers leave nothing behind */
    while ((caller = receive_descriptor(socket)) >= 0) {
        if (fork() == 0) {
            close(socket);
            signal(SIGCHLD, SIG_DFL);
            runner_keep(job, caller);
            leave(0);
        }
        close(caller);
    }
}

struct runner *runner_new(const croft_view *view, const struct launch_probe *probe,
                          const struct runner_limits *limits)
{
    const struct runner_job job = {.view = view, .probe = *probe, .limits = *limits};
    struct runner *runner = calloc(1, sizeof *runner);
    int ends[2];

    if (runner == NULL)
        return NULL;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        free(runner);
        return NULL;
    }
    runner->pid = fork();
    if (runner->pid == 0) {
        serve(&job, leave_parent(ends[1]));
        leave(0);
    }
    close(ends[1]);
    runner->socket = ends[0];
    if (runner->pid > 0)
        return runner;
    close(ends[0]);
    free(runner);
    return NULL;
}

void runner_free(struct runner *runner)
{
    if (runner == NULL)
        return;
    close(runner->socket);
    while (waitpid(runner->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(runner);
}

/* ---- a call ------------------------------------------------------------------------------------ */

/* Asks for a run. The end of a socket on which the answer comes, or -1. */
static int ask(const struct runner *runner, const char *json, size_t size)
{
    uint32_t count = (uint32_t)size;
    int ends[2];
    bool good;

    if (size > UINT32_MAX || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    good = send_descriptor(runner->socket, ends[1]);
    close(ends[1]);
    good = good && send(ends[0], &count, sizeof count, MSG_NOSIGNAL) == sizeof count &&
           send(ends[0], json, size, MSG_NOSIGNAL) == (ssize_t)size;
    if (good)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Takes what comes until the end; false when the call is called off before. */
static bool listen_to(int fd, const croft_reply *reply, struct bytes *answer)
{
    char data[16 * 1024];

    while (!croft_reply_is_cancelled(reply)) {
        struct pollfd wait = {fd, POLLIN, 0};
        ssize_t count = poll(&wait, 1, TICK) > 0 ? recv(fd, data, sizeof data, 0) : -1;

        if (count == 0 || (count < 0 && wait.revents != 0 && errno != EINTR))
            return true;
        if (count > 0)
            bytes_add(answer, data, (size_t)count);
    }
    return false;
}

void runner_call(void *user, const char *json, size_t size, croft_reply *reply)
{
    struct bytes answer = {0};
    int fd = ask(user, json, size);

    croft_reply_takes_time(reply);
    if (fd >= 0 && !listen_to(fd, reply, &answer))
        bytes_clear(&answer);
    if (answer.size > 1 && answer.data[0] == ANSWER_JSON)
        croft_reply_json(reply, answer.data + 1, answer.size - 1);
    else if (answer.size > 2)
        croft_reply_error(reply, (croft_status)answer.data[1], bytes_end(&answer) + 2);
    else
        croft_reply_error(reply, CROFT_INTERNAL, "has no answer");
    bytes_free(&answer);
    if (fd >= 0)
        close(fd); /* what still runs is ended */
}
