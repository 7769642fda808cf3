/* SPDX-License-Identifier: MIT */
#include "mounts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct mounts *mounts_new(void)
{
    struct mounts *mounts = calloc(1, sizeof *mounts);

    if (mounts != NULL)
        pthread_mutex_init(&mounts->lock, NULL);
    return mounts;
}

static void free_mount(struct mount *mount)
{
    root_close(mount->root);
    if (mount->owns_hidden)
        hidden_free(mount->hidden);
    free(mount->path);
    free(mount);
}

void mounts_free(struct mounts *mounts)
{
    if (mounts == NULL)
        return;
    for (size_t i = 0; i < mounts->count; i++)
        free_mount(mounts->items[i]);
    free(mounts->items);
    pthread_mutex_destroy(&mounts->lock);
    free(mounts);
}

static bool make_room(struct mounts *mounts)
{
    size_t capacity = mounts->capacity == 0 ? 8 : mounts->capacity * 2;
    struct mount **items;

    if (mounts->count < mounts->capacity)
        return true;
    items = realloc(mounts->items, capacity * sizeof(struct mount *));
    if (items == NULL)
        return false;
    mounts->items = items;
    mounts->capacity = capacity;
    return true;
}

static void close_root(struct mount *mount)
{
    struct root *root = mount->root;

    root->sys->close(root->fd);
    root->fd = -1;
    mount->table->open--;
}

croft_status mounts_add(struct mounts *mounts, const char *path, const char *name,
                        const croft_view_options *options, const struct sys *sys,
                        struct mount **out, croft_error *err)
{
    struct mount *mount = calloc(1, sizeof *mount);
    croft_status status;

    if (mount == NULL || (mount->path = strdup(path)) == NULL || !make_room(mounts)) {
        if (mount != NULL)
            free(mount->path);
        free(mount);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    mount->table = mounts;
    mount->name = name;
    status = root_open(path, options, sys, &mount->root, err);
    if (status != CROFT_OK) {
        free_mount(mount);
        return status;
    }
    mount->root->name = name == NULL ? "" : name;
    mounts->items[mounts->count++] = mount;
    mounts->open++;
    if (mounts->open > HELD_MOUNTS)
        close_root(mount);
    *out = mount;
    return CROFT_OK;
}

/* ---- on demand --------------------------------------------------------------------------------- */

/* Closes one that nobody uses, and that was not used lately, if there is any. */
static void make_place(struct mounts *mounts)
{
    for (size_t looked = 0; looked < 2 * mounts->count; looked++) {
        struct mount *mount = mounts->items[mounts->hand];

        mounts->hand = (mounts->hand + 1) % mounts->count;
        if (mount->root->fd < 0 || mount->users > 0)
            continue;
        if (!mount->is_recent) {
            close_root(mount);
            return;
        }
        mount->is_recent = false;
    }
}

static croft_status open_again(struct mount *mount, croft_error *err)
{
    struct root *root = mount->root;
    struct node node;
    int fd = root->sys->open_root(mount->path);

    if (fd < 0)
        return fail(err,
                    errno == ENOENT || errno == ENOTDIR ? CROFT_MISSING : status_of_errno(errno),
                    errno, "it does not exist");
    if (root->sys->node(fd, &node) != 0 || !node_same(&node, &root->node)) {
        root->sys->close(fd);
        return fail(err, CROFT_MISSING, 0, "it does not exist");
    }
    root->fd = fd;
    mount->table->open++;
    return CROFT_OK;
}

croft_status mount_hold(struct mount *mount, const struct root **out, croft_error *err)
{
    struct mounts *mounts = mount->table;
    croft_status status = CROFT_OK;

    pthread_mutex_lock(&mounts->lock);
    if (mount->root->fd < 0) {
        if (mounts->open >= HELD_MOUNTS)
            make_place(mounts);
        status = open_again(mount, err);
    }
    if (status == CROFT_OK) {
        mount->users++;
        mount->is_recent = true;
        *out = mount->root;
    }
    pthread_mutex_unlock(&mounts->lock);
    return status;
}

struct mount *mount_share(struct mount *mount)
{
    if (mount == NULL)
        return NULL;
    pthread_mutex_lock(&mount->table->lock);
    mount->users++;
    pthread_mutex_unlock(&mount->table->lock);
    return mount;
}

void mount_release(struct mount *mount)
{
    struct mounts *mounts;

    if (mount == NULL)
        return;
    mounts = mount->table;
    pthread_mutex_lock(&mounts->lock);
    mount->users--;
    if (mount->users == 0 && mounts->open > HELD_MOUNTS)
        close_root(mount);
    pthread_mutex_unlock(&mounts->lock);
}
