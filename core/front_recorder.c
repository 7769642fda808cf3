/* SPDX-License-Identifier: MIT */
#include "front_recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>

#include "front.h"
#include "front_outside.h"
#include "front_recorder_file.h"
#include "host.h"
#include "host_append.h"
#include "note.h"

#define RECORDER "croft.recorder"

/* Where the function that makes lines stands in the recorder's interpreter; the arguments of recorder_open(). */
enum { MAKE_LINE = 1, HEAD = 3, MODULE = 4 };

struct recorder {
    int fd;       /* -1: closed, or stopped */
    lua_State *L; /* its own */
    pthread_mutex_t lock;
};

/* ---- writing ----------------------------------------------------------------------------------- */

static void stop(struct recorder *recorder, const char *reason)
{
    char text[256];
    int size =
        snprintf(text, sizeof text,
                 "croft: recording has stopped, further calls are not in the file: %.150s", reason);

    note(text, (size_t)size);
    close(recorder->fd);
    recorder->fd = -1;
}

/* What Lua hands through to make_line(). */
struct line_maker {
    const struct recorded *call;
};

/* Protected: (function, a struct line_maker) -> the line of its call */
static int make_line(lua_State *L)
{
    const struct recorded *call = ((const struct line_maker *)lua_touserdata(L, 2))->call;

    lua_settop(L, 1);
    lua_pushinteger(L, (lua_Integer)call->id);
    lua_pushstring(L, call->tool);
    lua_pushlstring(L, call->args_size == 0 ? "" : call->args, call->args_size);
    lua_pushstring(L, call->outcome);
    lua_pushstring(L, call->code);
    lua_pushboolean(L, call->is_error);
    lua_pushlstring(L, call->text == NULL ? "" : call->text, call->text_size);
    lua_pushinteger(L, (lua_Integer)call->steps);
    lua_pushinteger(L, (lua_Integer)call->heap_bytes);
    lua_pushinteger(L, (lua_Integer)call->microseconds);
    lua_call(L, 10, 1);
    luaL_checktype(L, 1, LUA_TSTRING);
    return 1;
}

void recorder_add(struct recorder *recorder, const struct recorded *call)
{
    struct line_maker maker = {call};
    const char *line, *reason;
    size_t size;
    lua_State *L;

    if (recorder == NULL || recorder->fd < 0)
        return;
    L = recorder->L;
    lua_pushcfunction(L, make_line);
    lua_pushvalue(L, MAKE_LINE);
    lua_pushlightuserdata(L, &maker);
    if (lua_pcall(L, 2, 1, 0) == LUA_OK) {
        line = lua_tolstring(L, -1, &size);
        reason = recorder_file_append(recorder->fd, line, size);
    } else {
        reason = lua_tostring(L, -1);
    }
    if (reason != NULL)
        stop(recorder, reason);
    lua_settop(L, MAKE_LINE);
}

struct recorded recorder_result(croft_status status, const croft_result *result)
{
    return (struct recorded){
        .outcome = host_outcome(status, result),
        .code = status == CROFT_OK ? result->code : croft_status_word(status),
        .is_error = status != CROFT_OK || result->is_error,
        .text = result->text,
        .text_size = result->text_size,
        .steps = result->steps,
        .heap_bytes = result->heap_bytes,
        .microseconds = result->microseconds,
    };
}

void recorder_hold(struct recorder *recorder)
{
    if (recorder != NULL)
        (void)pthread_mutex_lock(&recorder->lock);
}

void recorder_release(struct recorder *recorder)
{
    if (recorder != NULL)
        (void)pthread_mutex_unlock(&recorder->lock);
}

/* ---- opening ----------------------------------------------------------------------------------- */

/* Copies the value at `index` of `from`. */
static void copy_value(lua_State *L, lua_State *from, int index)
{
    size_t size;
    const char *text;

    switch (lua_type(from, index)) {
    case LUA_TBOOLEAN: lua_pushboolean(L, lua_toboolean(from, index)); break;
    case LUA_TNUMBER: lua_pushinteger(L, lua_tointeger(from, index)); break;
    case LUA_TSTRING:
        text = lua_tolstring(from, index, &size);
        lua_pushlstring(L, text, size);
        break;
    default: luaL_error(L, "a %s cannot be handed over", luaL_typename(from, index));
    }
}

/* Protected, in the recorder's interpreter: (the caller's) -> the function that makes lines. The caller's
 * stack holds the arguments of recorder_open(), and over them the recorder. */
static int start(lua_State *L)
{
    lua_State *from = lua_touserdata(L, 1);
    int count = lua_gettop(from) - 1;

    front_open(L);
    luaL_checkstack(L, count, NULL);
    lua_getglobal(L, "require");
    copy_value(L, from, MODULE);
    lua_call(L, 1, 1);
    for (int i = MODULE + 1; i <= count; i++)
        copy_value(L, from, i);
    lua_call(L, count - MODULE, 1);
    luaL_checktype(L, -1, LUA_TFUNCTION);
    return 1;
}

