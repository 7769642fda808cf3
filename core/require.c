/* SPDX-License-Identifier: MIT */
#include "require.h"

#include <string.h>

#include "bind/modules.h"
#include "bind/std.h"
#include "sandbox_allow.h"

/* Registry keys. */
#define SOURCES "croft.sources"
#define LOADED "croft.loaded" /* name -> module; false while it loads */
#define MAINS "croft.mains"   /* name of a tool's module -> the function that its file is */
#define OWN_ENV "croft.env.own"
#define TOOL_ENV BIND_TOOL_ENV

/* The last three are for croft's own tools; they are no secret, and promised to nobody. */
static const char *const for_tools[] = {
    "croft.tool",  "croft.text",   "croft.errors",      "croft.messages", "croft.edits",
    "croft.patch", "croft.staged", "croft.bad_pattern", "croft.output",
};

static bool is_for_tools(const char *name)
{
    for (size_t i = 0; i < sizeof for_tools / sizeof for_tools[0]; i++)
        if (strcmp(for_tools[i], name) == 0)
            return true;
    return false;
}

/* ---- where one is ------------------------------------------------------------------------------ */

static const struct sources *get_sources(lua_State *L)
{
    const struct sources *sources;

    lua_getfield(L, LUA_REGISTRYINDEX, SOURCES);
    sources = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return sources;
}

/* place() -> "set/tool.lua:12: ", of the file that is being loaded; "" when none is. A call in a return
 * statement leaves no trace of its line on the stack. */
static int loading_place(lua_State *L)
{
    const char *chunk = bind_host(L)->loading;
    const struct sources *sources = get_sources(L);

    lua_pushliteral(L, "");
    for (size_t i = 0; chunk != NULL && i < sources->count; i++)
        if (sources->items[i].chunk == chunk && sources->items[i].line > 0)
            lua_pushfstring(L, "%s:%d: ", chunk + 1, (int)sources->items[i].line);
    return 1;
}

/* place_of(module, word) -> "set/toolset.lua:3", the line on which the file has the word */
static int loading_place_of(lua_State *L)
{
    const struct source *source = sources_find(get_sources(L), luaL_checkstring(L, 1));
    unsigned line = source == NULL ? 0 : source_line_of(source, luaL_optstring(L, 2, ""));

    if (line > 0)
        lua_pushfstring(L, "%s:%d", source->chunk + 1, (int)line);
    else
        lua_pushstring(L, source == NULL ? "" : source->chunk + 1);
    return 1;
}

static int module_loading(lua_State *L);

static const struct {
    const char *name;
    lua_CFunction open;
} c_modules[] = {
    {"core.text", module_text},       {"core.json", module_json},
    {"core.limits", module_limits},   {"core.view", module_view},
    {"core.host", module_host},       {"core.errors", module_errors},
    {"core.context", module_context}, {"core.loading", module_loading},
    {"core.staging", module_staging}, {"core.codes", module_codes},
    {"core.fault", module_fault},
};

/* ---- loading ----------------------------------------------------------------------------------- */

static bool push_c_module(lua_State *L, const char *name)
{
    for (size_t i = 0; i < sizeof c_modules / sizeof c_modules[0]; i++) {
        if (strcmp(c_modules[i].name, name) != 0)
            continue;
        lua_pushcfunction(L, c_modules[i].open);
        lua_call(L, 0, 1);
        return true;
    }
    return false;
}

/* Pushes the function that the source is. */
static void push_main(lua_State *L, const struct source *source)
{
    croft_error err;
    struct code code = source_code(source, &err);

    if (code.data == NULL) {
        luaL_error(L, "%s", err.message);
        return;
    }
    bind_tick(L, code.size / 16 + 1);
    if (luaL_loadbufferx(L, code.data, code.size, source->chunk, "b") != LUA_OK)
        lua_error(L);
}

/* Pushes what the source, whose function is at the top and is popped, returns, run in the environment of its
 * kind. */
