/* SPDX-License-Identifier: MIT */
#include "front_debug.h"

#include <string.h>

#include <lauxlib.h>

#include "bytes.h"
#include "croft_debug.h"
#include "front_debug_record.h"
#include "host.h"
#include "host_options.h"
#include "host_wall.h"

#define DEBUGGER "croft.debugger"

enum { RECORDS_BYTES = 1024 * 1024 }; /* of all that went well; of the rest, as much again */

struct debugger {
    croft_debug *debug;
    lua_State *L;         /* the program's */
    int function;         /* registry reference of `stopped` */
    struct bytes records; /* lines of JSON */
    uint64_t primitives;  /* since they were taken, the ones of which no line was kept, too */
    bool shows_host;      /* what links say that lead away */
    struct bytes scratch;
};

static struct debugger *check(lua_State *L)
{
    return luaL_checkudata(L, 1, DEBUGGER);
}

/* ---- callbacks --------------------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static const char *const moves[] = {"continue", "step", "next", "out", "until", "abort", NULL};

/* Protected: (function, stop) -> word, line */
static int tell_stop(lua_State *L)
{
    const croft_debug_stop *stop = lua_touserdata(L, 2);

    lua_settop(L, 1);
    lua_createtable(L, 0, 5);
    set_text(L, "why", stop->why);
    set_integer(L, "point", stop->point);
    set_text(L, "text", stop->text);
    set_text(L, "file", stop->file);
    set_integer(L, "line", stop->line);
    lua_call(L, 1, 2);
    lua_pushinteger(L, luaL_checkoption(L, 1, NULL, moves));
    lua_replace(L, 1);
    return 2;
}

/* An error of the program's own ends the call. */
static croft_debug_move stopped(void *user, const croft_debug_stop *stop, int *line)
{
    struct debugger *debugger = user;
    lua_State *L = debugger->L;
    croft_debug_move move = CROFT_DEBUG_ABORT;
    union {
        const croft_debug_stop *constant;
        void *pointer;
    } shared = {.constant = stop};

    if (!lua_checkstack(L, 6))
        return move;
    lua_pushcfunction(L, tell_stop);
    lua_rawgeti(L, LUA_REGISTRYINDEX, debugger->function);
    lua_pushlightuserdata(L, shared.pointer);
    if (lua_pcall(L, 2, 2, 0) == LUA_OK) {
        move = (croft_debug_move)lua_tointeger(L, -2);
        *line = (int)lua_tointeger(L, -1);
        lua_pop(L, 2);
    } else {
        lua_pop(L, 1);
    }
    return move;
}

static void recorded(void *user, const croft_debug_record *record)
{
    struct debugger *debugger = user;
    bool is_primitive = front_debug_is_primitive(record);
    bool is_plain = is_primitive && strcmp(record->record->verdict, "ok") == 0;

    debugger->primitives += is_primitive;
    if (debugger->records.size < (is_plain ? RECORDS_BYTES : 2 * RECORDS_BYTES))
        front_debug_record(&debugger->records, record, is_primitive ? debugger->primitives : 0,
                           debugger->shows_host);
}

/* ---- text that comes through the door ---------------------------------------------------------- */

static void take(void *user, const char *text, size_t size)
{
    bytes_add(user, text, size);
}

static int push_scratch(lua_State *L, struct debugger *debugger)
{
    struct bytes *scratch = &debugger->scratch;

    if (scratch->failed) {
        bytes_free(scratch);
        return luaL_error(L, "not enough memory");
    }
    lua_pushlstring(L, scratch->size == 0 ? "" : scratch->data, scratch->size);
    bytes_clear(scratch);
    return 1;
}

/* ---- sessions ---------------------------------------------------------------------------------- */

static croft_status open_debugged(void *user, croft_view *view,
                                  const croft_session_options *options, croft_session **session,
                                  croft_error *err)
{
    return croft_debug_session_open(user, view, options, session, err);
}

