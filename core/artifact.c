/* SPDX-License-Identifier: MIT */
#include "artifact.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact_parts.h"

void artifacts_init(struct artifacts *artifacts)
{
    memset(artifacts, 0, sizeof *artifacts);
    pthread_mutex_init(&artifacts->lock, NULL);
}

void artifact_free(struct artifact *artifact)
{
    if (artifact == NULL)
        return;
    if (artifact->fd >= 0)
        artifact->sys->close(artifact->fd);
    line_index_free(&artifact->lines);
    free(artifact->path);
    free(artifact->saved_path);
    free(artifact);
}

void artifacts_close(struct artifacts *artifacts)
{
    while (artifacts->first != NULL) {
        struct artifact *next = artifacts->first->next;

        artifact_free(artifacts->first);
        artifacts->first = next;
    }
    pthread_mutex_destroy(&artifacts->lock);
}

/* ---- a new one --------------------------------------------------------------------------------- */

/* 128 random bits, five at a time; the last of the 26 has three. */
static croft_status make_id(const struct sys *sys, enum artifact_kind kind, char *id,
                            croft_error *err)
{
    static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned char random[16];
    unsigned held = 0, bits = 0;
    size_t used = 4;

    if (sys->random(random, sizeof random) != 0)
        return fail_io(err, errno, "no random name could be made");
    memcpy(id, kind == ARTIFACT_MEDIA ? "med_" : "art_", used);
    for (size_t i = 0; i < sizeof random; i++) {
        held = held << 8 | random[i];
        for (bits += 8; bits >= 5; bits -= 5)
            id[used++] = digits[held >> (bits - 5) & 31];
        held &= (1u << bits) - 1;
    }
    id[used++] = digits[held << (5 - bits) & 31];
    id[used] = '\0';
    return CROFT_OK;
}

