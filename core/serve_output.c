/* SPDX-License-Identifier: MIT */
#include "serve_output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "json_scan.h"

enum { HELD_BYTES = 64 * 1024 };

void output_init(struct output *output, int fd)
{
    *output = (struct output){.fd = fd};
    (void)pthread_mutex_init(&output->lock, NULL);
}

void output_free(struct output *output)
{
    bytes_free(&output->held);
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

/* With the lock held. */
static void flush(struct output *output)
{
    if (output->state == OUTPUT_OPEN && output->held.size > 0)
        output->state = write_all(output->fd, output->held.data, output->held.size);
    if (output->held.capacity > 16 * HELD_BYTES)
        bytes_free(&output->held);
    else
        bytes_clear(&output->held);
}

static void add(struct bytes *held, const struct output_piece *piece)
{
    if (piece->is_text)
        json_quote(held, piece->data, piece->size);
    else
        bytes_add(held, piece->data, piece->size);
}

/* With the lock held. */
static bool put(struct output *output, const struct output_piece *pieces, int count, bool hold)
{
    struct bytes *held = &output->held;
    size_t before = held->size;
    bool fits;

    for (int i = 0; i < count; i++)
        add(held, &pieces[i]);
    bytes_add_char(held, '\n');
    fits = !held->failed;
    if (!fits) { /* half a line must never leave */
        held->size = before;
        held->failed = false;
    }
    if (!hold || held->size >= HELD_BYTES)
        flush(output);
    return fits;
}

bool output_try(struct output *output, const struct output_piece *pieces, int count, bool hold)
{
    bool fits;

    (void)pthread_mutex_lock(&output->lock);
    fits = put(output, pieces, count, hold);
    (void)pthread_mutex_unlock(&output->lock);
    return fits;
}

void output_put(struct output *output, const struct output_piece *pieces, int count, bool hold)
{
    (void)pthread_mutex_lock(&output->lock);
    if (!put(output, pieces, count, hold))
        output->state = OUTPUT_BROKEN;
    (void)pthread_mutex_unlock(&output->lock);
}

void output_flush(struct output *output)
{
    (void)pthread_mutex_lock(&output->lock);
    flush(output);
    (void)pthread_mutex_unlock(&output->lock);
}

bool output_is_flushed(struct output *output)
{
    bool flushed;

    if (pthread_mutex_trylock(&output->lock) != 0)
        return false;
    flushed = output->held.size == 0;
    (void)pthread_mutex_unlock(&output->lock);
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
