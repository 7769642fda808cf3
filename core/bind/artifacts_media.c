/* SPDX-License-Identifier: MIT */
/* Contents that wait to be saved. */
#include <string.h>

#include "bind/artifacts.h"
#include "bind/fs.h"
#include "replace.h"

static int raise_sized(lua_State *L, struct handle_use *use, const croft_error *err, uint64_t size)
{
    bind_push_error(L, err, "media", 2);
    bind_set_integer(L, "size", size);
    artifacts_done(use);
    return lua_error(L);
}

/* ---- staging ----------------------------------------------------------------------------------- */

/* What the file is now, to know later whether it still is that. One that is too large is not read. */
static void note_base(lua_State *L, struct handle_use *use)
{
    struct artifact *artifact = use->artifact;
    uint64_t most = bind_host(L)->limits->edit_bytes;
    croft_error err;

    artifact->base.node = artifact->node;
    artifact->base.has_no_digest = true;
    if (artifact->node.size > most)
        return;
    bind_tick(L, artifact->node.size / 64);
    if (file_read(artifact->sys, artifact->fd, most, &use->bytes, &err) != CROFT_OK)
        return;
    artifact->base.digest = file_digest(use->bytes.data, use->bytes.size);
    artifact->base.has_no_digest = false;
}

/* artifacts:stage(path) -> info */
int artifacts_stage(lua_State *L)
{
    const struct route *route;
    struct handle_use *use;

    (void)artifacts_may_write(L);
    route = bind_route(L, 2, 2, "read");
    use = artifacts_hold(L, route, ARTIFACT_MEDIA);
    note_base(L, use);
    artifacts_done(use);
    return 1;
}

/* ---- contents ---------------------------------------------------------------------------------- */

/* The medium at argument 2, as it was staged. */
static struct handle_use *use_medium(lua_State *L, const char *op, uint64_t *size)
{
    struct handle_use *use = artifacts_use(L, op);
    enum artifact_change change = ARTIFACT_SAME;
    croft_error err;
    croft_status status = artifact_look(use->artifacts, use->artifact, &change, size, &err);

    if (status == CROFT_OK && use->artifact->kind != ARTIFACT_MEDIA)
        status = fail_detail(&err, CROFT_BAD_ARGUMENT, "not_media", "the handle is no medium");
    else if (status == CROFT_OK && change == ARTIFACT_MODIFIED)
        status = fail_detail(&err, CROFT_CHANGED, "handle", "the file was changed since");
    if (status != CROFT_OK)
        artifacts_raise(L, use, &err, op, 2);
    return use;
}

/* Its content, into use->bytes. */
static void read_medium(lua_State *L, struct handle_use *use, uint64_t size, uint64_t most)
{
    croft_error err;
    croft_status status = CROFT_OK;

    if (size > most)
        status = fail_detail(&err, CROFT_TOO_LARGE, "handle", "it is larger than the ceiling");
    bind_tick(L, status == CROFT_OK ? size / 64 + 100 : 0);
    if (status == CROFT_OK)
        status = file_read(use->artifact->sys, use->artifact->fd, most, &use->bytes, &err);
    if (status != CROFT_OK)
        raise_sized(L, use, &err, size);
}

static const char *contents(const struct handle_use *use)
{
    return use->bytes.size == 0 ? "" : use->bytes.data;
}

/* artifacts:load(handle, most) -> bytes */
int artifacts_load(lua_State *L)
{
    uint64_t size;
    lua_Integer most;
    struct handle_use *use;

    (void)artifacts_may_write(L);
    most = bind_opt_integer(L, 3, (lua_Integer)bind_host(L)->limits->edit_bytes);
    luaL_argcheck(L, most >= 0, 3, "the ceiling is negative");
    use = use_medium(L, "media", &size);
    read_medium(L, use, size, (uint64_t)most);
    bind_note_bytes(L, use->bytes.size);
    lua_pushlstring(L, contents(use), use->bytes.size);
    artifacts_done(use);
    return 1;
}

/* artifacts:derive(handle, bytes) -> info of a new medium that has these bytes */
int artifacts_derive(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    struct artifact_room room = artifacts_room(L);
    struct handle_use *use, *made;
    uint64_t old_size;
    size_t size;
    const char *data;
    croft_error err;

    (void)artifacts_may_write(L);
    data = luaL_checklstring(L, 3, &size);
    bind_tick(L, size / 64 + 100);
    use = use_medium(L, "media", &old_size);
    made = artifacts_own(L);
    if (artifact_derive(host->artifacts, use->artifact, data, size, &room, &made->artifact, &err) !=
        CROFT_OK) {
        strcpy(err.detail, "room");
        return raise_sized(L, use, &err, size);
    }
    made->artifacts = host->artifacts;
    bind_note_bytes(L, size);
    artifacts_push_info(L, made);
    artifacts_set_room(L, &room);
    artifacts_done(use);
    artifacts_done(made);
    return 1;
}

