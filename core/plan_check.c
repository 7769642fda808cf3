/* SPDX-License-Identifier: MIT */
/* What a plan must not be: all of it is refused, nothing is repaired. */
#include "plan_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ceilings.h"

static void complain(struct planning *p, const struct plan_mount *mount, const char *what)
{
    problems_add_format(p->problems, "%s: \"%.200s\" %s", mount->where, mount->spelled, what);
}

static const struct plan_mount *root_of(const struct planning *p)
{
    const struct view_plan *plan = p->plan;

    return plan->mount_count > 0 && plan->mounts[0].kind == PLAN_ROOT ? &plan->mounts[0] : NULL;
}

/* ---- one tree ---------------------------------------------------------------------------------- */

struct trespass {
    const struct planning *p;
    const struct plan_mount *mount;  /* NULL: what is looked at is none */
    const struct plan_mount *across; /* the tree that was found */
};

/* Whether the place lies in another tree, which the tenant can write: it chooses what is there. */
static bool find_writable(void *user, const char *place)
{
    struct trespass *trespass = user;
    const struct view_plan *plan = trespass->p->plan;

    for (size_t i = 0; i < plan->mount_count && trespass->across == NULL; i++) {
        const struct plan_mount *other = &plan->mounts[i];

        if (other != trespass->mount && other->writable && path_is_within(place, other->path))
            trespass->across = other;
    }
    return trespass->across != NULL;
}

/* A tree that lies where the tenant can write, or that a link there leads to, would be the tenant's choice at
 * the next look. The directory of a mount that options ask for is held open from the start, so that may lie
 * there: who planted a link, though, has chosen already. */
static void check_above(struct planning *p, const struct plan_mount *mount)
{
    struct trespass end = {.p = p, .mount = mount}, way = end;
    bool lies = find_writable(&end, mount->path);

    if (p->config->is_of_options && lies)
        return;
    if (lies)
        problems_add_format(p->problems, "%s: \"%.200s\" lies in %s, which the tenant can write",
                            mount->where, mount->spelled, end.across->where);
    else if (walk_way(p, mount->spelled, find_writable, &way))
        problems_add_format(
            p->problems, "%s: the way to \"%.200s\" leads through %s, which the tenant can write",
            mount->where, mount->spelled, way.across->where);
}

/* Where a mask would take the whole tree away. The tenants' directory may lie above the root. */
static void check_masks(struct planning *p, const struct plan_mount *mount)
{
    for (size_t i = 0; i < p->plan->mask_count; i++) {
        const struct plan_mask *mask = &p->plan->masks[i];

        if (!path_is_within(mount->path, mask->path))
            continue;
        if (mask->kind == PLAN_NEIGHBOURS && mount->kind == PLAN_ROOT &&
            strcmp(mount->path, mask->path) != 0)
            continue;
        problems_add_format(p->problems, "%s: \"%.200s\" lies in what %s hides", mount->where,
                            mount->spelled, mask->where);
        return;
    }
}

static void check_mount(struct planning *p, const struct plan_mount *mount)
{
    if (strcmp(mount->path, "/") == 0)
        complain(p, mount, "is all of the host");
    check_above(p, mount);
    check_masks(p, mount);
}

/* ---- two trees --------------------------------------------------------------------------------- */

/* A bind is seen under its own path, which may be no part of what is seen under a name. */
static void check_inside(struct planning *p, const struct plan_mount *bind)
{
    for (size_t i = 0; i < p->plan->mount_count; i++) {
        const struct plan_mount *other = &p->plan->mounts[i];

        if (other == bind || (other->kind == PLAN_BIND && other > bind))
            continue;
        if (other->kind == PLAN_BIND ? strcmp(bind->inside, other->inside) == 0
                                     : path_is_within(bind->inside, other->inside) ||
                                           path_is_within(other->inside, bind->inside))
            problems_add_format(p->problems, "%s: \"%.200s\" is where a subprocess sees %s",
                                bind->where, bind->spelled, other->where);
    }
}

/* ---- tenants ----------------------------------------------------------------------------------- */

/* The name directly below `above` through which `path` leads; its size, or 0. */
static size_t child_of(const char *path, const char *above, const char **child)
{
    if (!path_is_within(path, above))
        return 0;
    *child = path + strlen(above);
    *child += **child == '/';
    return strcspn(*child, "/");
}

/* Where in the root, as spelled, the name of the tenant's own directory begins: the one with the tenant's name
 * in it, or where that is not asked for the one directly below `tenants`. 0: there is none. */
static size_t find_own_name(const struct planning *p, const struct plan_mount *root)
{
    const char *text = p->config->root, *at = strstr(text, TENANT_PLACEHOLDER);

    if (at == NULL || p->tenant == NULL)
        return path_is_within(root->spelled, p->config->tenants) ? strlen(p->config->tenants) + 1
                                                                 : 0;
    while (at > text && at[-1] != '/')
        at--;
    return (size_t)(at - text);
}

/* A tenant's directory that is a link to another's. */
static bool is_anothers(const struct planning *p, const struct plan_mount *root)
{
    const char *tenants = p->plan->tenants, *name, *led_to = "";
    char above[PATH_BYTES + 1], own[2 * (PATH_BYTES + 1)];
    size_t from = find_own_name(p, root), size, led_size;

    if (from == 0 || from > PATH_BYTES || !path_is_within(root->path, tenants))
        return false;
    name = root->spelled + from;
    size = strcspn(name, "/");
    (void)snprintf(own, sizeof own, "%.*s", (int)from, root->spelled);
    if (p->sys->real(own, above, sizeof above) != 0)
        return true;
    (void)snprintf(own, sizeof own, "%s/%.*s", strcmp(above, "/") == 0 ? "" : above, (int)size,
                   name);
    if (path_is_within(root->path, own))
        return false;
    led_size =
        child_of(root->path, tenants, &led_to); /* a link from elsewhere to one of that name */
    return path_is_within(above, tenants) || led_size != size || memcmp(led_to, name, size) != 0;
}

static void check_tenants(struct planning *p)
{
    const struct plan_mount *root = root_of(p);
    const char *tenants = p->plan->tenants;

    if (root == NULL || tenants == NULL)
        return;
    if (path_is_within(tenants, root->path))
        problems_add_format(p->problems, "tenants: \"%.200s\" %s", p->config->tenants,
                            strcmp(tenants, root->path) == 0 ? "is the root" : "lies in the root");
    else if (is_anothers(p, root))
        complain(p, root, "leads to the directory of another tenant");
}

/* What would be shown of the system where the tenant can write is the tenant's choice likewise. */
static void check_system_bind(struct planning *p, const char *path)
{
    struct trespass way = {.p = p};

    if (strcmp(path, "/") == 0 || strcmp(path, "/etc") == 0)
        problems_add_format(p->problems,
                            "system_binds: \"%s\" is too much: name what is needed of it", path);
    else if (p->config->has_system_binds && walk_way(p, path, find_writable, &way))
        problems_add_format(
            p->problems,
            "system_binds: the way to \"%.200s\" leads through %s, which the tenant can write",
            path, way.across->where);
}

void plan_check(struct planning *p)
{
    for (size_t i = 0; i < p->plan->mount_count; i++) {
        const struct plan_mount *mount = &p->plan->mounts[i];

        check_mount(p, mount);
        if (mount->kind == PLAN_BIND)
            check_inside(p, mount);
    }
    check_tenants(p);
    for (size_t i = 0; i < p->plan->system_binds.count; i++)
        check_system_bind(p, p->plan->system_binds.items[i]);
}
