/* SPDX-License-Identifier: MIT */
#include "bind/bind.h"

#include <errno.h>
#include <string.h>

#include "bind/overrun.h"
#include "utf8.h"

#define BOX "croft.box"

struct bind_host *bind_host(lua_State *L)
{
    return *(struct bind_host **)lua_getextraspace(L);
}

_Noreturn void bind_trap(struct bind_host *host, enum breach breach)
{
    host->budget.breach = breach;
    host->armed = false;
    longjmp(host->boundary, 1);
}

int bind_pcall(lua_State *L, int arguments, int results)
{
    int status = lua_pcall(L, arguments, results, 0);

    overrun_unwatch();
    return status;
}

void bind_tick(lua_State *L, uint64_t steps)
{
    struct bind_host *host = bind_host(L);

    if (budget_spend(&host->budget, steps))
        return;
    if (host->armed)
        bind_trap(host, host->budget.breach);
    if (host->is_evaluating)
        luaL_error(L, "the evaluation takes more than it may");
}

void bind_look(lua_State *L, uint64_t steps)
{
    bind_host(L)->budget.next_look = UINT64_MAX;
    bind_tick(L, steps);
}

void bind_collect(lua_State *L)
{
    bind_tick(L, (uint64_t)lua_gc(L, LUA_GCCOUNT) * (KIB / 64));
    lua_gc(L, LUA_GCCOLLECT);
}

/* Lua does not know when there is too much of this, so garbage is looked for here. */
void bind_hold(lua_State *L, size_t bytes)
{
    enum { PART = 16 }; /* of the limit, which garbage may take at the most */
    struct bind_host *host = bind_host(L);

    host->held += bytes;
    bind_tick(L, bytes / 64);
    if (host->held - host->held_collected <= host->limits->heap / PART)
        return;
    bind_collect(L);
    host->held_collected = host->held;
}

void bind_let_go(struct bind_host *host, size_t bytes)
{
    host->held -= bytes;
    if (host->held_collected > host->held)
        host->held_collected = host->held;
}

void bind_log(struct bind_host *host, const char *text, size_t size)
{
    bool armed = host->armed;

    if (host->log == NULL)
        return;
    host->armed = false; /* the host's own code runs: no trap may leave it */
    host->log(host->log_user, text, size);
    host->armed = armed;
}

/* ---- records ----------------------------------------------------------------------------------- */

static void end_unrecorded(struct bind_host *host, bool was_armed)
{
    host->armed = was_armed;
    if (was_armed)
        bind_trap(host, BREACH_RECORD);
}

/* The host's callback runs with the trap disarmed. */
void bind_record_begin(struct bind_host *host, const char *operation, const char *path, size_t size)
{
    bool was_armed = host->armed;

    host->armed = false;
    if (!record_begin(host->recorder, operation, path, size))
        end_unrecorded(host, was_armed);
    host->armed = was_armed;
}

void bind_record_end(struct bind_host *host, const char *verdict, const char *rule)
{
    bool was_armed = host->armed;

    host->armed = false;
    if (!record_end(host->recorder, verdict, rule))
        end_unrecorded(host, was_armed);
    host->armed = was_armed;
}

/* ---- UTF-8 ------------------------------------------------------------------------------------- */

static const char kept_valid; /* its address is a registry key */

void bind_keep_valid(lua_State *L)
{
    if (lua_rawlen(L, -1) > bind_host(L)->limits->result_bytes)
        return; /* it is no result, and the heap need not hold it longer than the tool does */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_valid);
}

void bind_forget_valid(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_valid) != LUA_TNIL) {
        lua_pushnil(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_valid);
    }
    lua_pop(L, 1);
}

/* Long texts are one in memory where they are the same value, which is seen at once. */
static bool is_kept(lua_State *L, int index)
{
    bool is;

    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_valid);
    is = lua_type(L, index) == LUA_TSTRING && lua_rawequal(L, index, -1);
    lua_pop(L, 1);
    return is;
}

bool bind_is_valid(lua_State *L, int index)
{
    enum { LONG = 256 }; /* bytes from which it is worth a look */
    size_t size;
    const char *text = lua_tolstring(L, index, &size);

    return (size >= LONG && is_kept(L, index)) || utf8_valid(text, size) == size;
}

/* ---- boxes ------------------------------------------------------------------------------------- */

