/* SPDX-License-Identifier: MIT */
#include "host_view.h"

#include <string.h>

#include "host.h"
#include "host_options.h"
#include "host_table.h"
#include "host_wall.h"
#include "host_wrap.h"

#define VIEW "croft.view"
#define TEMPLATE "croft.template"

/* About what each holds besides Lua's memory. */
enum { VIEW_KIB = 16 };

struct host_template {
    croft_template *parsed; /* NULL once closed */
    struct bytes problems;
};

struct host_view *host_check_view_box(lua_State *L)
{
    struct host_view *box = luaL_checkudata(L, 1, VIEW);

    luaL_argcheck(L, box->view != NULL, 1, "the view is closed");
    return box;
}

const croft_view *host_check_view(lua_State *L)
{
    return host_check_view_box(L)->view;
}

const struct stat *host_view_root(lua_State *L)
{
    return &host_check_view_box(L)->root;
}

void host_collect(lua_State *L, int size)
{
    if (lua_gc(L, LUA_GCISRUNNING))
        (void)lua_gc(L, LUA_GCSTEP, size);
}

/* ---- opening ---- */

static struct host_view *push_view(lua_State *L)
{
    struct host_view *box = lua_newuserdatauv(L, sizeof *box, 0);

    memset(box, 0, sizeof *box);
    luaL_setmetatable(L, VIEW);
    return box;
}

/* A sentence, for the problems of a box. */
static void keep_sentence(void *user, const char *text)
{
    struct bytes *problems = user;

    bytes_add_text(problems, text);
    bytes_add_char(problems, '\n');
}

/* nil and the error, with `problems`. */
static int push_failure(lua_State *L, croft_status status, const croft_error *err,
                        struct bytes *problems)
{
    const char *next = bytes_end(problems);

    host_push_error(L, status, err);
    lua_newtable(L);
    for (lua_Integer i = 1; *next != '\0'; i++) {
        size_t size = strcspn(next, "\n");

        lua_pushlstring(L, next, size);
        lua_rawseti(L, -2, i);
        next += size + 1;
    }
    lua_setfield(L, -2, "problems");
    return 2;
}

static int finish(lua_State *L, croft_status status, const croft_error *err, struct bytes *problems)
{
    return status == CROFT_OK ? 1 : push_failure(L, status, err, problems);
}

int host_view_open(lua_State *L)
{
    const char *root = host_check_text(L, 1);
    struct host_view *box;
    croft_view_options options;
    croft_error err = {0};

    lua_settop(L, 2);
    host_collect(L, VIEW_KIB);
    host_view_options(L, 2, &options);
    box = push_view(L);
    options.problem = keep_sentence;
    options.problem_user = &box->problems;
    (void)stat(root, &box->root); /* what cannot be looked at is not opened either */
    return finish(L, croft_view_open(root, &options, &box->view, &err), &err, &box->problems);
}

int host_view_disabled(lua_State *L)
{
    struct host_view *box = push_view(L);
    croft_error err = {0};
    croft_status status = croft_view_disabled(&box->view, &err);

    return status == CROFT_OK ? 1 : host_push_error(L, status, &err);
}

/* ---- views ---- */

static int view_close(lua_State *L)
{
    struct host_view *box = luaL_checkudata(L, 1, VIEW);

    croft_view_close(box->view);
    bytes_free(&box->problems);
    box->view = NULL;
    return 0;
}

static int view_resolver(lua_State *L)
{
    lua_pushstring(L, croft_view_resolver(host_check_view(L)));
    return 1;
}

static int view_enabled(lua_State *L)
{
    lua_pushboolean(L, croft_enabled(host_check_view(L)));
    return 1;
}

