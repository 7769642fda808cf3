/* SPDX-License-Identifier: MIT */
#include "wall.h"

#include <errno.h>
#include <string.h>

/* Rights to files by their bits in the kernel; the headers of Debian 12 end at the fourteenth. */
enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SYM = 1 << 12,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14
};

/* What a read-only view needs, and what the others need besides: for write and edit, which replace files; and
 * for tools that remove and move. Nobody makes links, but a rename wants the right to make what it moves; that
 * of FIFOs, sockets and devices is left out, and with it their moves. Nobody truncates either, but who may
 * write can empty a file anyway, and where that right is not found the kernel looks for it at each open, in
 * vain, all the way up to "/": 0.1 to 0.15 us of 1. */
enum {
    READING = READ_FILE | READ_DIR,
    REPLACING = WRITE_FILE | TRUNCATE | MAKE_REG | MAKE_DIR | REMOVE_FILE,
    MOVING = REMOVE_DIR | MAKE_SYM | REFER,
    WRITING = REPLACING | MOVING
};

/* Which classes each version of Landlock knows. What is handled and not allowed is refused. */
struct knowledge {
    int version; /* from it on */
    struct landlock_classes classes;
    size_t size; /* of the classes that it knows */
};

static const struct knowledge known[] = {
    {6, {0xFFFF, 3, 3}, 24}, /* scopes: abstract sockets and signals */
    {5, {0xFFFF, 3, 0}, 16}, /* ioctl of devices */
    {4, {0x7FFF, 3, 0}, 16}, /* TCP: bind and connect */
    {3, {0x7FFF, 0, 0}, 8},  /* truncate */
    {2, {0x3FFF, 0, 0}, 8},  /* moves between directories, which version 1 refuses always */
    {1, {0x1FFF, 0, 0}, 8},
};

static const struct knowledge *find_known(int version)
{
    const struct knowledge *found = known;

    while (found->version > version)
        found++;
    return found;
}

static croft_status refuse(int number, croft_error *err)
{
    if (number == ENOSYS)
        return fail(err, CROFT_DENIED, number, "the kernel has none");
    if (number == EOPNOTSUPP)
        return fail(err, CROFT_DENIED, number, "it is switched off in the kernel");
    return fail_format(err, CROFT_DENIED, number, "the kernel refuses it (errno %d)", number);
}

static croft_status allow(int ruleset, const struct root *root, const struct knowledge *knowledge,
                          croft_error *err)
{
    uint64_t rights = root->read_only ? READING : READING | WRITING;

    rights &= knowledge->classes.files;
    if (root->sys->landlock_allow(ruleset, root->fd, rights) != 0)
        return refuse(errno, err);
    return CROFT_OK;
}

/* Each by its own mode. */
static croft_status allow_mounts(int ruleset, struct mounts *mounts,
                                 const struct knowledge *knowledge, croft_error *err)
{
    croft_status status = CROFT_OK;

    for (size_t i = 0; mounts != NULL && i < mounts->count && status == CROFT_OK; i++) {
        struct mount *mount = mounts->items[i];
        const struct root *root;

        if (mount->name == NULL) /* no tool gets there */
            continue;
        status = mount_hold(mount, &root, err);
        if (status != CROFT_OK)
            return fail(err, CROFT_DENIED, 0, "a mount is not there any more");
        status = allow(ruleset, root, knowledge, err);
        mount_release(mount);
    }
    return status;
}

/* What is read besides the view. */
static croft_status allow_reading(int ruleset, struct root *const *readable, size_t count,
                                  croft_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (readable[i]->sys->landlock_allow(ruleset, readable[i]->fd, READING) != 0)
            return refuse(errno, err);
    return CROFT_OK;
}

static croft_status restrict_thread(const struct root *root, struct mounts *mounts,
                                    struct root *const *readable, size_t count,
                                    const struct knowledge *knowledge, croft_error *err)
{
    const struct sys *sys = root->sys;
    int ruleset = sys->landlock_create(&knowledge->classes, knowledge->size);
    croft_status status;

    if (ruleset < 0)
        return refuse(errno, err);
    status = allow(ruleset, root, knowledge, err);
    if (status == CROFT_OK)
        status = allow_mounts(ruleset, mounts, knowledge, err);
    if (status == CROFT_OK)
        status = allow_reading(ruleset, readable, count, err);
    if (status == CROFT_OK && sys->landlock_restrict(ruleset) != 0)
        status = refuse(errno, err);
    sys->close(ruleset);
    return status;
}

croft_status wall_raise(const struct root *root, struct mounts *mounts,
                        struct root *const *readable, size_t count, croft_wall *wall,
                        croft_error *err)
{
    const struct knowledge *knowledge;
    croft_status status;
    int version;

    memset(wall, 0, sizeof *wall);
    if (root->sys->no_new_privileges() != 0)
        return refuse(errno, err);
    wall->no_new_privileges = true;
    version = root->sys->landlock_version();
    if (version < 1)
        return refuse(version < 0 ? errno : ENOSYS, err);
    knowledge = find_known(version);
    status = restrict_thread(root, mounts, readable, count, knowledge, err);
    if (status != CROFT_OK)
        return status;
    wall->landlock = version;
    wall->network = knowledge->classes.ports != 0;
    wall->scopes = knowledge->classes.scopes != 0;
    return CROFT_OK;
}
