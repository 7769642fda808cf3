/* SPDX-License-Identifier: MIT */
#include "pins_now.h"

#include <errno.h>
#include <string.h>

#include "resolve_walk.h"

/* ---- where one name leads ---------------------------------------------------------------------- */

bool pins_lead_nowhere(croft_status status)
{
    return status == CROFT_MISSING || status == CROFT_OUTSIDE || status == CROFT_LOOP ||
           status == CROFT_NOT_A_DIRECTORY || status == CROFT_CROSSES_MOUNT ||
           status == CROFT_BAD_ARGUMENT || status == CROFT_UNREADABLE;
}

/* *leads: `target` is where the link `name` leads, and is to be closed. What is no link is protected by its name
 * alone, and by what is held. */
static croft_status follow(const struct root *root, const char *name, struct place *target,
                           bool *leads, croft_error *err)
{
    struct path path;
    struct node node;
    croft_status status;

    *leads = false;
    if (root->sys->node_at(root->fd, name, &node) != 0)
        return status_of_errno(errno) == CROFT_MISSING
                   ? CROFT_OK
                   : fail_io(err, errno, "a read-only name cannot be looked at");
    if (!S_ISLNK(node.mode))
        return CROFT_OK;
    status = path_parse(name, strlen(name), &path, err);
    if (status == CROFT_OK)
        status = resolve_walk(root, &path, RESOLVE_TARGET, target, err);
    *leads = status == CROFT_OK;
    return pins_lead_nowhere(status) ? CROFT_OK : status;
}

typedef bool lead_test(const struct place *target, const void *what);

/* The first name that leads to something that fits. */
static croft_status find(const struct root *root, lead_test *fits, const void *what,
                         const char **name, croft_error *err)
{
    struct place target;
    bool leads;

    *name = NULL;
    for (size_t i = 0; i < root->name_count && *name == NULL; i++) {
        croft_status status = follow(root, root->names[i].name, &target, &leads, err);

        if (status != CROFT_OK)
            return status;
        if (!leads)
            continue;
        if (fits(&target, what))
            *name = root->names[i].name;
        place_close(&target);
    }
    return CROFT_OK;
}

/* ---- what fits --------------------------------------------------------------------------------- */

/* Whether `node` is one of the directories in which a place lies. */
static bool is_held(const struct place *place, const struct node *node)
{
    for (size_t i = 0; i < place->held_count; i++)
        if (node_same(&place->held[i].node, node))
            return true;
    return false;
}

/* Whether the path of `inner` is that of `outer`, or goes on from it. Both have no links in them. */
static bool goes_on(const struct place *outer, const struct place *inner, bool is_or_below)
{
    char a[2 * sizeof outer->text], b[2 * sizeof inner->text];
    size_t size = place_path(outer, a, sizeof a), longer = place_path(inner, b, sizeof b);

    if (size >= sizeof a || longer >= sizeof b || longer < size || memcmp(a, b, size) != 0)
        return false;
    return b[size] == '/' || (is_or_below && b[size] == '\0');
}

static bool leads_to(const struct place *target, const void *what)
{
    const struct place *place = what;

    if (target->fd < 0 || !S_ISDIR(target->node.mode))
        return goes_on(target, place, true);
    return is_held(place, &target->node) ||
           (place->fd >= 0 && node_same(&place->node, &target->node));
}

static bool leads_below(const struct place *target, const void *what)
{
    const struct node *node = what;

    return target->fd >= 0 && (node_same(&target->node, node) || is_held(target, node));
}

static bool leads_below_new(const struct place *target, const void *what)
{
    return target->fd < 0 && goes_on(what, target, false);
}

croft_status pins_lead_to(const struct place *place, const char **name, croft_error *err)
{
    return find(place->root, leads_to, place, name, err);
}

croft_status pins_lead_below(const struct root *root, const struct node *node, const char **name,
                             croft_error *err)
{
    return find(root, leads_below, node, name, err);
}

croft_status pins_lead_below_new(const struct place *place, const char **name, croft_error *err)
{
    return find(place->root, leads_below_new, place, name, err);
}