static int push_names(lua_State *L, size_t (*function)(const croft_view *, const char **, size_t))
{
    const croft_view *view = host_check_view(L);
    size_t room = function(view, NULL, 0);
    const char **names = lua_newuserdatauv(L, (room + 1) * sizeof *names, 0);
    size_t count = function(view, names, room);

    count = count < room ? count : room; /* somebody else may change the root meanwhile */
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int view_read_only_names(lua_State *L)
{
    return push_names(L, croft_read_only_names);
}

static int view_covered(lua_State *L)
{
    return push_names(L, croft_view_covered);
}

static int check(lua_State *L,
                 croft_status (*function)(const croft_view *, const char *, croft_error *))
{
    croft_error err = {0};
    croft_status status = function(host_check_view(L), host_check_text(L, 2), &err);

    if (status != CROFT_OK)
        return host_push_error(L, status, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int view_check_read(lua_State *L)
{
    return check(L, croft_check_read);
}

static int view_check_write(lua_State *L)
{
    return check(L, croft_check_write);
}

static int view_translate(lua_State *L)
{
    char out[4096];

    if (croft_translate(host_check_view(L), host_check_text(L, 2), out, sizeof out))
        lua_pushstring(L, out);
    else
        luaL_pushfail(L);
    return 1;
}

/* ---- templates ---- */

int host_view_template(lua_State *L)
{
    struct host_template *box;
    croft_error err = {0};
    croft_status status;
    const char *json;
    size_t size;

    lua_settop(L, 1);
    if (lua_istable(L, 1)) {
        host_table_push_json(L, 1);
        lua_replace(L, 1);
    }
    json = luaL_checklstring(L, 1, &size);
    box = lua_newuserdatauv(L, sizeof *box, 0);
    memset(box, 0, sizeof *box);
    luaL_setmetatable(L, TEMPLATE);
    status = croft_template_parse(json, size, keep_sentence, &box->problems, &box->parsed, &err);
    return finish(L, status, &err, &box->problems);
}

static int template_close(lua_State *L)
{
    struct host_template *box = luaL_checkudata(L, 1, TEMPLATE);

    croft_template_free(box->parsed);
    bytes_free(&box->problems);
    box->parsed = NULL;
    return 0;
}

/* Which directory the root is: an audit log does not lie in it. */
static void find_root(struct host_view *box)
{
    char path[4096];

    if (croft_translate(box->view, "/workspace", path, sizeof path))
        (void)stat(path, &box->root);
}

static int template_view(lua_State *L)
{
    struct host_template *template = luaL_checkudata(L, 1, TEMPLATE);
    const char *tenant;
    struct host_view *box;
    croft_view_options options;
    croft_error err = {0};
    croft_status status;

    lua_settop(L, 3);
    luaL_argcheck(L, template->parsed != NULL, 1, "the template is closed");
    tenant = lua_isnil(L, 2) ? NULL : host_check_text(L, 2);
    host_collect(L, VIEW_KIB);
    host_view_options(L, 3, &options);
    box = push_view(L);
    options.problem = keep_sentence;
    options.problem_user = &box->problems;
    status = croft_view_for(template->parsed, tenant, &options, &box->view, &err);
    if (status == CROFT_OK)
        find_root(box);
    return finish(L, status, &err, &box->problems);
}

/* ---- types ---- */

static const luaL_Reg view_methods[] = {
    {"resolver", view_resolver},
    {"read_only_names", view_read_only_names},
    {"covered", view_covered},
    {"enabled", view_enabled},
    {"check_read", view_check_read},
    {"check_write", view_check_write},
    {"translate", view_translate},
    {"confine", host_confine},
    {"close", view_close},
    {"wrap_argv", host_wrap_argv},
    {NULL, NULL},
};

static const luaL_Reg template_methods[] = {
    {"view", template_view},
    {"close", template_close},
    {NULL, NULL},
};

void host_make_class(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction close)
{
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, close);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, close);
    lua_setfield(L, -2, "__close");
    lua_pop(L, 1);
}

void host_view_make(lua_State *L, lua_CFunction session)
{
    host_make_class(L, TEMPLATE, template_methods, template_close);
    host_make_class(L, VIEW, view_methods, view_close);
    luaL_getmetatable(L, VIEW);
    lua_getfield(L, -1, "__index");
    lua_pushcfunction(L, session);
    lua_setfield(L, -2, "session");
    lua_pop(L, 2);
}
