/* SPDX-License-Identifier: MIT */
#include "metadata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ACL "system.posix_acl_access"
#define USER "user."

enum { ATTRIBUTE_BYTES = 64 * 1024 }; /* the kernel's own ceiling for names and for one value */

/* The mode in which the group may do no more than everybody may. */
static mode_t without_group(mode_t mode)
{
    return mode & (~(mode_t)070 | (mode & 07) << 3);
}

/* Owner first: changing it clears set-id bits, and a mode set before could be read by the wrong group. */
static croft_status copy_owner(const struct sys *sys, const struct node *old, int fd, mode_t *mode,
                               croft_error *err)
{
    struct node new;

    if (sys->node(fd, &new) != 0)
        return fail_io(err, errno, "the new file cannot be examined");
    if (new.uid == old->uid &&new.gid == old->gid)
        return CROFT_OK;
    if (sys->fchown(fd, old->uid, old->gid) == 0)
        return CROFT_OK;
    if (new.uid != old->uid)
        return fail(err, CROFT_OWNER, errno, "it belongs to another user");
    /* the group cannot be kept: another must not get its rights */
    *mode = without_group(*mode);
    return CROFT_OK;
}

/* Best effort: the file system may have none. False when it is the ACL that is lost. */
static bool copy_attribute(const struct sys *sys, int from, int to, const char *name, char *value)
{
    ssize_t size = sys->getxattr(from, name, value, ATTRIBUTE_BYTES);
    bool good = size >= 0 && sys->setxattr(to, name, value, (size_t)size) == 0;

    return good || strcmp(name, ACL) != 0;
}

static bool copy_attributes(const struct sys *sys, int from, int to)
{
    bool none = sys->listxattr(from, NULL, 0) == 0; /* of most files */
    char *names = none ? NULL : malloc(2 * ATTRIBUTE_BYTES);
    ssize_t size = names == NULL ? -1 : sys->listxattr(from, names, ATTRIBUTE_BYTES);
    bool good = none || size >= 0 || (names != NULL && errno == ENOTSUP);
    const char *name = names;

    while (size > 0 && name < names + size) {
        if (strcmp(name, ACL) == 0 || strncmp(name, USER, sizeof USER - 1) == 0)
            good &= copy_attribute(sys, from, to, name, names + ATTRIBUTE_BYTES);
        name += strlen(name) + 1;
    }
    free(names);
    return good;
}

/* Takes away the ACL that the directory's default gave the new file, if any. */
static bool drop_acl(const struct sys *sys, int fd)
{
    return sys->removexattr(fd, ACL) == 0 || errno == ENODATA || errno == ENOTSUP;
}

/* The group bits of a file with an ACL bound what the ACL gives. Without that ACL (or with another one)
 * they would give it to the group, so they are cut to what everybody has. */
croft_status metadata_copy(const struct sys *sys, int old_fd, const struct node *old, int fd,
                           croft_error *err)
{
    mode_t mode = old->mode & 0777;
    croft_status status = copy_owner(sys, old, fd, &mode, err);
    bool exact;

    if (status != CROFT_OK)
        return status;
    exact = drop_acl(sys, fd);
    exact = old_fd >= 0 && copy_attributes(sys, old_fd, fd) && exact;
    if (!exact)
        mode = without_group(mode);
    if (sys->fchmod(fd, mode) != 0) /* last: until now it was nobody else's */
        return fail_io(err, errno, "the mode cannot be kept");
    return CROFT_OK;
}
