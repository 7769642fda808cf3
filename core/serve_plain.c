/* SPDX-License-Identifier: MIT */
#include "serve_plain.h"

#include <string.h>

#include <lauxlib.h>

#define KEPT "croft.plain"

/* ---- what Lua says ----------------------------------------------------------------------------- */

/* A text field of the table at `index`, which keeps it. */
static struct json_slice text_in(lua_State *L, int index, const char *name)
{
    struct json_slice text;

    if (lua_getfield(L, index, name) != LUA_TSTRING)
        luaL_error(L, "plain calls need \"%s\", a string", name);
    text.data = lua_tolstring(L, -1, &text.size);
    lua_pop(L, 1);
    return text;
}

static const struct answer_form *form_in(lua_State *L, int index, const char *name)
{
    const struct answer_form *form = NULL;

    if (lua_getfield(L, index, name) != LUA_TNIL)
        form = form_check(L, -1);
    lua_pop(L, 1);
    return form;
}

/* Names and whether their calls are long, from the table at the top, which is popped. */
static void take_tools(lua_State *L, struct plain *plain)
{
    luaL_checktype(L, -1, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        struct plain_tool *tool;

        if (plain->tool_count == PLAIN_TOOLS || lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "plain calls are of up to %d names", PLAIN_TOOLS);
        tool = &plain->tools[plain->tool_count++];
        tool->name.data = lua_tolstring(L, -2, &tool->name.size);
        tool->is_long = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void plain_take(lua_State *L, int index, struct plain *plain)
{
    struct plain taken = {
        .is_given = true,
        .method = text_in(L, index, "method"),
        .version_key = text_in(L, index, "version_key"),
        .version = text_in(L, index, "version"),
        .capabilities_key = text_in(L, index, "capabilities_key"),
        .modern = form_in(L, index, "modern"),
        .legacy = form_in(L, index, "legacy"),
        .before_id = text_in(L, index, "before_id"),
        .after_id = text_in(L, index, "after_id"),
        .before_token = text_in(L, index, "before_token"),
        .after_token = text_in(L, index, "after_token"),
    };

    (void)lua_getfield(L, index, "tools");
    take_tools(L, &taken);
    lua_pushvalue(L, index);
    lua_setfield(L, LUA_REGISTRYINDEX, KEPT);
    *plain = taken;
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* What counts of a call's params and of their _meta. */
struct call {
    struct json_slice name, arguments, meta, token, version, capabilities;
};

/* False where a name in them is spelled with escapes, or _meta is no object. */
static bool find_call(const struct plain *plain, struct json_slice params, struct call *call)
{
    const struct request_member members[] = {{REQUEST_TEXT("\"name\""), &call->name},
                                             {REQUEST_TEXT("\"arguments\""), &call->arguments},
                                             {REQUEST_TEXT("\"_meta\""), &call->meta}};
    const struct request_member of_meta[] = {{REQUEST_TEXT("\"progressToken\""), &call->token},
                                             {plain->version_key, &call->version},
                                             {plain->capabilities_key, &call->capabilities}};

    memset(call, 0, sizeof *call);
    return json_type(params) == JSON_OBJECT && request_find(params, members, 3) &&
           (call->meta.data == NULL ||
            (json_type(call->meta) == JSON_OBJECT && request_find(call->meta, of_meta, 3)));
}

/* NULL where Lua has something to say. */
static const struct answer_form *form_of(const struct plain *plain, const struct call *call)
{
    if (call->version.data == NULL && call->capabilities.data == NULL)
        return plain->legacy;
    return request_is_same(call->version, plain->version) &&
                   json_type(call->capabilities) == JSON_OBJECT
               ? plain->modern
               : NULL;
}

static const struct plain_tool *tool_of(const struct plain *plain, const struct call *call)
{
    for (size_t i = 0; i < plain->tool_count; i++)
        if (request_is_same(call->name, plain->tools[i].name))
            return &plain->tools[i];
    return NULL;
}

/* What stands between the quotes. */
static struct json_slice inside(struct json_slice text)
{
    return (struct json_slice){text.data + 1, text.size - 2};
}

/* As mcp.lua and jsonrpc.lua would have it. */
static void set_texts(const struct plain *plain, const struct call *call, struct json_slice id,
                      struct job_parts *parts)
{
    bool is_named = json_type(id) == JSON_STRING;

    parts->texts[JOB_KEY][0] = is_named ? REQUEST_TEXT("s") : REQUEST_TEXT("n");
    parts->texts[JOB_KEY][1] = is_named ? inside(id) : id;
    parts->texts[JOB_NAME][0] = inside(call->name);
    parts->texts[JOB_START][0] = plain->before_id;
    parts->texts[JOB_START][1] = id;
    parts->texts[JOB_START][2] = plain->after_id;
    if (call->token.data == NULL)
        return;
    parts->texts[JOB_PROGRESS][0] = plain->before_token;
    parts->texts[JOB_PROGRESS][1] = call->token;
    parts->texts[JOB_PROGRESS][2] = plain->after_token;
}

struct job *plain_job(const struct plain *plain, const struct request_line *line,
                      struct line_reader *reader)
{
    struct job_parts parts = {.form = NULL};
    const struct plain_tool *tool;
    struct call call;

    if (!plain->is_given || !line->is_common || !request_is_same(line->method, plain->method) ||
        !find_call(plain, line->params, &call) ||
        (call.token.data != NULL && !request_is_echoed(call.token)))
        return NULL;
    parts.form = form_of(plain, &call);
    tool = tool_of(plain, &call);
    if (parts.form == NULL || tool == NULL)
        return NULL;
    parts.is_long = tool->is_long;
    if (json_type(call.arguments) != JSON_NULL)
        parts.args = call.arguments;
    set_texts(plain, &call, line->id, &parts);
    return job_make(&parts, reader);
}
