/* SPDX-License-Identifier: MIT */
/* Media: contents that were made of others, and where they were saved. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact_parts.h"

/* ---- new content ------------------------------------------------------------------------------- */

static croft_status write_all(const struct sys *sys, int fd, const char *data, size_t size,
                              croft_error *err)
{
    while (size > 0) {
        ssize_t count = sys->write(fd, data, size);

        if (count <= 0)
            return fail(err, CROFT_NO_SPACE, errno, "no memory is left for it");
        data += count;
        size -= (size_t)count;
    }
    return CROFT_OK;
}

/* A medium in memory that begins where `parent` does. */
static croft_status make(struct artifact *parent, const void *data, size_t size,
                         struct artifact **out, croft_error *err)
{
    const struct sys *sys = parent->sys;
    int fd = sys->memory();
    croft_status status;

    if (fd < 0)
        return fail_errno(err, errno, "no memory can be had for it");
    status = write_all(sys, fd, data, size, err);
    if (status != CROFT_OK) {
        sys->close(fd);
        return status;
    }
    status = artifact_new(ARTIFACT_MEDIA, sys, fd, parent->path, out, err);
    if (status == CROFT_OK) {
        (*out)->is_own = true;
        memcpy((*out)->parent, parent->id, sizeof parent->id);
    }
    return status;
}

/* Takes over where the parent's content began and was saved. */
static bool inherit(struct artifacts *artifacts, const struct artifact *parent,
                    struct artifact *made)
{
    bool good;

    pthread_mutex_lock(&artifacts->lock);
    made->base = parent->base;
    made->saved_base = parent->saved_base;
    if (parent->saved_path != NULL)
        made->saved_path = strdup(parent->saved_path);
    good = parent->saved_path == NULL || made->saved_path != NULL;
    pthread_mutex_unlock(&artifacts->lock);
    return good;
}

croft_status artifact_derive(struct artifacts *artifacts, struct artifact *parent, const void *data,
                             size_t size, struct artifact_room *room, struct artifact **out,
                             croft_error *err)
{
    struct artifact *made = NULL;
    croft_status status = make(parent, data, size, &made, err);

    if (status != CROFT_OK || made == NULL)
        return status;
    if (!inherit(artifacts, parent, made)) {
        artifact_free(made);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    status = artifact_put(artifacts, made, room, err);
    if (status != CROFT_OK)
        return status;
    pthread_mutex_lock(&artifacts->lock);
    parent->used_up = true;
    pthread_mutex_unlock(&artifacts->lock);
    *out = made;
    return CROFT_OK;
}

/* ---- saving ------------------------------------------------------------------------------------ */

static struct artifact *parent_of(const struct artifacts *artifacts, const struct artifact *child)
{
    for (struct artifact *at = artifacts->first; at != NULL && child->parent[0] != '\0';
         at = at->next)
        if (strcmp(at->id, child->parent) == 0)
            return at;
    return NULL;
}

/* Whether `artifact` is `other`, or was made of it. */
static bool comes_of(const struct artifacts *artifacts, const struct artifact *artifact,
                     const struct artifact *other)
{
    while (artifact != NULL && artifact != other)
        artifact = parent_of(artifacts, artifact);
    return artifact != NULL;
}

static void note_saved(struct artifact *artifact, const struct path *path,
                       const struct stamp *written)
{
    char *copy = strdup(path->text);

    free(artifact->saved_path);
    artifact->saved_path =
        copy; /* without memory it is saved all the same, and nobody says where */
    artifact->saved_base = *written;
    if (strcmp(artifact->path, path->text) == 0)
        artifact->base = *written;
}

void artifact_saved(struct artifacts *artifacts, struct artifact *artifact, const struct path *path,
                    const struct stamp *written)
{
    pthread_mutex_lock(&artifacts->lock);
    artifact->saved = true;
    for (struct artifact *at = artifacts->first; at != NULL; at = at->next)
        if (comes_of(artifacts, at, artifact))
            note_saved(at, path, written);
    pthread_mutex_unlock(&artifacts->lock);
}

bool artifact_base(struct artifacts *artifacts, const struct artifact *artifact,
                   const struct path *path, struct stamp *base)
{
    bool found = true;

    pthread_mutex_lock(&artifacts->lock);
    if (artifact->saved_path != NULL && strcmp(artifact->saved_path, path->text) == 0)
        *base = artifact->saved_base;
    else if (strcmp(artifact->path, path->text) == 0)
        *base = artifact->base;
    else
        found = false;
    pthread_mutex_unlock(&artifacts->lock);
    return found;
}
