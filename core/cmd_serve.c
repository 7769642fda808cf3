/* SPDX-License-Identifier: MIT */
#include "cmd_serve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>

#include "ceilings.h"
#include "host.h"
#include "line_reader.h"
#include "note.h"
#include "serve_crew.h"
#include "serve_plain.h"
#include "watch.h"

enum { PIECES = 12 };

/* Where the handlers stand on the stack of cmd_serve(). */
enum { HANDLERS = 3, ON_LINE = 4, ON_TOO_LONG = 5, ON_FINISH = 6 };

#define SERVER "croft.server"

static const char fallback[] =
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,\"message\":\"internal error\"}}";

/* The interpreter and the reader belong to the thread that leads. */
struct server {
    lua_State *L;
    struct line_reader reader;
    struct output output;
    struct crew crew;
    struct watch watch;
    struct job *started; /* by the handler that has just run */
    struct plain plain;
    struct recorder *recorder; /* NULL: nothing is recorded */
    struct ask_key key;
    bool cannot_read;
    bool verbose;
};

/* ---- handlers ---------------------------------------------------------------------------------- */

/* Protected: (handler, line) -> pieces. The handler gets the line as core.request and core.parse take it, for as
 * long as it runs; none where it is NULL. */
static int run_handler(lua_State *L)
{
    if (lua_touserdata(L, 2) == NULL)
        lua_settop(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    luaL_checkstack(L, 1, NULL);
    if (lua_gettop(L) > PIECES)
        luaL_error(L, "an answer in more than %d pieces", PIECES);
    for (int i = 1; i <= lua_gettop(L); i++)
        luaL_checktype(L, i, LUA_TSTRING);
    return lua_gettop(L);
}

/* Puts the strings from `first` to the top of the stack as one line. False when there are none. */
static bool put_answer(struct server *server, int first)
{
    struct output_piece pieces[PIECES];
    int count = lua_gettop(server->L) - first + 1;

    for (int i = 0; i < count; i++) {
        pieces[i].data = lua_tolstring(server->L, first + i, &pieces[i].size);
        pieces[i].is_text = false;
    }
    if (count > 0)
        output_put(&server->output, pieces, count, true);
    return count > 0;
}

static void put_fallback(struct server *server)
{
    struct output_piece piece = {fallback, sizeof fallback - 1, false};
    size_t size;
    const char *text = lua_tolstring(server->L, -1, &size);

    note(text == NULL ? "" : text, text == NULL ? 0 : size);
    output_put(&server->output, &piece, 1, true);
}

/* Calls a handler and puts what it says. Raises nothing. True when it said something. */
static bool handle(struct server *server, int handler, struct request_line *line)
{
    lua_State *L = server->L;
    int top = lua_gettop(L);
    bool said = true;

    lua_pushcfunction(L, run_handler);
    lua_pushvalue(L, handler);
    lua_pushlightuserdata(L, line);
    if (lua_pcall(L, 2, LUA_MULTRET, 0) == LUA_OK)
        said = put_answer(server, top + 1);
    else
        put_fallback(server);
    lua_settop(L, top);
    return said;
}

static struct server *get_server(lua_State *L)
{
    struct server *server;

    lua_getfield(L, LUA_REGISTRYINDEX, SERVER);
    server = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return server;
}

int cmd_serve_start(lua_State *L)
{
    struct server *server = get_server(L);

    luaL_checktype(L, 1, LUA_TTABLE);
    job_free(server->started); /* a handler starts one at most */
    server->started = NULL;
    server->started = job_new(L, 1, &server->reader);
    return 0;
}

int cmd_serve_plain(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    plain_take(L, 1, &get_server(L)->plain);
    return 0;
}

int cmd_serve_answer(lua_State *L)
{
    uint64_t question = (uint64_t)luaL_checkinteger(L, 1);
    croft_verdict verdict;

    luaL_checktype(L, 2, LUA_TTABLE);
    job_take_verdict(L, 2, &verdict);
    crew_answer(&get_server(L)->crew, question, &verdict);
    return 0;
}

int cmd_serve_cancel(lua_State *L)
{
    crew_cancel(&get_server(L)->crew, luaL_checkstring(L, 1));
    return 0;
}

/* ---- leading ----------------------------------------------------------------------------------- */

static bool is_blank(struct json_slice line)
{
    size_t at = 0;

    while (at < line.size &&
           (line.data[at] == ' ' || line.data[at] == '\t' || line.data[at] == '\r'))
        at++;
    return at == line.size;
}

/* The job that a line asks for. NULL when it has been answered, or nothing is to be said. */
static struct job *take_line(struct server *server, struct request_line *line)
{
    struct job *job;

    request_look(line);
    job = plain_job(&server->plain, line, &server->reader);
    if (job == NULL) {
        (void)handle(server, ON_LINE, line);
        job = server->started;
        server->started = NULL;
    }
    return job;
}

/* Answers a line, or has it answered. False when the lead is lost. */
static bool answer(struct server *server, struct json_slice text)
{
    struct request_line line = {.text = text};
    struct job *job = take_line(server, &line);

    if (job == NULL)
        return true;
    job->output = &server->output;
    job->recorder = server->recorder;
    job->verbose = server->verbose;
    job->key_of_states = &server->key;
    return crew_submit(&server->crew, job, line_reader_has_line(&server->reader));
}

static bool may_go_on(struct server *server)
{
    return output_state(&server->output) == OUTPUT_OPEN && !atomic_load(&server->watch.ending);
}

/* The input is over: what runs is waited for, streams are ended, the crew goes home. */
static void end(struct server *server)
{
    output_flush(&server->output);
    crew_drain(&server->crew);
    while (may_go_on(server) && handle(server, ON_FINISH, NULL))
        continue;
    output_flush(&server->output);
    crew_finish(&server->crew);
}

/* Reads until the lead goes to another thread or the input is over. */
static void lead(void *user)
{
    struct server *server = user;
    struct json_slice line;

    while (may_go_on(server)) {
        enum line_kind kind;

        if (!line_reader_has_line(&server->reader)) {
            if (!crew_help(&server->crew))
                return;
            output_flush(&server->output);
        }
        kind = line_reader_next(&server->reader, &line.data, &line.size);
        server->cannot_read = kind == LINE_BROKEN;
        if (kind == LINE_BROKEN || kind == LINE_END)
            break;
        if (kind == LINE_TOO_LONG)
            (void)handle(server, ON_TOO_LONG, NULL);
        else if (!is_blank(line) && !answer(server, line))
            return;
    }
    end(server);
}

/* ---- the command ------------------------------------------------------------------------------- */

static int exit_status(struct server *server)
{
    const char *complaint = NULL;

    if (server->cannot_read)
        complaint = "croft: cannot read stdin";
    else if (output_state(&server->output) == OUTPUT_BROKEN)
        complaint = "croft: cannot write to stdout";
    if (complaint == NULL)
        return EXIT_SUCCESS;
    note(complaint, strlen(complaint));
    return EXIT_FAILURE;
}

static void prepare(lua_State *L, struct server *server)
{
    luaL_checktype(L, HANDLERS, LUA_TTABLE);
    lua_settop(L, HANDLERS);
    lua_getfield(L, HANDLERS, "verbose");
    server->verbose = lua_toboolean(L, -1);
    lua_getfield(L, HANDLERS, "recorder"); /* which keeps it */
    server->recorder = recorder_optional(L, -1);
    lua_pop(L, 2);
    if (lua_getfield(L, HANDLERS, "plain") == LUA_TTABLE)
        plain_take(L, lua_gettop(L), &server->plain);
    lua_pop(L, 1);
    lua_getfield(L, HANDLERS, "line");
    lua_getfield(L, HANDLERS, "too_long");
    lua_getfield(L, HANDLERS, "finish");
    lua_pushlightuserdata(L, server);
    lua_setfield(L, LUA_REGISTRYINDEX, SERVER);
    luaL_checkstack(L, PIECES + 8, NULL);
    lua_gc(L, LUA_GCRESTART);
}

int cmd_serve(lua_State *L)
{
    struct host_session *box = host_check_session(L, 1);
    size_t calls = (size_t)luaL_checkinteger(L, 2);
    struct server server = {.L = L};
    bool watched;
    int status;

    prepare(L, &server);
    if (!ask_key_make(&server.key))
        return luaL_error(L, "the kernel gives no random bytes");
    (void)signal(SIGPIPE, SIG_IGN); /* a client that is gone is seen when writing */
    line_reader_init(&server.reader, STDIN_FILENO, MESSAGE_BYTES);
    output_init(&server.output, STDOUT_FILENO);
    crew_init(&server.crew, box->session, &server.output, calls, lead, &server);
    box->gate.tty.waits_user = &server.crew;
    box->gate.tty.waits = crew_asks;
    watched = watch_start(&server.watch, &server.crew, STDIN_FILENO, STDOUT_FILENO);
    crew_work(&server.crew);
    if (watched)
        watch_stop(&server.watch);
    box->gate.tty.waits = NULL;
    crew_free(&server.crew);
    status = exit_status(&server);
    line_reader_free(&server.reader);
    output_free(&server.output);
    lua_pushinteger(L, status);
    return 1;
}
