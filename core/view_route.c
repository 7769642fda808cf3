/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "view.h"

/* The components of `path` from `from` on. */
static void take_rest(const struct path *path, size_t from, struct path *rest)
{
    size_t at = from < path->count ? path->parts[from].from : path->size;

    rest->count = path->count - from;
    rest->size = path->size - at;
    memcpy(rest->text, path->text + at, rest->size + 1);
    for (size_t i = 0; i < rest->count; i++) {
        rest->parts[i].from = (uint16_t)(path->parts[from + i].from - at);
        rest->parts[i].size = path->parts[from + i].size;
    }
    rest->must_be_directory = path->must_be_directory;
}

/* The deepest mount on the way. */
static struct mount *find_mount(const struct hidden *at, const struct path *path,
                                struct route *route)
{
    struct mount *found = NULL;

    for (size_t i = 0; i < path->count && at != NULL; i++) {
        at = hidden_exact(at, path->text + path->parts[i].from, path->parts[i].size);
        if (at == NULL || at->mount == NULL)
            continue;
        found = at->mount;
        route->depth = i + 1;
    }
    if (at != NULL && at->leads_to_mount)
        route->hidden = at;
    return found;
}

croft_status view_route(const croft_view *view, const struct path *path, struct route *route,
                        croft_error *err)
{
    struct mount *mount;
    croft_status status;

    route->root = view->root;
    route->path = route->spelled = path;
    route->mount = NULL;
    route->hidden = NULL;
    route->depth = 0;
    if (!view->layout->has_names)
        return CROFT_OK;
    mount = find_mount(view->layout->top, path, route);
    if (mount == NULL)
        return CROFT_OK;
    status = mount_hold(mount, &route->root, err);
    if (status != CROFT_OK) {
        if (err != NULL)
            err->at = (unsigned)route->depth - 1;
        return status;
    }
    route->mount = mount;
    take_rest(path, route->depth, &route->rest);
    route->path = &route->rest;
    return CROFT_OK;
}

void route_permit(struct route *route, const struct root *root)
{
    if (route->mount == NULL) {
        route->root = root;
    } else if (root->permit != NULL) {
        route->own = *route->root;
        route->own.permit = root->permit;
        route->root = &route->own;
    }
}

void route_end(struct route *route)
{
    mount_release(route->mount);
    route->mount = NULL;
}

void route_locate(const struct route *route, croft_error *err)
{
    if (err->kind != CROFT_READ_ONLY) /* there it says by which way */
        err->at += (unsigned)route->depth;
}
