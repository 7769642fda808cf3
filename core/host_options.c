/* SPDX-License-Identifier: MIT */
#include "host_options.h"

#include <string.h>

#include <lauxlib.h>

#include "bytes.h"
#include "note.h"
#include "utf8.h"

const char *host_check_text(lua_State *L, int index)
{
    size_t size;
    const char *text = luaL_checklstring(L, index, &size);

    luaL_argcheck(L, strlen(text) == size, index, "a text without NUL is needed");
    return text;
}

static bool get_flag(lua_State *L, int index, const char *name)
{
    bool value;

    lua_getfield(L, index, name);
    value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

/* The string on the top of the stack, which stays alive where it came from. Numbers are refused: their
 * text would live on the stack alone. */
static const char *plain_string(lua_State *L, const char *name)
{
    size_t size;
    const char *text;

    if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "%s: a text is needed, not a %s", name, luaL_typename(L, -1));
    text = lua_tolstring(L, -1, &size);
    if (strlen(text) != size)
        luaL_error(L, "%s: a text without NUL is needed", name);
    return text;
}

static const char *get_string(lua_State *L, int index, const char *name, const char *otherwise)
{
    const char *text = otherwise;

    lua_getfield(L, index, name);
    if (!lua_isnil(L, -1))
        text = plain_string(L, name);
    lua_pop(L, 1);
    return text;
}

const char *const *host_get_strings(lua_State *L, int index, const char *name, size_t *count)
{
    const char **strings;

    if (lua_getfield(L, index, name) == LUA_TNIL)
        return NULL;
    if (!lua_istable(L, -1))
        luaL_error(L, "%s: a list of texts is needed, not a %s", name, luaL_typename(L, -1));
    *count = (size_t)lua_rawlen(L, -1);
    strings = lua_newuserdatauv(L, (*count + 1) * sizeof *strings, 0);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, -2, (lua_Integer)i + 1);
        strings[i] = plain_string(L, name);
        lua_pop(L, 1);
    }
    return strings;
}

static croft_resolver get_resolver(lua_State *L, int index)
{
    const char *word = get_string(L, index, "resolver", "auto");

    if (strcmp(word, "walk") == 0)
        return CROFT_RESOLVER_WALK;
    if (strcmp(word, "auto") != 0)
        luaL_error(L, "resolver: \"auto\" or \"walk\" is needed");
    return CROFT_RESOLVER_AUTO;
}

/* A list of {name, path, read_only}; leaves values on the stack. */
static const croft_mount *get_mounts(lua_State *L, int index, size_t *count)
{
    croft_mount *mounts;

    if (lua_getfield(L, index, "mounts") == LUA_TNIL)
        return NULL;
    luaL_checktype(L, -1, LUA_TTABLE);
    *count = (size_t)lua_rawlen(L, -1);
    mounts = lua_newuserdatauv(L, (*count + 1) * sizeof *mounts, 0);
    for (size_t i = 0; i < *count; i++) {
        if (lua_rawgeti(L, -2, (lua_Integer)i + 1) != LUA_TTABLE)
            luaL_error(L, "mounts: a list of {name =, path =} is needed");
        mounts[i].name = get_string(L, -1, "name", NULL);
        mounts[i].path = get_string(L, -1, "path", NULL);
        mounts[i].read_only = get_flag(L, -1, "read_only");
        if (mounts[i].name == NULL || mounts[i].path == NULL)
            luaL_error(L, "mounts: each needs a name and a path");
        lua_pop(L, 1);
    }
    return mounts;
}

void host_view_options(lua_State *L, int index, croft_view_options *options)
{
    croft_view_options_init(options);
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    options->read_only = get_flag(L, index, "read_only");
    options->one_file_system = get_flag(L, index, "one_file_system");
    options->no_fsync = get_flag(L, index, "no_fsync");
    options->resolver = get_resolver(L, index);
    options->exclude = host_get_strings(L, index, "exclude", &options->exclude_count);
    options->mounts = get_mounts(L, index, &options->mount_count);
    options->hide = host_get_strings(L, index, "hide", &options->hide_count);

    lua_getfield(L, index, "read_only_names");
    if (!lua_isnil(L, -1)) /* an empty list is not the default */
        options->read_only_names =
            host_get_strings(L, index, "read_only_names", &options->read_only_count);
}

/* {steps = 1000, ...}; leaves values on the stack */
static void get_limits(lua_State *L, int index, croft_session_options *options)
{
    croft_limit *limits;
    size_t count = 0;

    if (lua_getfield(L, index, "limits") == LUA_TNIL)
        return;
    luaL_checktype(L, -1, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
        count++;
    limits = lua_newuserdatauv(L, (count + 1) * sizeof *limits, 0);
    lua_insert(L, -2);
    options->limits = limits;
    options->limit_count = count;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1), limits++) {
        if (lua_type(L, -2) != LUA_TSTRING || !lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0)
            luaL_error(L, "limits: a table of name = whole number is needed");
        limits->name = lua_tostring(L, -2);
        limits->value = (uint64_t)lua_tointeger(L, -1);
    }
}

/* What a tool says must not move the cursor of the terminal: its lines and tabs stay, and other controls are
 * shown as \xNN. */
static void log_to_stderr(void *user, const char *text, size_t size)
{
    struct bytes shown = {0};
    size_t from = 0;

    (void)user;
    for (size_t at = 0; at <= size; at++) {
        if (at < size && text[at] != '\n' && text[at] != '\t')
            continue;
        (void)utf8_add_name(&shown, text + from, at - from);
        if (at < size)
            bytes_add_char(&shown, text[at]);
        from = at + 1;
    }
    if (!shown.failed)
        note(shown.size == 0 ? "" : shown.data, shown.size);
    bytes_free(&shown);
}

void host_session_options(lua_State *L, int index, croft_session_options *options)
{
    croft_session_options_init(options);
    if (lua_isnil(L, index))
        return;
    luaL_checktype(L, index, LUA_TTABLE);
    options->tool_dirs = host_get_strings(L, index, "tools", &options->tool_dir_count);
    options->prefix = get_string(L, index, "prefix", "");
    options->toolset = get_string(L, index, "toolset", options->toolset);
    options->write_root = get_string(L, index, "write_root", options->write_root);
    options->trust_tier = get_string(L, index, "trust_tier", options->trust_tier);
    get_limits(L, index, options);
    if (strcmp(get_string(L, index, "log", ""), "stderr") == 0)
        options->log = log_to_stderr;
}

const char *host_audit_options(lua_State *L, int index, bool *keeps)
{
    *keeps = false;
    if (lua_isnil(L, index))
        return NULL;
    *keeps = get_flag(L, index, "trace");
    return get_string(L, index, "audit", NULL);
}
