/* SPDX-License-Identifier: MIT */
#include "front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "cmd_serve.h"
#include "cmd_wrap.h"
#include "embedded.h"
#include "front_debug.h"
#include "front_edit.h"
#include "front_fence.h"
#include "front_files.h"
#include "front_interrupt.h"
#include "front_json.h"
#include "front_outside.h"
#include "front_recorder.h"
#include "front_request.h"
#include "front_scratch.h"
#include "host.h"
#include "note.h"
#include "serve_form.h"
#include "sha256.h"

enum { STATUS_FAULT = 1 };

/* ---- front.core ---- */

/* note(text): a line on stderr, dropped when that would have to wait */
static int core_note(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);

    note(text, size);
    return 0;
}

/* sha256(text) -> 64 hexadecimal digits */
static int core_sha256(lua_State *L)
{
    char hex[SHA256_HEX];
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);

    sha256_hex_of(text, size, hex);
    lua_pushstring(L, hex);
    return 1;
}

/* log_to(path) -> true; or nil and why not */
static int core_log_to(lua_State *L)
{
    bool good = note_to_file(luaL_checkstring(L, 1));

    return luaL_fileresult(L, good, NULL);
}

static const luaL_Reg core_functions[] = {
    {"note", core_note},
    {"log_to", core_log_to},
    {"request", front_request},
    {"fence", front_fence},
    {"form", form_new},
    {"serve", cmd_serve},
    {"start", cmd_serve_start},
    {"plain", cmd_serve_plain},
    {"cancel", cmd_serve_cancel},
    {"answer", cmd_serve_answer},
    {"scratch", scratch_new},
    {"scratch_put", scratch_put},
    {"scratch_link", scratch_link},
    {"scratch_get", scratch_get},
    {"scratch_drop", scratch_drop},
    {"program", scratch_program},
    {"sha256", core_sha256},
    {"recorder", recorder_open},
    {"debugger", front_debugger},
    {"interrupts", interrupts_new},
    {"editor", editor_new},
    {"terminal", files_terminal},
    {"private_file", files_private},
    {"fingerprint", files_fingerprint},
    {"probe", cmd_wrap_probe},
    {"launch", cmd_wrap_launch},
    {"outside", outside_start},
    {"file", outside_file},
    {NULL, NULL},
};

/* Sanitizers and line counters open files when the program ends, which the wall would refuse. */
#ifdef CROFT_INSTRUMENTED
enum { INSTRUMENTED = true };
#else
enum { INSTRUMENTED = false };
#endif

/* Whether CROFT_LUA_DIR is looked at. */
#ifdef CROFT_LUA_DIR_ALLOWED
enum { HAS_CHECKOUT = true };
#else
enum { HAS_CHECKOUT = false };
#endif

static int open_core(lua_State *L)
{
    host_push(L);
    front_json_add(L);
    luaL_setfuncs(L, core_functions, 0);
    lua_pushboolean(L, INSTRUMENTED);
    lua_setfield(L, -2, "instrumented");
    lua_pushboolean(L, HAS_CHECKOUT);
    lua_setfield(L, -2, "checkout");
    lua_pushliteral(L, CROFT_LIBDIR);
    lua_setfield(L, -2, "libdir");
    return 1;
}

/* ---- the modules of lua/front ---- */

static int load_embedded(lua_State *L, const struct embedded_source *source)
{
#ifdef CROFT_LUA_DIR_ALLOWED
    const char *dir = getenv("CROFT_LUA_DIR");

    if (dir != NULL && source->chunk[0] == '@')
        return luaL_loadfile(L, lua_pushfstring(L, "%s/%s", dir, source->chunk + 1));
#endif
    if (source->code != NULL)
        return luaL_loadbufferx(L, (const char *)source->code, source->code_size, source->chunk,
                                "b");
    return luaL_loadbufferx(L, (const char *)source->data, source->size, source->chunk, "t");
}

static const struct embedded_source *find_embedded(lua_State *L, const char *name)
{
    for (size_t i = 0; i < front_source_count; i++)
        if (strcmp(front_sources[i].module, name) == 0)
            return &front_sources[i];
    luaL_error(L, "no module '%s' in the program", name);
    return NULL;
}

/* require(name), as Lua has it, but that nothing comes from a directory. */
static int front_require(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const struct embedded_source *source;

    lua_settop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    if (lua_getfield(L, 2, name) != LUA_TNIL)
        return 1;
    source = find_embedded(L, name);
    if (load_embedded(L, source) != LUA_OK)
        return lua_error(L);
    lua_pushvalue(L, 1);
    lua_pushstring(L, source->chunk);
    lua_call(L, 2, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, 2, name);
    return 1;
}

/* All but `package`, which could load what is not in the program, and whose dlopen keeps a program from being
 * linked statically. */
static const luaL_Reg libraries[] = {
    {LUA_GNAME, luaopen_base},       {LUA_COLIBNAME, luaopen_coroutine},
    {LUA_TABLIBNAME, luaopen_table}, {LUA_IOLIBNAME, luaopen_io},
    {LUA_OSLIBNAME, luaopen_os},     {LUA_STRLIBNAME, luaopen_string},
    {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8},
    {LUA_DBLIBNAME, luaopen_debug},
};

void front_open(lua_State *L)
{
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
    luaL_requiref(L, "front.core", open_core, 0);
    lua_pop(L, 1);
    lua_register(L, "require", front_require);
}

/* ---- the program ---- */

/* Protected: (argc, argv) -> exit status */
static int run(lua_State *L)
{
    int argc = (int)lua_tointeger(L, 1);
    char **argv = lua_touserdata(L, 2);

    lua_gc(L, LUA_GCSTOP); /* most commands are over before it would pay; serve starts it again */
    front_open(L);
    lua_settop(L, 0);

    lua_getglobal(L, "require");
    lua_pushstring(L, "front.cli");
    lua_call(L, 1, 1);
    lua_createtable(L, argc, 0);
    for (int i = 1; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i);
    }
    lua_call(L, 1, 1);
    return 1;
}

static int with_traceback(lua_State *L)
{
    luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

int front_run(int argc, char **argv)
{
    lua_State *L = luaL_newstate();
    int status = STATUS_FAULT;

    if (L == NULL) {
        fputs("croft: not enough memory\n", stderr);
        return STATUS_FAULT;
    }
    lua_pushcfunction(L, with_traceback);
    lua_pushcfunction(L, run);
    lua_pushinteger(L, argc);
    lua_pushlightuserdata(L, argv);
    if (lua_pcall(L, 2, 1, 1) == LUA_OK)
        status = (int)lua_tointeger(L, -1);
    else
        fprintf(stderr, "croft: %s\n", lua_tostring(L, -1));
    lua_close(L);
    return status;
}