/* artifacts:describe(handle) -> {path}: where another program finds what the medium holds. Raises
 * "bad_argument" (detail "not_describable") for what is on no disk. */
int artifacts_describe(lua_State *L)
{
    struct handle_use *use;
    uint64_t size;
    croft_error err;
    bool is_unsaved;

    (void)artifacts_may_write(L);
    use = use_medium(L, "media", &size);
    pthread_mutex_lock(&use->artifacts->lock);
    is_unsaved = !use->artifact->saved;
    pthread_mutex_unlock(&use->artifacts->lock);
    if (is_unsaved) {
        fail_detail(&err, CROFT_BAD_ARGUMENT, "not_describable", "E_READER_NOT_DESCRIBABLE");
        return artifacts_raise(L, use, &err, "media", 2);
    }
    artifacts_push_info(L, use);
    artifacts_done(use);
    return 1;
}

/* ---- saving ------------------------------------------------------------------------------------ */

struct saving {
    struct replace_info info;
    struct stamp base, written;
};

static void nothing_to_close(void *payload)
{
    (void)payload;
}

static int raise_refusal(lua_State *L, struct handle_use *use, const struct route *route,
                         croft_error *err, const struct saving *saving)
{
    route_locate(route, err);
    bind_push_error(L, err, "write", 3);
    bind_set_integer(L, "size", saving->info.old_size);
    fs_set_stays(L, saving->info.made, saving->info.first_made);
    artifacts_done(use);
    return lua_error(L);
}

/* What may be told before the path is looked at. */
static void check_target(lua_State *L, const struct path *path)
{
    croft_error err;

    if (!artifacts_may_write(L))
        fail(&err, CROFT_READ_ONLY, 0, "the tool is declared with access = \"read\"");
    else if (!staging_covers(bind_host(L)->staging, path))
        fail_detail(&err, CROFT_OUTSIDE, "write_root", "it lies outside of the write root");
    else
        return;
    bind_raise(L, &err, "write", 3);
}

static int push_saved(lua_State *L, const struct saving *saving)
{
    const struct replace_info *info = &saving->info;

    lua_createtable(L, 0, 8);
    bind_set_boolean(L, "created", info->created);
    bind_set_boolean(L, "same", info->same);
    bind_set_integer(L, "size", info->written.size);
    bind_set_integer(L, "links", info->links);
    bind_set_integer(L, "made", info->made);
    bind_set_path(L, "first_made", info->first_made, strlen(info->first_made));
    bind_set_boolean(L, "not_confirmed", info->not_confirmed);
    return 1;
}

/* Over what is there only when it is what the medium began as, or what it was saved as, or on demand. */
static croft_status save(lua_State *L, struct handle_use *use, const struct route *route,
                         bool overwrite, struct saving *saving, croft_error *err)
{
    struct bind_host *host = bind_host(L);
    bool has_base = artifact_base(use->artifacts, use->artifact, route->spelled, &saving->base);
    struct replace_options options = {
        .mode = has_base || overwrite ? REPLACE_OVERWRITE : REPLACE_CREATE,
        .limit = host->limits->write_bytes,
        .compare_limit = host->limits->write_bytes,
        .expect = has_base && !overwrite ? &saving->base : NULL,
        .no_links = true,
    };
    croft_status status = replace_file(route->root, route->path, use->bytes.data, use->bytes.size,
                                       &options, &saving->info, err);

    if (status != CROFT_OK)
        return status;
    host->wrote |= !saving->info.same;
    saving->written.node = saving->info.written;
    saving->written.digest = file_digest(use->bytes.data, use->bytes.size);
    artifact_saved(use->artifacts, use->artifact, route->spelled, &saving->written);
    return CROFT_OK;
}

/* artifacts:save(handle, path, {overwrite}) -> {created, same, size, links, made, first_made, ...} */
int artifacts_save(lua_State *L)
{
    struct bind_host *host = bind_host(L);
    const struct route *route;
    struct handle_use *use;
    struct saving *saving;
    bool overwrite;
    uint64_t size;
    croft_error err;

    (void)artifacts_may_write(L);
    lua_settop(L, 4);
    overwrite = bind_field_boolean(L, 4, "overwrite");
    route = bind_route(L, 3, 4, "write");
    check_target(L, route->spelled);
    use = use_medium(L, "media", &size);
    read_medium(L, use, size, host->limits->write_bytes);
    saving = bind_own(L, sizeof *saving, nothing_to_close);
    bind_tick(L, use->bytes.size / 64 + 1000);
    fs_wait_turn(L, route);
    if (save(L, use, route, overwrite, saving, &err) != CROFT_OK)
        return raise_refusal(L, use, route, &err, saving);
    bind_note_bytes(L, saving->info.same ? 0 : use->bytes.size);
    artifacts_done(use);
    return push_saved(L, saving);
}