static int debugger_open(lua_State *L)
{
    croft_debug *debug = check(L)->debug;

    lua_remove(L, 1);
    return host_open_session(L, open_debugged, debug);
}

static int debugger_evaluate(lua_State *L)
{
    struct host_session *box = host_check_session(L, 2);
    size_t size;
    const char *text = luaL_checklstring(L, 3, &size);
    size_t most = (size_t)luaL_checkinteger(L, 4);
    uint64_t id = (uint64_t)luaL_optinteger(L, 5, 0);
    croft_status status;

    if (box->filled)
        croft_result_free(&box->result);
    box->filled = false;
    box->caller = L;
    status = croft_debug_evaluate(box->session, text, size, id, most, &box->result);
    box->caller = NULL;
    box->filled = true; /* the session gives it back */
    host_push_result(L, status, &box->result);
    return 1;
}

static int debugger_records(lua_State *L)
{
    struct bytes *records = &check(L)->records;

    lua_pushlstring(L, records->size == 0 ? "" : records->data, records->size);
    lua_pushinteger(L, (lua_Integer)check(L)->primitives);
    bytes_clear(records);
    check(L)->primitives = 0;
    return 2;
}

/* ---- breakpoints ------------------------------------------------------------------------------- */

static int debugger_add(lua_State *L)
{
    static const char *const kinds[] = {"line", "function", "primitive", "error", "refusal", NULL};
    struct debugger *debugger = check(L);
    croft_debug_point point = {
        .kind = (croft_debug_kind)luaL_checkoption(L, 2, NULL, kinds),
        .name = luaL_checkstring(L, 3),
        .line = (int)luaL_checkinteger(L, 4),
        .condition = luaL_optstring(L, 5, NULL),
    };
    int number = croft_debug_add(debugger->debug, &point);

    if (number == 0)
        return 0;
    lua_pushinteger(L, number);
    return 1;
}

static int debugger_delete(lua_State *L)
{
    lua_pushboolean(L, croft_debug_delete(check(L)->debug, (int)luaL_checkinteger(L, 2)));
    return 1;
}

/* ---- while a call stands still ----------------------------------------------------------------- */

static int debugger_frames(lua_State *L)
{
    struct debugger *debugger = check(L);

    if (!croft_debug_frames(debugger->debug, take, &debugger->scratch))
        return 0;
    return push_scratch(L, debugger);
}

static int debugger_variables(lua_State *L)
{
    struct debugger *debugger = check(L);
    size_t frame = (size_t)luaL_checkinteger(L, 2), most = (size_t)luaL_checkinteger(L, 3);

    if (!croft_debug_variables(debugger->debug, frame, most, take, &debugger->scratch))
        return 0;
    return push_scratch(L, debugger);
}

static int debugger_run(lua_State *L)
{
    struct debugger *debugger = check(L);
    size_t frame = (size_t)luaL_checkinteger(L, 2), size;
    const char *text = luaL_checklstring(L, 3, &size);
    size_t most = (size_t)luaL_checkinteger(L, 4);
    bool cut = false;

    lua_pushboolean(L, croft_debug_run(debugger->debug, frame, text, size, most, &cut, take,
                                       &debugger->scratch));
    push_scratch(L, debugger);
    lua_pushboolean(L, cut);
    return 3;
}

/* ---- what there is ----------------------------------------------------------------------------- */

static int debugger_profile(lua_State *L)
{
    croft_debug_profile(check(L)->debug, lua_toboolean(L, 2));
    return 0;
}

static int debugger_profiled(lua_State *L)
{
    struct debugger *debugger = check(L);

    croft_debug_profiled(debugger->debug, take, &debugger->scratch);
    return push_scratch(L, debugger);
}

static int debugger_sources(lua_State *L)
{
    struct debugger *debugger = check(L);

    croft_debug_sources(host_check_session(L, 2)->session, take, &debugger->scratch);
    return push_scratch(L, debugger);
}