static croft_status fill(struct artifact *artifact, const char *path, croft_error *err)
{
    artifact->path = strdup(path);
    if (artifact->path == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (artifact->sys->node(artifact->fd, &artifact->node) != 0)
        return fail_io(err, errno, "it cannot be examined");
    return make_id(artifact->sys, artifact->kind, artifact->id, err);
}

croft_status artifact_new(enum artifact_kind kind, const struct sys *sys, int fd, const char *path,
                          struct artifact **out, croft_error *err)
{
    struct artifact *artifact = calloc(1, sizeof *artifact);
    croft_status status;

    if (artifact == NULL) {
        sys->close(fd);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    artifact->kind = kind;
    artifact->sys = sys;
    artifact->fd = fd;
    status = fill(artifact, path, err);
    if (status != CROFT_OK)
        artifact_free(artifact);
    else
        *out = artifact;
    return status;
}

/* ---- room -------------------------------------------------------------------------------------- */

bool artifact_is_unsaved(const struct artifact *artifact)
{
    return artifact->is_own && !artifact->saved && !artifact->used_up;
}

/* The one that is missed least; NULL when none can give way. `own`: only what frees bytes. */
static struct artifact *find_oldest(const struct artifacts *artifacts, bool own)
{
    struct artifact *oldest = NULL;

    for (struct artifact *at = artifacts->first; at != NULL; at = at->next) {
        bool may_go = !artifact_is_unsaved(at) && at->users == 0 && (at->is_own || !own);

        if (may_go && (oldest == NULL || at->used < oldest->used))
            oldest = at;
    }
    return oldest;
}

static void unlink_one(struct artifacts *artifacts, struct artifact *artifact)
{
    struct artifact **link = &artifacts->first;

    while (*link != artifact && *link != NULL)
        link = &(*link)->next;
    *link = artifact->next;
    artifacts->count--;
    if (artifact->is_own)
        artifacts->bytes -= artifact->node.size;
}

static void give_way(struct artifacts *artifacts, struct artifact *artifact,
                     struct artifact_room *room)
{
    unlink_one(artifacts, artifact);
    if (room->removed++ == 0) {
        strncpy(room->first_removed, artifact->path, PATH_BYTES);
        room->first_removed[PATH_BYTES] = '\0';
    }
    artifact_free(artifact);
}

static croft_status make_room(struct artifacts *artifacts, uint64_t bytes,
                              struct artifact_room *room, croft_error *err)
{
    struct artifact *oldest;

    while (artifacts->count + 1 > room->most || artifacts->bytes + bytes > room->most_bytes) {
        bool is_full = artifacts->count + 1 > room->most;

        oldest = bytes > room->most_bytes ? NULL : find_oldest(artifacts, !is_full);
        if (oldest == NULL)
            return fail(err, is_full ? CROFT_TOO_MANY : CROFT_TOO_LARGE, 0,
                        "no more can be held until something is saved");
        give_way(artifacts, oldest, room);
    }
    return CROFT_OK;
}

/* The newest stands first. */
static void link_one(struct artifacts *artifacts, struct artifact *artifact)
{
    artifact->next = artifacts->first;
    artifacts->first = artifact;
    artifact->users = 1;
    artifact->used = ++artifacts->clock;
    artifacts->count++;
    if (artifact->is_own)
        artifacts->bytes += artifact->node.size;
}

croft_status artifact_put(struct artifacts *artifacts, struct artifact *artifact,
                          struct artifact_room *room, croft_error *err)
{
    croft_status status;

    room->removed = 0;
    room->first_removed[0] = '\0';
    pthread_mutex_lock(&artifacts->lock);
    status = make_room(artifacts, artifact->is_own ? artifact->node.size : 0, room, err);
    if (status == CROFT_OK)
        link_one(artifacts, artifact);
    pthread_mutex_unlock(&artifacts->lock);
    if (status != CROFT_OK)
        artifact_free(artifact);
    return status;
}

croft_status artifact_add(struct artifacts *artifacts, enum artifact_kind kind,
                          const struct sys *sys, int fd, const struct path *path,
                          struct artifact_room *room, struct artifact **out, croft_error *err)
{
    struct artifact *artifact = NULL;
    croft_status status = artifact_new(kind, sys, fd, path->text, &artifact, err);

    if (artifact != NULL)
        status = artifact_put(artifacts, artifact, room, err);
    if (status == CROFT_OK)
        *out = artifact;
    return status;
}

/* ---- use --------------------------------------------------------------------------------------- */

static struct artifact *find(const struct artifacts *artifacts, const char *id, size_t size)
{
    for (struct artifact *at = artifacts->first; at != NULL; at = at->next)
        if (size == ARTIFACT_ID && memcmp(at->id, id, size) == 0)
            return at;
    return NULL;
}

croft_status artifact_use(struct artifacts *artifacts, const char *id, size_t size,
                          struct artifact **out, croft_error *err)
{
    struct artifact *found;

    pthread_mutex_lock(&artifacts->lock);
    found = find(artifacts, id, size);
    if (found != NULL) {
        found->users++;
        found->used = ++artifacts->clock;
    }
    pthread_mutex_unlock(&artifacts->lock);
    if (found == NULL)
        return fail_detail(err, CROFT_MISSING, "handle", "there is no such handle");
    *out = found;
    return CROFT_OK;
}

void artifact_release(struct artifacts *artifacts, struct artifact *artifact)
{
    if (artifact == NULL)
        return;
    pthread_mutex_lock(&artifacts->lock);
    artifact->users--;
    pthread_mutex_unlock(&artifacts->lock);
}

/* ---- looks ------------------------------------------------------------------------------------- */

static enum artifact_change change_of(const struct artifact *artifact, const struct node *now)
{
    const struct node *then = &artifact->node;

    if (artifact->is_own)
        return ARTIFACT_SAME;
    if (now->size != then->size || now->mtime_ns != then->mtime_ns)
        return ARTIFACT_MODIFIED;
    if (now->links < then->links && now->links == 0)
        return ARTIFACT_REMOVED_FILE;
    return now->ctime_ns != then->ctime_ns ? ARTIFACT_TOUCHED : ARTIFACT_SAME;
}

croft_status artifact_look(struct artifacts *artifacts, struct artifact *artifact,
                           enum artifact_change *change, uint64_t *size, croft_error *err)
{
    struct node now;

    if (artifact->sys->node(artifact->fd, &now) != 0)
        return fail_io(err, errno, "it cannot be examined");
    *change = change_of(artifact, &now);
    *size = now.size;
    if (*change == ARTIFACT_MODIFIED || *change == ARTIFACT_TOUCHED) {
        pthread_mutex_lock(&artifacts->lock);
        line_index_free(&artifact->lines); /* kept only of what surely is as it was */
        pthread_mutex_unlock(&artifacts->lock);
    }
    return CROFT_OK;
}

void artifacts_each(struct artifacts *artifacts, artifact_visit *visit, void *user)
{
    struct artifact *last = NULL;

    pthread_mutex_lock(&artifacts->lock);
    while (last != artifacts->first) { /* from the oldest, which stands last */
        struct artifact *at = artifacts->first;

        while (at->next != last)
            at = at->next;
        visit(user, at);
        last = at;
    }
    pthread_mutex_unlock(&artifacts->lock);
}