static void run_main(lua_State *L, const struct source *source)
{
    struct bind_host *host = bind_host(L);
    const char *before = host->loading;

    lua_getfield(L, LUA_REGISTRYINDEX, source->is_tool ? TOOL_ENV : OWN_ENV);
    if (lua_setupvalue(L, -2, 1) == NULL) /* a chunk without globals has no _ENV */
        lua_pop(L, 1);
    host->loading = source->chunk;
    lua_call(L, 0, 1);
    host->loading = before;
}

static const struct source *find_source(lua_State *L, const char *name)
{
    return sources_find(get_sources(L), name);
}

static void run_source(lua_State *L, const struct source *source)
{
    push_main(L, source);
    run_main(L, source);
}

static void load_module(lua_State *L, const char *name)
{
    const struct source *source;

    if (push_c_module(L, name))
        return;
    source = find_source(L, name);
    if (source == NULL)
        luaL_error(L, "there is no module '%s'", name);
    else
        run_source(L, source);
}

static bool has_metatable(lua_State *L)
{
    if (!lua_getmetatable(L, -1))
        return false;
    lua_pop(L, 1);
    return true;
}

/* A module is shared by all tools: none may change it. */
static int load_frozen(lua_State *L)
{
    const char *name = lua_tostring(L, 1);

    load_module(L, name);
    if (lua_isnil(L, -1))
        luaL_error(L, "module '%s' returns nothing", name);
    if (lua_istable(L, -1) && !has_metatable(L))
        std_freeze(L, false);
    return 1;
}

/* Pushes the module. One that fails can be tried again: a tool may have been too deep in the stack. */
static void load_once(lua_State *L, int loaded, const char *name)
{
    lua_pushboolean(L, false);
    lua_setfield(L, loaded, name);
    lua_pushcfunction(L, load_frozen);
    lua_pushstring(L, name);
    if (bind_pcall(L, 1, 1) == LUA_OK)
        return;
    lua_pushnil(L);
    lua_setfield(L, loaded, name);
    lua_error(L);
}

/* Returns the table of the module upvalue 1. The call in which it is first needed pays nothing. */
static int load_late(lua_State *L)
{
    struct budget *budget = &bind_host(L)->budget;
    const char *name = lua_tostring(L, lua_upvalueindex(1));
    uint64_t left = budget->steps_left;

    load_module(L, name);
    luaL_checktype(L, -1, LUA_TTABLE);
    if (is_for_tools(name))
        allow_check_module(L, name);
    budget->steps_left = left;
    return 1;
}

/* Pushes the module. Those of croft, of which most calls need few, are loaded when they are used. */
static void push_new(lua_State *L, int loaded, const char *name)
{
    const struct source *source = find_source(L, name);

    if (source == NULL || source->is_tool) {
        load_once(L, loaded, name);
    } else {
        lua_pushstring(L, name);
        lua_pushcclosure(L, load_late, 1);
        std_freeze_later(L);
    }
}

void require_module(lua_State *L, const char *name)
{
    int loaded;

    lua_getfield(L, LUA_REGISTRYINDEX, LOADED);
    loaded = lua_gettop(L);
    switch (lua_getfield(L, loaded, name)) {
    case LUA_TNIL: break;
    case LUA_TBOOLEAN: luaL_error(L, "module '%s' requires itself, over others", name); break;
    default: lua_remove(L, loaded); return;
    }
    push_new(L, loaded, name);
    lua_pushvalue(L, -1);
    lua_setfield(L, loaded, name);
    lua_replace(L, loaded);
    lua_settop(L, loaded);
}

static int require_own(lua_State *L)
{
    require_module(L, luaL_checkstring(L, 1));
    return 1;
}

static int require_for_tools(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);

    if (is_for_tools(name))
        return require_own(L);
    return luaL_error(L,
                      "'%s' is not registered: a tool may require croft.tool, croft.text, "
                      "croft.errors, croft.messages, croft.edits and croft.patch",
                      name);
}

