/* SPDX-License-Identifier: MIT */
#include "bind/artifacts.h"

#include <string.h>

#include "bind/fs.h"

#define ARTIFACTS "croft.artifacts"

struct face {
    bool may_write;
};

bool artifacts_may_write(lua_State *L)
{
    const struct face *face = bind_check(L, 1, ARTIFACTS);

    return face->may_write;
}

/* ---- one in use -------------------------------------------------------------------------------- */

static void let_go(void *payload)
{
    struct handle_use *use = payload;

    if (use->artifacts != NULL)
        artifact_release(use->artifacts, use->artifact);
    use->artifacts = NULL;
    artifact_page_free(&use->page);
    artifact_found_free(&use->found);
    artifact_json_free(&use->json);
    artifact_outline_free(&use->outline);
    bytes_free(&use->bytes);
}

struct handle_use *artifacts_own(lua_State *L)
{
    return bind_own(L, sizeof(struct handle_use), let_go);
}

void artifacts_done(struct handle_use *use)
{
    let_go(use);
}

int artifacts_raise(lua_State *L, struct handle_use *use, const croft_error *err, const char *op,
                    int path_index)
{
    bind_push_error(L, err, op, path_index);
    let_go(use);
    return lua_error(L);
}

struct handle_use *artifacts_use(lua_State *L, const char *op)
{
    struct bind_host *host = bind_host(L);
    struct handle_use *use;
    size_t size;
    const char *id = luaL_checklstring(L, 2, &size);
    croft_error err;

    bind_tick(L, 100);
    use = artifacts_own(L);
    if (artifact_use(host->artifacts, id, size, &use->artifact, &err) != CROFT_OK)
        bind_raise(L, &err, op, 2);
    use->artifacts = host->artifacts;
    fs_note_text(L, use->artifact->path, strlen(use->artifact->path));
    return use;
}

/* ---- what is told of one ----------------------------------------------------------------------- */

void artifacts_set_change(lua_State *L, enum artifact_change change)
{
    static const char *const words[] = {"same", "touched", "modified", "removed"};

    bind_set_text(L, "change", words[change], strlen(words[change]));
}

struct artifact_room artifacts_room(lua_State *L)
{
    const struct limits *limits = bind_host(L)->limits;

    return (struct artifact_room){.most = limits->handles, .most_bytes = limits->staged_bytes};
}

void artifacts_set_room(lua_State *L, const struct artifact_room *room)
{
    bind_set_integer(L, "removed", room->removed);
    bind_set_path(L, "first_removed", room->first_removed, strlen(room->first_removed));
}

static void set_optional(lua_State *L, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0')
        bind_set_text(L, name, text, strlen(text));
}

static void push_one(lua_State *L, const struct artifact *artifact)
{
    static const char *const kinds[] = {"text", "json", "markdown", "media"};
    const char *kind = kinds[artifact->kind];

    lua_createtable(L, 0, 10);
    bind_set_text(L, "handle", artifact->id, ARTIFACT_ID);
    bind_set_text(L, "kind", kind, strlen(kind));
    bind_set_path(L, "path", artifact->path, strlen(artifact->path));
    bind_set_integer(L, "size", artifact->node.size);
    bind_set_boolean(L, "is_new", artifact->is_own);
    bind_set_boolean(L, "unsaved", artifact_is_unsaved(artifact));
    set_optional(L, "made_of", artifact->parent);
}

/* Its fields that may change are read under the lock, without a call of Lua's. */
void artifacts_push_info(lua_State *L, struct handle_use *use)
{
    const struct artifact *artifact = use->artifact;

    bytes_clear(&use->bytes);
    pthread_mutex_lock(&use->artifacts->lock);
    if (artifact->saved_path != NULL)
        bytes_add_text(&use->bytes, artifact->saved_path);
    pthread_mutex_unlock(&use->artifacts->lock);
    push_one(L, artifact);
    set_optional(L, "saved_path", bytes_end(&use->bytes));
}

/* ---- all of them ------------------------------------------------------------------------------- */

static void add_id(void *user, const struct artifact *artifact)
{
    bytes_add(user, artifact->id, ARTIFACT_ID);
}

