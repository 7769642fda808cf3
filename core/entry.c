/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include <errno.h>
#include <string.h>

#include "pins.h"
#include "pins_now.h"

/* The read-only name that is reached through the directory `node`, or was when the root was opened. */
static croft_status find_way(const struct root *root, const struct node *node, bool is_link,
                             const char **name, croft_error *err)
{
    *name = NULL;
    if (!is_link || pins_have_links(root))
        *name = pins_carried(root, node, is_link);
    return *name != NULL ? CROFT_OK : pins_lead_below(root, node, name, err);
}

/* The same of a link, which is one of those that the name may lead through. */
static croft_status find_way_by_link(const struct root *root, const struct path *path,
                                     const char **name, croft_error *err)
{
    struct place target;
    croft_status status;

    if (root->name_count == 0)
        return CROFT_OK;
    status = resolve_unjudged(root, path, RESOLVE_STACK, &target, err);
    if (status != CROFT_OK)
        return pins_lead_nowhere(status) ? CROFT_OK : status;
    status = find_way(root, &target.node, true, name, err);
    place_close(&target);
    return status;
}

/* What leads to names that are hidden cannot be given another name, by which they could be seen. */
static croft_status check_hidden(const struct place *place, croft_error *err)
{
    if (place->hidden == NULL || (place->fd < 0 && !place_leads_to_mount(place)))
        return CROFT_OK;
    return fail_detail(err, CROFT_READ_ONLY, place->leaf, "it is held in its place by the view");
}

/* A tree that a read-only name leads to through links goes with any directory above it, and is lost to
 * the name with any link on the way. */
static croft_status check_carried(const struct place *place, const struct path *path,
                                  croft_error *err)
{
    const char *name = NULL;
    croft_status status = CROFT_OK;

    if (place->fd < 0)
        status = pins_lead_below_new(place, &name, err);
    else if (S_ISDIR(place->node.mode))
        status = find_way(place->root, &place->node, false, &name, err);
    else if (S_ISLNK(place->node.mode))
        status = find_way_by_link(place->root, path, &name, err);
    return name == NULL ? status : pins_refuse(name, PROTECTED_WAY, err);
}

croft_status entry_resolve(const struct root *root, const struct path *path, enum resolve_how how,
                           struct place *place, croft_error *err)
{
    croft_status status = target_check_spelled(root, path, err);

    if (status != CROFT_OK)
        return status;
    if (path->count == 0 && root->name[0] != '\0')
        return fail_detail(err, CROFT_READ_ONLY, root->name, "it is a tree of its own");
    if (path->count == 0)
        return fail_detail(err, CROFT_BAD_ARGUMENT, "root", "it is the root itself");
    status = resolve(root, path, how, place, err);
    if (status != CROFT_OK)
        return status;
    status = target_check_place(place, err);
    if (status == CROFT_OK)
        status = check_hidden(place, err);
    if (status == CROFT_OK)
        status = check_carried(place, path, err);
    if (status != CROFT_OK)
        place_close(place);
    return path_blame_last(path, status, err);
}

croft_status entry_check(const struct place *place, croft_error *err)
{
    struct node now;

    if (place->root->sys->node_at(place_parent(place)->fd, place->leaf, &now) != 0)
        return errno == ENOENT ? fail(err, CROFT_CHANGED, ENOENT, "it was removed meanwhile")
                               : fail_errno(err, errno, "it cannot be looked at again");
    if (!node_same(&now, &place->node))
        return fail(err, CROFT_CHANGED, 0, "it was replaced meanwhile");
    return CROFT_OK;
}