/* Leaves in the recorder's interpreter the function that makes lines. Raises in L. */
static void make_interpreter(lua_State *L, struct recorder *recorder)
{
    if (recorder->L == NULL)
        luaL_error(L, "not enough memory");
    lua_pushcfunction(recorder->L, start);
    lua_pushlightuserdata(recorder->L, L);
    if (lua_pcall(recorder->L, 1, 1, 0) != LUA_OK)
        luaL_error(L, "%s", lua_tostring(recorder->L, -1));
}

static void close_recorder(struct recorder *recorder)
{
    if (recorder->fd >= 0)
        close(recorder->fd);
    recorder->fd = -1;
    if (recorder->L != NULL) {
        lua_close(recorder->L);
        (void)pthread_mutex_destroy(&recorder->lock);
    }
    recorder->L = NULL;
}

static struct recorder *push_recorder(lua_State *L)
{
    struct recorder *recorder = lua_newuserdatauv(L, sizeof *recorder, 0);

    memset(recorder, 0, sizeof *recorder);
    recorder->fd = -1;
    luaL_setmetatable(L, RECORDER);
    recorder->L = luaL_newstate();
    if (recorder->L != NULL)
        (void)pthread_mutex_init(&recorder->lock, NULL);
    return recorder;
}

struct opening {
    const char *path;
    const struct stat *root;
    int fd;
    const char *reason; /* NULL: it is open */
};

static void open_file(void *user)
{
    struct opening *opening = user;

    opening->reason = host_append_open(opening->path, opening->root, &opening->fd);
}

static int refuse(lua_State *L, struct recorder *recorder, const char *reason)
{
    close_recorder(recorder);
    lua_pushnil(L);
    lua_pushstring(L, reason);
    return 2;
}

/* ---- for Lua ----------------------------------------------------------------------------------- */

static struct recorder *check_recorder(lua_State *L, int index)
{
    struct recorder *recorder = luaL_checkudata(L, index, RECORDER);

    luaL_argcheck(L, recorder->L != NULL, index, "the recorder is closed");
    return recorder;
}

struct recorder *recorder_optional(lua_State *L, int index)
{
    return lua_isnoneornil(L, index) ? NULL : check_recorder(L, index);
}

/* Pushes the field of the table at 2. */
static void get(lua_State *L, const char *name, int type)
{
    if (lua_getfield(L, 2, name) != type)
        luaL_error(L, "%s: a %s is needed", name, lua_typename(L, type));
}

static const char *get_text(lua_State *L, const char *name, size_t *size)
{
    get(L, name, LUA_TSTRING);
    return lua_tolstring(L, -1, size);
}

static uint64_t get_number(lua_State *L, const char *name)
{
    get(L, name, LUA_TNUMBER);
    return (uint64_t)lua_tointeger(L, -1);
}

/* recorder:add(call) */
static int add(lua_State *L)
{
    struct recorder *recorder = check_recorder(L, 1);
    struct recorded call = {0};

    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2); /* the fields stay on the stack while they are used */
    call.id = get_number(L, "id");
    call.tool = get_text(L, "tool", NULL);
    call.args = get_text(L, "args", &call.args_size);
    call.outcome = get_text(L, "outcome", NULL);
    call.code = get_text(L, "code", NULL);
    call.text = get_text(L, "text", &call.text_size);
    call.steps = get_number(L, "steps");
    call.heap_bytes = get_number(L, "heap_bytes");
    call.microseconds = get_number(L, "microseconds");
    get(L, "is_error", LUA_TBOOLEAN);
    call.is_error = lua_toboolean(L, -1);
    recorder_hold(recorder);
    recorder_add(recorder, &call);
    recorder_release(recorder);
    return 0;
}

/* recorder:begin(head) */
static int begin(lua_State *L)
{
    struct recorder *recorder = check_recorder(L, 1);
    size_t size;
    const char *head = luaL_checklstring(L, 2, &size);
    const char *reason;

    recorder_hold(recorder);
    reason = recorder->fd < 0 ? NULL : recorder_file_begin(recorder->fd, head, size);
    if (reason != NULL)
        stop(recorder, reason);
    recorder_release(recorder);
    return 0;
}

static int close_from_lua(lua_State *L)
{
    close_recorder(luaL_checkudata(L, 1, RECORDER));
    return 0;
}

static const luaL_Reg methods[] = {
    {"add", add},
    {"begin", begin},
    {"close", close_from_lua},
    {NULL, NULL},
};

static void make_class(lua_State *L)
{
    if (luaL_newmetatable(L, RECORDER)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, close_from_lua);
        lua_setfield(L, -2, "__gc");
    }
    lua_pop(L, 1);
}

int recorder_open(lua_State *L)
{
    struct opening opening = {.root = host_view_root(L), .path = luaL_checkstring(L, 2), .fd = -1};
    struct recorder *recorder;
    const char *reason;
    size_t size;
    const char *head = luaL_checklstring(L, HEAD, &size);

    luaL_checkstring(L, MODULE);
    make_class(L);
    recorder = push_recorder(L);
    make_interpreter(L, recorder);
    outside_run(L, open_file, &opening);
    recorder->fd = opening.fd;
    reason = opening.reason == NULL ? recorder_file_lock(recorder->fd) : opening.reason;
    if (reason == NULL)
        reason = recorder_file_begin(recorder->fd, head, size);
    return reason == NULL ? 1 : refuse(L, recorder, reason);
}
