/* SPDX-License-Identifier: MIT */
#include "cmd_serve.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <lauxlib.h>

#include "host.h"
#include "ceilings.h"
#include "line_reader.h"
#include "note.h"
#include "watch.h"

enum { PIECES = 12 };

/* Where the handlers stand on the stack of serve(). */
enum { HANDLERS = 2, ON_LINE = 3, ON_TOO_LONG = 4, ON_FINISH = 5 };

static const char fallback[] =
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"internal error\"}}";

enum progress {
    GO_ON,
    NOTHING_SAID, /* a handler returned nothing */
    CLIENT_GONE,  /* stdout is closed at its other end */
    CANNOT_WRITE,
    CANNOT_READ
};

/* ---- output ---- */

/* Drops the first `count` bytes of the pieces. */
static void advance(struct iovec **piece, int *left, size_t count)
{
    while (*left > 0 && count >= (*piece)->iov_len) {
        count -= (*piece)->iov_len;
        ++*piece;
        --*left;
    }
    if (*left > 0) {
        (*piece)->iov_base = (char *)(*piece)->iov_base + count;
        (*piece)->iov_len -= count;
    }
}

/* Writes all of it, waiting where stdout does not block. */
static enum progress write_all(struct iovec *piece, int left)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    advance(&piece, &left, 0);
    while (left > 0) {
        ssize_t written = writev(STDOUT_FILENO, piece, left);

        if (written >= 0)
            advance(&piece, &left, (size_t)written);
        else if (errno == EAGAIN)
            (void)poll(&out, 1, -1);
        else if (errno != EINTR)
            return errno == EPIPE ? CLIENT_GONE : CANNOT_WRITE;
    }
    return GO_ON;
}

/* iovec wants a pointer to what can be changed; writev changes nothing. */
static struct iovec piece_of(const char *data, size_t size)
{
    union {
        const char *given;
        void *wanted;
    } pointer = {.given = data};

    return (struct iovec){.iov_base = pointer.wanted, .iov_len = size};
}

/* Writes the strings from `first` to the top of the stack as one line. */
static enum progress write_answer(lua_State *L, int first)
{
    struct iovec pieces[PIECES + 1];
    int count = lua_gettop(L) - first + 1;

    if (count <= 0)
        return NOTHING_SAID;
    for (int i = 0; i < count; i++) {
        size_t size;
        const char *text = lua_tolstring(L, first + i, &size);

        pieces[i] = piece_of(text, size);
    }
    pieces[count] = piece_of("\n", 1);
    return write_all(pieces, count + 1);
}

/* ---- handlers ---- */

struct line {
    const char *data; /* NULL for a handler that takes none */
    size_t size;
};

/* Protected: (handler, line) -> pieces */
static int run_handler(lua_State *L)
{
    const struct line *line = lua_touserdata(L, 2);

    lua_settop(L, 1);
    if (line->data != NULL)
        lua_pushlstring(L, line->data, line->size);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    luaL_checkstack(L, 1, NULL);
    if (lua_gettop(L) > PIECES)
        luaL_error(L, "an answer in more than %d pieces", PIECES);
    for (int i = 1; i <= lua_gettop(L); i++)
        luaL_checktype(L, i, LUA_TSTRING);
    return lua_gettop(L);
}

/* Calls a handler and writes what it says. Raises nothing. */
static enum progress handle(lua_State *L, struct watch *watch, int handler, struct line line)
{
    int top = lua_gettop(L);
    enum progress progress;

    atomic_store(&watch->busy, true);
    lua_pushcfunction(L, run_handler);
    lua_pushvalue(L, handler);
    lua_pushlightuserdata(L, &line);
    if (lua_pcall(L, 2, LUA_MULTRET, 0) == LUA_OK) {
        progress = write_answer(L, top + 1);
    } else {
        struct iovec pieces[] = {piece_of(fallback, sizeof fallback - 1), piece_of("\n", 1)};
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);

        note(text == NULL ? "" : text, text == NULL ? 0 : size);
        progress = write_all(pieces, 2);
    }
    lua_settop(L, top);
    atomic_store(&watch->busy, false);
    return progress;
}

static bool is_blank(const char *line, size_t size)
{
    size_t at = 0;

    while (at < size && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r'))
        at++;
    return at == size;
}

/* ---- the loop ---- */

/* Until stdin ends or nobody listens any more. */
static enum progress answer_lines(lua_State *L, struct line_reader *reader, struct watch *watch)
{
    enum progress progress = GO_ON;
    struct line line;

    while (progress <= NOTHING_SAID && !atomic_load(&watch->ending)) {
        enum line_kind kind = line_reader_next(reader, &line.data, &line.size);

        if (kind == LINE_BROKEN)
            return CANNOT_READ;
        if (kind == LINE_END)
            break;
        if (kind == LINE_TOO_LONG)
            progress = handle(L, watch, ON_TOO_LONG, (struct line){NULL, 0});
        else if (!is_blank(line.data, line.size))
            progress = handle(L, watch, ON_LINE, line);
    }
    if (progress == NOTHING_SAID)
        progress = GO_ON;
    while (progress == GO_ON && !atomic_load(&watch->ending))
        progress = handle(L, watch, ON_FINISH, (struct line){NULL, 0});
    return progress;
}

static int exit_status(enum progress progress)
{
    const char *complaint =
        progress == CANNOT_READ ? "croft: cannot read stdin" : "croft: cannot write to stdout";

    if (progress != CANNOT_WRITE && progress != CANNOT_READ)
        return EXIT_SUCCESS;
    note(complaint, strlen(complaint));
    return EXIT_FAILURE;
}

int cmd_serve(lua_State *L)
{
    croft_session *session = host_check_session(L, 1)->session;
    struct line_reader reader;
    struct watch watch;
    enum progress progress;
    bool watched;

    luaL_checktype(L, HANDLERS, LUA_TTABLE);
    lua_settop(L, HANDLERS);
    lua_getfield(L, HANDLERS, "line");
    lua_getfield(L, HANDLERS, "too_long");
    lua_getfield(L, HANDLERS, "finish");
    luaL_checkstack(L, PIECES + 8, NULL);
    lua_gc(L, LUA_GCRESTART);

    (void)signal(SIGPIPE, SIG_IGN); /* a client that is gone is seen when writing */
    line_reader_init(&reader, STDIN_FILENO, MESSAGE_BYTES);
    watched = watch_start(&watch, session, SERVE_CALL, STDIN_FILENO);
    progress = answer_lines(L, &reader, &watch);
    if (watched)
        watch_stop(&watch);
    line_reader_free(&reader);

    lua_pushinteger(L, exit_status(progress));
    return 1;
}
