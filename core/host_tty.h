/* SPDX-License-Identifier: MIT */
/* A gate at the terminal: questions are printed there one after another, and answered by a line. */
#ifndef CROFT_HOST_TTY_H
#define CROFT_HOST_TTY_H

#include <pthread.h>
#include <stdatomic.h>

#include "croft.h"

/* A question that was put, or waits for its turn. */
struct host_tty_question {
    uint64_t id;
    atomic_bool withdrawn;
    struct host_tty_question *next;
};

struct host_tty {
    int fd;               /* -1: there is none */
    pthread_mutex_t turn; /* one question at a time */
    /* Told that a call begins and ends to wait for an answer; NULL: nobody is. */
    void (*waits)(void *user, uint64_t call_id, bool begins);
    void *waits_user;
    pthread_mutex_t lock; /* of what follows */
    struct host_tty_question *questions;
    uint64_t withdrawn; /* the last, which may come before its question is in the list */
};

void host_tty_init(struct host_tty *tty);
void host_tty_free(struct host_tty *tty);

/* Opens the terminal of the process. False when it has none. */
bool host_tty_open(struct host_tty *tty);

/* A croft_gate_function and a croft_withdraw_function; `user` is the struct. */
void host_tty_ask(void *user, const croft_gate_request *request, croft_verdict *verdict);
void host_tty_withdraw(void *user, uint64_t request_id);

#endif