static int debugger_source(lua_State *L)
{
    struct debugger *debugger = check(L);
    const croft_session *session = host_check_session(L, 2)->session;

    if (!croft_debug_source(session, luaL_checkstring(L, 3), take, &debugger->scratch))
        return 0;
    return push_scratch(L, debugger);
}

static int debugger_tools(lua_State *L)
{
    struct debugger *debugger = check(L);

    croft_debug_tools(host_check_session(L, 2)->session, take, &debugger->scratch);
    return push_scratch(L, debugger);
}

/* Names come without NUL: it stands between them. */
static void take_name(void *user, const char *name, size_t size, bool is_directory)
{
    struct bytes *names = user;

    bytes_add(names, name, size);
    if (is_directory)
        bytes_add_char(names, '/');
    bytes_add_char(names, '\0');
}

static int debugger_complete(lua_State *L)
{
    struct debugger *debugger = check(L);
    const croft_view *view;
    size_t size;
    const char *path = luaL_checklstring(L, 3, &size), *name, *end;
    size_t most = (size_t)luaL_checkinteger(L, 4);
    struct bytes *names = &debugger->scratch;
    bool all;

    lua_remove(L, 1); /* a view is looked for at index 1; ours is in use by whoever called */
    view = host_check_view(L);
    all = croft_debug_complete(view, path, size, most, take_name, names);
    lua_newtable(L);
    name = names->size == 0 ? "" : names->data;
    end = name + names->size;
    for (lua_Integer i = 1; name < end && !names->failed; i++, name += strlen(name) + 1) {
        lua_pushstring(L, name);
        lua_rawseti(L, -2, i);
    }
    bytes_clear(names);
    lua_pushboolean(L, all);
    return 2;
}

static int debugger_confine(lua_State *L)
{
    size_t count = 0;
    const char *const *dirs;
    const croft_view *view;
    croft_wall wall;
    croft_error err = {0};
    croft_status status;

    check(L);
    lua_remove(L, 1);
    view = host_check_view(L);
    lua_settop(L, 2);
    lua_createtable(L, 0, 1);
    lua_insert(L, 2);
    lua_setfield(L, 2, "directories");
    dirs = host_get_strings(L, 2, "directories", &count);
    status = croft_debug_confine(view, dirs, count, &wall, &err);
    return host_push_wall(L, status, &wall, &err);
}

/* ---- the debugger ------------------------------------------------------------------------------ */

static int debugger_free(lua_State *L)
{
    struct debugger *debugger = check(L);

    croft_debug_free(debugger->debug);
    debugger->debug = NULL;
    bytes_free(&debugger->records);
    bytes_free(&debugger->scratch);
    return 0;
}

static const luaL_Reg methods[] = {
    {"open", debugger_open},           {"evaluate", debugger_evaluate},
    {"records", debugger_records},     {"add", debugger_add},
    {"delete", debugger_delete},       {"frames", debugger_frames},
    {"variables", debugger_variables}, {"run", debugger_run},
    {"profile", debugger_profile},     {"profiled", debugger_profiled},
    {"sources", debugger_sources},     {"source", debugger_source},
    {"tools", debugger_tools},         {"complete", debugger_complete},
    {"confine", debugger_confine},     {NULL, NULL},
};

int front_debugger(lua_State *L)
{
    struct debugger *debugger;

    luaL_checktype(L, 1, LUA_TFUNCTION);
    debugger = lua_newuserdatauv(L, sizeof *debugger, 0);
    memset(debugger, 0, sizeof *debugger);
    debugger->shows_host = lua_toboolean(L, 2);
    if (luaL_newmetatable(L, DEBUGGER)) {
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, debugger_free);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    lua_pushvalue(L, 1);
    debugger->function = luaL_ref(L, LUA_REGISTRYINDEX);
    debugger->L = L;
    debugger->debug = croft_debug_new(
        &(croft_debug_callbacks){.stopped = stopped, .recorded = recorded, .user = debugger});
    if (debugger->debug == NULL)
        return luaL_error(L, "not enough memory");
    return 1;
}
