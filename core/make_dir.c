/* SPDX-License-Identifier: MIT */
#include "make_dir.h"

#include <errno.h>
#include <string.h>

/* The leaf too is a directory to be made. */
static croft_status take_leaf(struct place *place, croft_error *err)
{
    bytes_add(&place->missing, place->leaf, strlen(place->leaf) + 1);
    if (place->missing.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    place->missing_at[place->missing_count++] = place->leaf_at;
    return CROFT_OK;
}

static croft_status make_all(struct place *place, const struct path *path,
                             struct make_dir_info *info, croft_error *err)
{
    croft_status status = path_blame_last(path, target_check_place(place, err), err);

    if (status == CROFT_OK && place->fd >= 0) {
        if (S_ISDIR(place->node.mode))
            return CROFT_OK;
        status = fail_detail(err, CROFT_ALREADY_EXISTS, type_word(place->node.mode),
                             "something else is there");
        return path_blame_last(path, status, err);
    }
    if (status == CROFT_OK)
        status = take_leaf(place, err);
    if (status == CROFT_OK)
        status = target_make_directories(place, &info->made, info->first_made, err);
    if (status == CROFT_OK && !place->root->no_fsync)
        info->not_confirmed = !target_sync(place, info->made);
    return status;
}

croft_status make_dir(const struct root *root, const struct path *path, struct make_dir_info *info,
                      croft_error *err)
{
    struct place place;
    croft_status status = target_check_spelled(root, path, err);

    memset(info, 0, sizeof *info);
    if (status == CROFT_OK)
        status = resolve(root, path, RESOLVE_TARGET, &place, err);
    if (status != CROFT_OK)
        return status;
    status = make_all(&place, path, info, err);
    place_close(&place);
    return target_settle(root, status, err);
}
