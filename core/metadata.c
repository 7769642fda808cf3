/* SPDX-License-Identifier: MIT */
#include "metadata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ACL "system.posix_acl_access"
#define USER "user."

enum { ATTRIBUTE_BYTES = 64 * 1024 }; /* the kernel's own ceiling for names and for one value */

/* Owner first: changing it clears set-id bits, and a mode set before could be read by the wrong group. */
static croft_status copy_owner(const struct sys *sys, const struct node *old, int fd, mode_t *mode,
                               croft_error *err)
{
    struct node new;

    if (sys->node(fd, &new) != 0)
        return fail(err, CROFT_IO, errno, "the new file cannot be examined");
    if (new.uid == old->uid && new.gid == old->gid)
        return CROFT_OK;
    if (sys->fchown(fd, old->uid, old->gid) == 0)
        return CROFT_OK;
    if (new.uid != old->uid)
        return fail(err, CROFT_OWNER, errno, "it belongs to another user");
    /* the group cannot be kept: another group must not get more than everybody has */
    *mode &= ~(mode_t)070 | (*mode & 07) << 3;
    return CROFT_OK;
}

static void copy_attribute(const struct sys *sys, int from, int to, const char *name, char *value)
{
    ssize_t size = sys->getxattr(from, name, value, ATTRIBUTE_BYTES);

    if (size >= 0)
        sys->setxattr(to, name, value, (size_t)size); /* best effort: the file system may have none */
}

static void copy_attributes(const struct sys *sys, int from, int to)
{
    char *names = malloc(2 * ATTRIBUTE_BYTES);
    ssize_t size = names == NULL ? -1 : sys->listxattr(from, names, ATTRIBUTE_BYTES);
    const char *name = names;

    while (size > 0 && name < names + size) {
        if (strcmp(name, ACL) == 0 || strncmp(name, USER, sizeof USER - 1) == 0)
            copy_attribute(sys, from, to, name, names + ATTRIBUTE_BYTES);
        name += strlen(name) + 1;
    }
    free(names);
}

croft_status metadata_copy(const struct sys *sys, int old_fd, const struct node *old, int fd,
                           croft_error *err)
{
    mode_t mode = old->mode & 0777;
    croft_status status = copy_owner(sys, old, fd, &mode, err);

    if (status != CROFT_OK)
        return status;
    sys->removexattr(fd, ACL); /* the one that the directory's default gave it, if any */
    if (sys->fchmod(fd, mode) != 0)
        return fail(err, CROFT_IO, errno, "the mode cannot be kept");
    if (old_fd >= 0)
        copy_attributes(sys, old_fd, fd);
    return CROFT_OK;
}