/* artifacts:list() -> {info, ...}, the oldest first */
static int artifacts_list(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct handle_use *all;
    int table;

    (void)artifacts_may_write(L);
    lua_settop(L, 1);
    all = artifacts_own(L);
    artifacts_each(host->artifacts, add_id, &all->bytes);
    if (all->bytes.failed)
        return luaL_error(L, "out of memory");
    lua_newtable(L);
    table = lua_gettop(L);
    for (size_t at = 0; at < all->bytes.size; at += ARTIFACT_ID) {
        struct handle_use *use = artifacts_own(L);

        bind_tick(L, 20);
        if (artifact_use(host->artifacts, all->bytes.data + at, ARTIFACT_ID, &use->artifact,
                         NULL) == CROFT_OK) {
            use->artifacts = host->artifacts;
            artifacts_push_info(L, use);
            lua_rawseti(L, table, (lua_Integer)lua_rawlen(L, table) + 1);
        }
        bind_release(L, -1);
        lua_pop(L, 1);
    }
    return 1;
}

/* artifacts:info(handle) -> info */
static int artifacts_info(lua_State *L)
{
    struct handle_use *use;

    (void)artifacts_may_write(L);
    use = artifacts_use(L, "artifact");
    artifacts_push_info(L, use);
    artifacts_done(use);
    return 1;
}

/* ---- opening ----------------------------------------------------------------------------------- */

struct opening {
    const struct sys *sys;
    int fd;
};

static void close_opening(void *payload)
{
    struct opening *opening = payload;

    if (opening->sys != NULL && opening->fd >= 0)
        opening->sys->close(opening->fd);
}

struct handle_use *artifacts_hold(lua_State *L, const struct route *route, enum artifact_kind kind)
{
    struct bind_host *host = bind_host(L);
    struct opening *opening = bind_own(L, sizeof *opening, close_opening);
    struct handle_use *use = artifacts_own(L);
    struct artifact_room room = artifacts_room(L);
    struct node node;
    croft_error err;
    croft_status status;
    int fd;

    bind_tick(L, 100);
    opening->fd = -1;
    opening->sys = route->root->sys;
    status = file_open(route->root, route->path, &opening->fd, &node, &err);
    status = fs_of_file(route, status, &err);
    if (opening->fd >= 0)
        fs_note_opened(L, route, &node);
    fd = opening->fd;
    opening->fd = -1;
    if (status == CROFT_OK)
        status = artifact_add(host->artifacts, kind, opening->sys, fd, route->spelled, &room,
                              &use->artifact, &err);
    else if (fd >= 0)
        opening->sys->close(fd);
    if (status != CROFT_OK)
        fs_raise(L, route, &err, "read", 2);
    use->artifacts = host->artifacts;
    artifacts_push_info(L, use);
    artifacts_set_room(L, &room);
    return use;
}

static enum artifact_kind check_kind(lua_State *L)
{
    static const char *const kinds[] = {"text", "json", "markdown", NULL};

    return (enum artifact_kind)luaL_checkoption(L, 3, "text", kinds);
}

/* artifacts:open(path, kind) -> info */
static int artifacts_open(lua_State *L)
{
    const struct route *route;
    enum artifact_kind kind;

    (void)artifacts_may_write(L);
    kind = check_kind(L);
    route = bind_route(L, 2, 3, "read");
    artifacts_done(artifacts_hold(L, route, kind));
    return 1;
}

/* ---- the table --------------------------------------------------------------------------------- */

/* Each with the name that records have for it. */
static const struct {
    const char *name;
    luaL_Reg recorded;
} methods[] = {
    {"open", {"artifact_open", artifacts_open}},
    {"page", {"artifact_page", artifacts_page}},
    {"search", {"artifact_search", artifacts_search}},
    {"json", {"artifact_json", artifacts_json}},
    {"outline", {"artifact_outline", artifacts_outline}},
    {"stage", {"media_stage", artifacts_stage}},
    {"load", {"media_load", artifacts_load}},
    {"derive", {"media_derive", artifacts_derive}},
    {"save", {"media_save", artifacts_save}},
    {"describe", {"media_describe", artifacts_describe}},
    {"info", {"artifact_info", artifacts_info}},
    {"list", {"artifact_list", artifacts_list}},
};

static void close_face(void *payload)
{
    (void)payload; /* what is held is the session's */
}

void artifacts_push(lua_State *L, bool may_write)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    bool is_recorded = bind_host(L)->recorder != NULL;
    struct face *face;

    bind_type(L, ARTIFACTS, none);
    luaL_getmetatable(L, ARTIFACTS);
    lua_getfield(L, -1, "__index");
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (is_recorded)
            fs_push_recorded(L, &methods[i].recorded);
        else
            lua_pushcfunction(L, methods[i].recorded.func);
        lua_setfield(L, -2, methods[i].name);
    }
    lua_pop(L, 2);
    face = bind_own_as(L, sizeof *face, close_face, ARTIFACTS);
    face->may_write = may_write;
}
