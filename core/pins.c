/* SPDX-License-Identifier: MIT */
#include "pins.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "pins_now.h"
#include "resolve.h"

/* A name that leads to no directory is protected as a name alone. One of which that cannot be told now may
 * lead to one later: the root is not opened then. */
static croft_status hold(const struct root *root, struct read_only_name *pin, croft_error *err)
{
    struct path path;
    struct place place;
    croft_status status = path_parse(pin->name, strlen(pin->name), &path, err);

    if (status != CROFT_OK || path.count != 1 || strcmp(path.text, pin->name) != 0)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                           "the read-only name \"%.64s\" is not one name at the top", pin->name);
    place_init(&place);
    status = resolve(root, &path, RESOLVE_STACK, &place, err);
    if (status == CROFT_OK && S_ISDIR(place.node.mode)) {
        pin->fd = root->sys->dup(place.fd);
        pin->node = place.node;
        pin->by_link = place.by_link;
        if (pin->fd < 0)
            status = fail_io(err, errno, "a read-only tree cannot be held");
    }
    place_close(&place);
    return pins_lead_nowhere(status) && status != CROFT_UNREADABLE ? CROFT_OK : status;
}

croft_status pins_hold(struct root *root, const croft_view_options *options, croft_error *err)
{
    croft_status status = CROFT_OK;

    if (root->names == NULL && options->read_only_count > 0)
        root->names = calloc(READ_ONLY_NAMES, sizeof *root->names);
    if (root->names == NULL && options->read_only_count > 0)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (options->read_only_count + root->name_count > READ_ONLY_NAMES)
        return fail(err, CROFT_TOO_MANY, 0, "there are more than 64 read-only names");
    for (size_t i = 0; i < options->read_only_count && status == CROFT_OK; i++) {
        struct read_only_name *pin = &root->names[root->name_count];

        pin->fd = -1;
        pin->name = strdup(options->read_only_names[i]);
        if (pin->name == NULL)
            return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
        root->name_count++;
        status = hold(root, pin, err);
    }
    return status;
}

/* ---- what lies in them --------------------------------------------------------------------------- */

croft_status pins_protect(const struct place *place, const char **name, enum protected_by *by,
                          croft_error *err)
{
    const char *held = place_read_only(place);
    croft_status status = CROFT_OK;

    *name = held;
    *by = PROTECTED_BY_LINK;
    if (held != NULL && place->by_link)
        return CROFT_OK;
    status = pins_lead_to(place, name, err);
    if (*name != NULL && !place->by_link)
        *by = PROTECTED_NOW;
    if (*name != NULL || held == NULL)
        return status;
    *name = held;
    *by = PROTECTED_AT_START;
    return CROFT_OK;
}

croft_status pins_refuse(const char *name, enum protected_by by, croft_error *err)
{
    static const char *const reasons[] = {
        [PROTECTED_BY_SPELLING] = "it lies in a read-only tree",
        [PROTECTED_BY_LINK] = "it leads into a read-only tree",
        [PROTECTED_NOW] = "a read-only name leads there",
        [PROTECTED_AT_START] = "a read-only name led there when the root was opened",
        [PROTECTED_WAY] = "a read-only tree is reached through it",
    };

    fail_detail(err, CROFT_READ_ONLY, name, reasons[by]);
    if (err != NULL)
        err->at = by;
    return CROFT_READ_ONLY;
}

/* ---- what lies above them ---------------------------------------------------------------------- */

bool pins_have_links(const struct root *root)
{
    for (size_t i = 0; i < root->name_count; i++)
        if (root->names[i].fd >= 0 && root->names[i].by_link)
            return true;
    return false;
}

/* Opens the parent of `fd`, which is closed; -1 at the root, and where there is none to be had. */
static int climb(const struct root *root, int fd, struct node *node)
{
    int parent = -1;

    if (!node_same(node, &root->node))
        parent = root->sys->openat(fd, "..", O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    root->sys->close(fd);
    if (parent >= 0 && root->sys->node(parent, node) == 0)
        return parent;
    if (parent >= 0)
        root->sys->close(parent);
    return -1;
}

/* Whether the directory `above` holds the tree, below the root. */
static bool lies_in(const struct root *root, const struct read_only_name *pin,
                    const struct node *above)
{
    struct node node = pin->node;
    int fd = root->sys->dup(pin->fd);
    bool found = false;

    for (int depth = 0; fd >= 0 && depth < WALK_STEPS && !found; depth++) {
        fd = climb(root, fd, &node);
        found = fd >= 0 && node_same(&node, above);
    }
    if (fd >= 0)
        root->sys->close(fd);
    return found;
}

const char *pins_carried(const struct root *root, const struct node *node, bool through_links)
{
    for (size_t i = 0; i < root->name_count; i++) {
        const struct read_only_name *pin = &root->names[i];

        if (pin->fd < 0 || (through_links && !pin->by_link))
            continue;
        if ((through_links && node_same(&pin->node, node)) || lies_in(root, pin, node))
            return pin->name;
    }
    return NULL;
}