static void box_close(struct bind_host *host, struct box *box)
{
    void (*close)(void *) = box->close;

    if (close == NULL)
        return;
    box->close = NULL;
    *box->link = box->next;
    if (box->next != NULL)
        box->next->link = box->link;
    close(box->payload);
    if (box->in_spare)
        host->spare_is_taken = false;
}

int bind_gc(lua_State *L)
{
    overrun_unwatch(); /* no hook is called for this */
    box_close(bind_host(L), lua_touserdata(L, 1));
    return 0;
}

/* A box without a payload yet, and with room for one of that size. */
static struct box *push_box(lua_State *L, size_t size, void (*close)(void *payload),
                            const char *type)
{
    struct bind_host *host = bind_host(L);
    struct box *box = lua_newuserdatauv(L, sizeof *box + size, 1);

    memset(box, 0, sizeof *box + size);
    luaL_setmetatable(L, type); /* with close still NULL: __gc does nothing */
    box->close = close;
    box->next = host->boxes;
    box->link = &host->boxes;
    if (box->next != NULL)
        box->next->link = &box->next;
    host->boxes = box;
    return box;
}

void *bind_own_as(lua_State *L, size_t size, void (*close)(void *payload), const char *type)
{
    struct box *box = push_box(L, size, close, type);

    box->payload = box + 1;
    return box->payload;
}

void *bind_own(lua_State *L, size_t size, void (*close)(void *payload))
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    struct bind_host *host = bind_host(L);
    struct box *box;

    bind_type(L, BOX, none);
    if (host->spare_is_taken || size < BIND_SPARE_FROM || size > BIND_SPARE)
        return bind_own_as(L, size, close, BOX);
    memset(host->room->spare, 0, size);
    box = push_box(L, 0, close, BOX);
    box->payload = host->room->spare;
    box->in_spare = host->spare_is_taken = true;
    return box->payload;
}

void *bind_check(lua_State *L, int index, const char *type)
{
    struct box *box = luaL_checkudata(L, index, type);

    return box->payload;
}

void bind_release(lua_State *L, int index)
{
    box_close(bind_host(L), lua_touserdata(L, index));
}

void bind_type(lua_State *L, const char *type, const luaL_Reg *methods)
{
    if (luaL_newmetatable(L, type)) {
        lua_pushcfunction(L, bind_gc);
        lua_setfield(L, -2, "__gc");
        lua_pushboolean(L, false);
        lua_setfield(L, -2, "__metatable");
        lua_newtable(L);
        luaL_setfuncs(L, methods, 0);
        lua_setfield(L, -2, "__index");
    }
    lua_pop(L, 1);
}

/* ---- errors ------------------------------------------------------------------------------------ */

/* That the host has no memory is no fault of the tool's. */
static const char *word_of(const croft_error *err)
{
    bool no_memory = err->kind == CROFT_INTERNAL && err->sys_errno == ENOMEM;

    return croft_status_word(no_memory ? CROFT_EXHAUSTED : err->kind);
}

/* The primitive at work ends with this error, about the path at `path_index`. */
static void record_refusal(lua_State *L, struct bind_host *host, const croft_error *err,
                           int path_index)
{
    struct recorder *recorder = host->recorder;

    if (recorder->watch != NULL && path_index != 0)
        recorder->blamed = lua_tolstring(L, path_index, &recorder->blamed_size);
    bind_record_end(host, word_of(err), err->detail);
    recorder->blamed = NULL;
}

void bind_push_error(lua_State *L, const croft_error *err, const char *op, int path_index)
{
    struct bind_host *host = bind_host(L);
    const char *word = word_of(err);

    path_index = path_index == 0 ? 0 : lua_absindex(L, path_index);
    if (host->recorder != NULL)
        record_refusal(L, host, err, path_index);
    lua_createtable(L, 0, 8);
    bind_set_text(L, "code", word, strlen(word));
    bind_set_text(L, "op", op, strlen(op));
    bind_set_text(L, "detail", err->detail, strlen(err->detail));
    bind_set_text(L, "reason", err->message, strlen(err->message));
    bind_set_integer(L, "at", err->at);
    bind_set_integer(L, "errno", (uint64_t)err->sys_errno);
    if (path_index != 0) {
        lua_pushvalue(L, path_index);
        lua_setfield(L, -2, "path");
    }
    luaL_setmetatable(L, BIND_ERROR);
}