/* ---- loading once more ------------------------------------------------------------------------- */

/* Pushes the function of a tool's file, which is kept. */
static void push_kept_main(lua_State *L, const struct source *source, const char *name)
{
    lua_getfield(L, LUA_REGISTRYINDEX, MAINS);
    if (lua_getfield(L, -1, name) == LUA_TNIL) {
        lua_pop(L, 1);
        push_main(L, source);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, name);
    }
    lua_remove(L, -2);
}

static int run_again(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const struct source *source = find_source(L, name);

    if (source == NULL || !source->is_tool)
        return luaL_error(L, "there is no tool '%s'", name);
    push_kept_main(L, source, name);
    run_main(L, source);
    return 1;
}

/* again(module) -> what the file of a tool returns when its body is run once more. Its locals are then as they were
 * at the first time, whatever a call has done to them: no tool can tell how often this interpreter was used. */
static int loading_again(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    int status;

    lua_settop(L, 1);
    lua_pushcfunction(L, run_again);
    lua_insert(L, 1);
    host->again = true;
    status = bind_pcall(L, 1, 1);
    host->again = false;
    host->loading = NULL;
    return status == LUA_OK ? 1 : lua_error(L);
}

static int loading_is_again(lua_State *L)
{
    lua_pushboolean(L, bind_host(L)->again);
    return 1;
}

static int module_loading(lua_State *L)
{
    static const luaL_Reg functions_of_loading[] = {{"place", loading_place},
                                                    {"place_of", loading_place_of},
                                                    {"again", loading_again},
                                                    {"is_again", loading_is_again},
                                                    {NULL, NULL}};

    luaL_newlib(L, functions_of_loading);
    return 1;
}

/* ---- environments ------------------------------------------------------------------------------ */

static void set_library(lua_State *L, const char *name, lua_CFunction open)
{
    open(L);
    std_freeze(L, false);
    lua_setfield(L, -2, name);
}

/* Pushes a copy of the table at the top. */
static void copy_table(lua_State *L)
{
    int from = lua_gettop(L);

    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from) != 0) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, from + 1);
    }
}

/* The table at the top becomes an environment under `key`; popped. */
static void finish_environment(lua_State *L, lua_CFunction require, const char *key)
{
    int real = lua_gettop(L);

    lua_pushcfunction(L, require);
    lua_setfield(L, real, "require");
    lua_pushvalue(L, real);
    std_freeze(L, true);
    lua_pushvalue(L, -1);
    lua_setfield(L, real, "_G"); /* the proxy itself */
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, std_load, 1);
    lua_setfield(L, real, "load");
    lua_setfield(L, LUA_REGISTRYINDEX, key);
    lua_pop(L, 1);
}

/* The metatable of errors, and the frozen table that Lua sees in its place. */
static void make_error_type(lua_State *L)
{
    luaL_newmetatable(L, BIND_ERROR);
    lua_newtable(L);
    std_freeze(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

void environment_make(lua_State *L, const struct sources *sources)
{
    union {
        const struct sources *constant;
        void *pointer;
    } shared = {.constant = sources}; /* Lua only keeps it */

    lua_pushlightuserdata(L, shared.pointer);
    lua_setfield(L, LUA_REGISTRYINDEX, SOURCES);
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LOADED);
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, MAINS);
    make_error_type(L);
    std_base(L);
    set_library(L, "string", std_string);
    set_library(L, "table", std_table);
    set_library(L, "math", std_math);
    set_library(L, "utf8", std_utf8);
    set_library(L, "coroutine", std_coroutine);
    copy_table(L);
    finish_environment(L, require_for_tools, TOOL_ENV);
    finish_environment(L, require_own, OWN_ENV);
    std_reseed(L);
}

void environment_check(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, OWN_ENV);
    allow_check_environment(L);
    lua_getfield(L, LUA_REGISTRYINDEX, TOOL_ENV);
    allow_check_environment(L);
}
