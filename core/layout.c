/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

const struct hidden *layout_hidden(const struct hidden *top)
{
    return top->count > 0 ? top : NULL;
}

/* ---- mounts ------------------------------------------------------------------------------------ */

/* Puts the mount in its place in the tree of names. */
static croft_status place_mount(struct layout *layout, struct mount *mount, croft_error *err)
{
    struct hidden *at = layout->top;
    const char *rest = mount->name;

    while (*rest != '\0' && at != NULL) {
        size_t size = strcspn(rest, "/");
        char name[NAME_BYTES + 1];

        at->leads_to_mount = true;
        memcpy(name, rest, size);
        name[size] = '\0';
        at = hidden_add(at, name);
        rest += size;
        rest += *rest == '/';
    }
    if (at == NULL)
        return out_of_memory(err);
    at->mount = mount;
    mount->hidden = at;
    layout->has_names = true;
    return CROFT_OK;
}

/* A bind is in nobody's tree. */
static croft_status place_bind(struct mount *mount, croft_error *err)
{
    mount->hidden = hidden_new();
    mount->owns_hidden = true;
    return mount->hidden == NULL ? out_of_memory(err) : CROFT_OK;
}

static croft_status open_mount(struct layout *layout, size_t index,
                               const croft_view_options *options, const struct sys *sys,
                               croft_error *err)
{
    const struct plan_mount *planned = &layout->plan->mounts[index];
    croft_view_options own = *options;
    struct mount *mount = NULL;
    croft_status status;

    if (planned->kind == PLAN_ROOT || !planned->is_directory)
        return CROFT_OK;
    own.read_only = options->read_only || !planned->writable;
    status = mounts_add(layout->mounts, planned->path, planned->name, &own, sys, &mount, err);
    if (status != CROFT_OK) {
        char message[sizeof err->message];

        if (err == NULL)
            return status;
        strcpy(message, err->message);
        return fail_format(err, status, err->sys_errno, "%s: \"%.200s\": %.500s", planned->where,
                           planned->spelled, message);
    }
    layout->mount_of[index] = mount;
    return mount->name == NULL ? place_bind(mount, err) : place_mount(layout, mount, err);
}

/* ---- masks ------------------------------------------------------------------------------------- */

/* Whether another tree lies on the way to `rest` below `at`, and covers it. */
static bool is_covered(const struct hidden *at, const char *rest)
{
    while (at != NULL && *rest != '\0') {
        size_t size = strcspn(rest, "/");

        at = hidden_exact(at, rest, size);
        if (at != NULL && at->mount != NULL)
            return true;
        rest += size;
        rest += *rest == '/';
    }
    return false;
}

static croft_status add_mask(struct hidden *top, const char *tree, const char *path,
                             croft_error *err)
{
    const char *rest = path + strlen(tree);
    struct hidden *at;

    rest += *rest == '/';
    if (*rest == '\0' || is_covered(top, rest))
        return CROFT_OK;
    at = hidden_add(top, rest);
    if (at == NULL)
        return out_of_memory(err);
    at->is_masked = true;
    return CROFT_OK;
}

/* A path of the host's is hidden in each tree in which it can be seen. */
static croft_status add_masks(struct layout *layout, croft_error *err)
{
    const struct view_plan *plan = layout->plan;
    croft_status status = CROFT_OK;

    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *planned = &plan->mounts[i];
        struct mount *mount = layout->mount_of[i];
        struct hidden *top = mount == NULL ? layout->top : mount->hidden;

        if (mount == NULL && planned->kind != PLAN_ROOT)
            continue;
        for (size_t j = 0; j < plan->mask_count && status == CROFT_OK; j++)
            if (path_is_within(plan->masks[j].path, planned->path))
                status = add_mask(top, planned->path, plan->masks[j].path, err);
        if (mount != NULL && status == CROFT_OK)
            mount->root->hidden = layout_hidden(top);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static croft_status fill(struct layout *layout, const croft_view_options *options,
                         const struct sys *sys, croft_error *err)
{
    croft_status status = CROFT_OK;

    layout->top = hidden_new();
    layout->mounts = mounts_new();
    layout->mount_of = calloc(layout->plan->mount_count + 1, sizeof(struct mount *));
    if (layout->top == NULL || layout->mounts == NULL || layout->mount_of == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < layout->plan->mount_count && status == CROFT_OK; i++)
        status = open_mount(layout, i, options, sys, err);
    return status == CROFT_OK ? add_masks(layout, err) : status;
}

croft_status layout_open(struct view_plan *plan, const croft_view_options *options,
                         const struct sys *sys, struct layout **out, croft_error *err)
{
    struct layout *layout = calloc(1, sizeof *layout);
    croft_status status;

    if (layout == NULL) {
        view_plan_free(plan);
        return out_of_memory(err);
    }
    atomic_init(&layout->references, 1);
    layout->plan = plan;
    status = fill(layout, options, sys, err);
    if (status != CROFT_OK)
        layout_release(layout);
    else
        *out = layout;
    return status;
}

struct layout *layout_share(struct layout *layout)
{
    atomic_fetch_add(&layout->references, 1);
    return layout;
}

void layout_release(struct layout *layout)
{
    if (layout == NULL || atomic_fetch_sub(&layout->references, 1) > 1)
        return;
    mounts_free(layout->mounts);
    hidden_free(layout->top);
    free(layout->mount_of);
    view_plan_free(layout->plan);
    free(layout);
}
