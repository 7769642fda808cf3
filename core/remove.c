/* SPDX-License-Identifier: MIT */
#include "remove.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* What the kernel answers for a name that has become something else than what was found. */
static bool is_other_type(int number, bool is_directory)
{
    return number == ENOENT || number == (is_directory ? ENOTDIR : EISDIR);
}

static croft_status fail_unlink(const struct place *place, int number, croft_error *err)
{
    bool is_directory = S_ISDIR(place->node.mode);

    if (is_other_type(number, is_directory))
        return fail(err, CROFT_CHANGED, number, "it was replaced while it was removed");
    if (is_directory && (number == ENOTEMPTY || number == EEXIST))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "not_empty", "the directory is not empty");
    return target_fail(place, number, "it cannot be removed", err);
}

static croft_status unlink_entry(const struct place *place, struct remove_info *info,
                                 croft_error *err)
{
    const struct sys *sys = place->root->sys;
    bool is_directory = S_ISDIR(place->node.mode);
    croft_status status;

    if (S_ISREG(place->node.mode) && sys->writable(place->fd) != 0) /* an unlink would not ask */
        return fail_errno(err, errno, "it is not writable");
    status = entry_check(place, err);
    if (status != CROFT_OK)
        return status;
    if (sys->unlink(place_parent(place)->fd, place->leaf, is_directory ? AT_REMOVEDIR : 0) != 0)
        return fail_unlink(place, errno, err);
    info->not_confirmed = !place->root->no_fsync && !target_sync(place, 0);
    return CROFT_OK;
}

croft_status remove_name(const struct root *root, const struct path *path, struct remove_info *info,
                         croft_error *err)
{
    struct place place;
    croft_status status = entry_resolve(root, path, RESOLVE_NAME, &place, err);

    memset(info, 0, sizeof *info);
    if (status != CROFT_OK)
        return status;
    info->mode = place.node.mode;
    info->size = place.node.size;
    info->links = place.node.links;
    status = path_blame_last(path, unlink_entry(&place, info, err), err);
    place_close(&place);
    return target_settle(root, status, err);
}
