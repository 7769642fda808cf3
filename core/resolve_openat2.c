/* SPDX-License-Identifier: MIT */
#include "resolve_openat2.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>

/* EAGAIN comes when something was renamed while a link's ".." was resolved; after so many tries the
 * walk takes over. */
enum { TRIES = 32 };

int open_openat2(const struct root *root, const struct path *path, int flags)
{
    const char *text = path->count == 0 ? "." : path->text;
    uint64_t how = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    int fd = -1;

    if (root->one_file_system)
        how |= RESOLVE_NO_XDEV;
    if (root->hidden != NULL) /* what the path says is then where it leads */
        how |= RESOLVE_NO_SYMLINKS;
    for (int i = 0; i < TRIES; i++) {
        fd = root->sys->openat2(root->fd, text, flags, how);
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

bool resolve_openat2(const struct root *root, const struct path *path, struct place *place)
{
    int fd;

    if (path->count >= WALK_HELD) /* the walk's own bound holds for both */
        return false;
    if (root->hidden != NULL && !hidden_is_clear(root->hidden, path))
        return false;
    fd = open_openat2(root, path, O_PATH);
    if (fd < 0)
        return false;
    place_init(place);
    place->root = root;
    place->fd = fd;
    place->must_be_directory = path->must_be_directory;
    if (root->sys->node(fd, &place->node) == 0 &&
        (S_ISDIR(place->node.mode) || !path->must_be_directory) &&
        (path->count > 0 || place->node.links > 0))
        return true;
    place_close(place);
    return false;
}