/* Those that Lua raises have the frozen table that stands in the place of the metatable. */
bool bind_is_error(lua_State *L, int index)
{
    bool is;

    if (!lua_istable(L, index) || !lua_getmetatable(L, index))
        return false;
    luaL_getmetatable(L, BIND_ERROR);
    lua_pushliteral(L, "__metatable");
    lua_rawget(L, -2);
    is = lua_rawequal(L, -1, -3) || lua_rawequal(L, -2, -3);
    lua_pop(L, 3);
    return is;
}

int bind_raise(lua_State *L, const croft_error *err, const char *op, int path_index)
{
    bind_push_error(L, err, op, path_index);
    return lua_error(L);
}

/* ---- arguments --------------------------------------------------------------------------------- */

const struct path *bind_path(lua_State *L, int index, int count, const char *op)
{
    struct bind_host *host = bind_host(L);
    size_t size;
    const char *text = luaL_checklstring(L, index, &size);
    struct path *path = &host->room->paths[host->next_path];
    croft_error err;

    host->next_path = (host->next_path + 1) % BIND_PATHS;
    lua_settop(L, count);
    bind_tick(L, size / 64);
    if (path_parse(text, size, path, &err) != CROFT_OK)
        bind_raise(L, &err, op, index);
    return path;
}

void bind_room_init(struct bind_room *room)
{
    for (size_t i = 0; i < BIND_PATHS; i++)
        room->routes[i].mount = NULL;
}

void bind_room_clear(struct bind_room *room)
{
    for (size_t i = 0; i < BIND_PATHS; i++)
        route_end(&room->routes[i]);
}

const struct route *bind_route(lua_State *L, int index, int count, const char *op)
{
    struct bind_host *host = bind_host(L);
    const struct path *path = bind_path(L, index, count, op);
    struct route *route = &host->room->routes[path - host->room->paths];
    croft_error err;

    route_end(route);
    if (view_route(host->view, path, route, &err) != CROFT_OK)
        bind_raise(L, &err, op, index);
    route_permit(route, host->root);
    return route;
}

void bind_charge_number(lua_State *L, int index)
{
    enum { BYTES_OF_STEP = 8 };

    if (lua_type(L, index) == LUA_TSTRING)
        bind_tick(L, lua_rawlen(L, index) / BYTES_OF_STEP);
}

lua_Integer bind_integer(lua_State *L, int index)
{
    bind_charge_number(L, index);
    return luaL_checkinteger(L, index);
}

lua_Integer bind_opt_integer(lua_State *L, int index, lua_Integer fallback)
{
    return lua_isnoneornil(L, index) ? fallback : bind_integer(L, index);
}

lua_Integer bind_field_integer(lua_State *L, int index, const char *name, lua_Integer fallback)
{
    lua_Integer value = fallback;
    int is_integer = 1;

    if (lua_isnoneornil(L, index))
        return fallback;
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getfield(L, index, name) != LUA_TNIL) {
        bind_charge_number(L, -1);
        value = lua_tointegerx(L, -1, &is_integer);
    }
    lua_pop(L, 1);
    if (!is_integer)
        luaL_error(L, "field '%s' must be an integer", name);
    return value;
}

const char *bind_field_string(lua_State *L, int index, const char *name, size_t *size)
{
    if (lua_isnoneornil(L, index))
        return NULL;
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getfield(L, index, name) == LUA_TNIL) {
        lua_pop(L, 1);
        return NULL;
    }
    if (lua_type(L, -1) != LUA_TSTRING)
        luaL_error(L, "field '%s' must be a string", name);
    return lua_tolstring(L, -1, size);
}

bool bind_field_boolean(lua_State *L, int index, const char *name)
{
    bool value;

    if (lua_isnoneornil(L, index))
        return false;
    lua_getfield(L, index, name);
    value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

void bind_set_integer(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

void bind_set_boolean(lua_State *L, const char *name, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void bind_set_text(lua_State *L, const char *name, const char *text, size_t size)
{
    lua_pushlstring(L, text, size);
    lua_setfield(L, -2, name);
}

void bind_push_path(lua_State *L, const char *text, size_t size)
{
    bool names_drive = path_names_drive(text, size);

    if (names_drive)
        lua_pushliteral(L, "./");
    lua_pushlstring(L, text, size);
    if (names_drive)
        lua_concat(L, 2);
}

void bind_set_path(lua_State *L, const char *name, const char *text, size_t size)
{
    bind_push_path(L, text, size);
    lua_setfield(L, -2, name);
}

void bind_set_short_of(lua_State *L)
{
    const char *word = budget_lacks_steps(&bind_host(L)->budget) ? "steps" : "time";

    bind_set_text(L, "short_of", word, strlen(word));
}
