/* SPDX-License-Identifier: MIT */
#include "view_narrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pins.h"

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* Adds a copy of the read-only name `pin`, which stays what it was when the first view was opened. */
static croft_status copy_pin(struct root *root, const struct read_only_name *pin, croft_error *err)
{
    struct read_only_name *copy = &root->names[root->name_count];

    *copy = *pin;
    copy->fd = -1;
    copy->name = strdup(pin->name);
    if (copy->name == NULL)
        return out_of_memory(err);
    root->name_count++;
    if (pin->fd >= 0 && (copy->fd = root->sys->dup(pin->fd)) < 0)
        return fail(err, CROFT_INTERNAL, errno, "a read-only tree cannot be held");
    return CROFT_OK;
}

static croft_status copy_root(const struct root *from, struct root **out, croft_error *err)
{
    struct root *root = calloc(1, sizeof *root);
    croft_status status = CROFT_OK;

    if (root == NULL)
        return out_of_memory(err);
    *out = root;
    *root = *from;
    root->name_count = 0;
    root->names = calloc(READ_ONLY_NAMES, sizeof *root->names);
    root->fd = from->sys->dup(from->fd);
    if (root->names == NULL)
        return out_of_memory(err);
    if (root->fd < 0)
        return fail(err, CROFT_INTERNAL, errno, "the root cannot be held");
    for (size_t i = 0; i < from->name_count && status == CROFT_OK; i++)
        status = copy_pin(root, &from->names[i], err);
    return status;
}

static croft_status add_name(struct root *root, const char *name, croft_error *err)
{
    croft_view_options options = {.read_only_names = &name, .read_only_count = 1};

    for (size_t i = 0; i < root->name_count; i++)
        if (strcmp(root->names[i].name, name) == 0)
            return CROFT_OK;
    return pins_hold(root, &options, err);
}

static croft_status copy_excludes(const croft_view *from, croft_view *view, croft_error *err)
{
    croft_view_options options = {.exclude = (const char *const *)from->exclude_texts,
                                  .exclude_count = from->exclude_count};

    return view_add_excludes(view, &options, err);
}

croft_status view_narrow(const croft_view *from, const char *name, croft_view **out,
                         croft_error *err)
{
    croft_view *view = calloc(1, sizeof *view);
    croft_status status;

    if (view == NULL)
        return out_of_memory(err);
    atomic_init(&view->references, 1);
    view->layout = layout_share(from->layout);
    status = copy_root(from->root, &view->root, err);
    if (status == CROFT_OK)
        status = add_name(view->root, name, err);
    if (status == CROFT_OK)
        status = copy_excludes(from, view, err);
    if (status != CROFT_OK) {
        view_release(view);
        return status;
    }
    *out = view;
    return CROFT_OK;
}
