/* SPDX-License-Identifier: MIT */
#include "serve_output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "json_scan.h"

enum { HELD_BYTES = 64 * 1024, KEPT_BYTES = 1024 * 1024 };

void output_init(struct output *output, int fd)
{
    *output = (struct output){.fd = fd};
    (void)pthread_mutex_init(&output->writing, NULL);
    (void)pthread_mutex_init(&output->lock, NULL);
}

void output_free(struct output *output)
{
    bytes_free(&output->held);
    bytes_free(&output->going);
    (void)pthread_mutex_destroy(&output->writing);
    (void)pthread_mutex_destroy(&output->lock);
}

/* Writes all of it, waiting where the descriptor does not block. */
static enum output_state write_all(int fd, const char *data, size_t size)
{
    struct pollfd out = {.fd = fd, .events = POLLOUT};

    while (size > 0) {
        ssize_t written = write(fd, data, size);

        if (written >= 0) {
            data += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) {
            (void)poll(&out, 1, -1);
        } else if (errno != EINTR) {
            return errno == EPIPE ? OUTPUT_GONE : OUTPUT_BROKEN;
        }
    }
    return OUTPUT_OPEN;
}

static void set_state(struct output *output, enum output_state state)
{
    (void)pthread_mutex_lock(&output->lock);
    if (output->state == OUTPUT_OPEN)
        output->state = state;
    (void)pthread_mutex_unlock(&output->lock);
}

/* Takes what is held; `spare`, which is empty, takes its place. False when nobody wants it any more. */
static bool take_held(struct output *output, struct bytes *spare)
{
    struct bytes held;
    bool is_open;

    (void)pthread_mutex_lock(&output->lock);
    held = output->held;
    output->held = *spare;
    is_open = output->state == OUTPUT_OPEN;
    (void)pthread_mutex_unlock(&output->lock);
    *spare = held;
    return is_open;
}

void output_flush(struct output *output)
{
    struct bytes *going = &output->going;

    (void)pthread_mutex_lock(&output->writing);
    if (take_held(output, going) && going->size > 0)
        set_state(output, write_all(output->fd, going->data, going->size));
    if (going->capacity > KEPT_BYTES)
        bytes_free(going);
    else
        bytes_clear(going);
    (void)pthread_mutex_unlock(&output->writing);
}

/* Half a line must never leave: all of it is added, or nothing. */
static bool hold_line(struct bytes *held, const struct output_piece *pieces, int count)
{
    size_t before = held->size;
    bool fits;

    for (int i = 0; i < count; i++)
        if (pieces[i].is_text)
            json_quote(held, pieces[i].data, pieces[i].size);
        else
            bytes_add(held, pieces[i].data, pieces[i].size);
    bytes_add_char(held, '\n');
    fits = !held->failed;
    if (!fits)
        held->size = before;
    held->failed = false;
    return fits;
}

/* The line is made where it will be sent from, with the lock held: that takes less time than to copy it. */
bool output_try(struct output *output, const struct output_piece *pieces, int count, bool hold)
{
    bool fits, is_full;

    (void)pthread_mutex_lock(&output->lock);
    fits = hold_line(&output->held, pieces, count);
    is_full = output->held.size >= HELD_BYTES;
    (void)pthread_mutex_unlock(&output->lock);
    if (!hold || is_full)
        output_flush(output);
    return fits;
}

void output_put(struct output *output, const struct output_piece *pieces, int count, bool hold)
{
    if (!output_try(output, pieces, count, hold))
        set_state(output, OUTPUT_BROKEN);
}

bool output_is_flushed(struct output *output)
{
    bool flushed;

    if (pthread_mutex_trylock(&output->writing) != 0)
        return false;
    (void)pthread_mutex_lock(&output->lock);
    flushed = output->held.size == 0;
    (void)pthread_mutex_unlock(&output->lock);
    (void)pthread_mutex_unlock(&output->writing);
    return flushed;
}

enum output_state output_state(struct output *output)
{
    enum output_state state;

    (void)pthread_mutex_lock(&output->lock);
    state = output->state;
    (void)pthread_mutex_unlock(&output->lock);
    return state;
}
