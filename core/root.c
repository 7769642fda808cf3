/* SPDX-License-Identifier: MIT */
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>

#ifndef AUTOFS_SUPER_MAGIC
#define AUTOFS_SUPER_MAGIC 0x0187
#endif

/* File systems whose files are not files: reading one acts, or leads elsewhere. */
static bool is_pseudo(int64_t magic)
{
    static const int64_t refused[] = {
        PROC_SUPER_MAGIC,   SYSFS_MAGIC,   CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
        DEVPTS_SUPER_MAGIC, DEBUGFS_MAGIC, SECURITYFS_MAGIC,   TRACEFS_MAGIC,
        AUTOFS_SUPER_MAGIC, BPF_FS_MAGIC,  NSFS_MAGIC,         SELINUX_MAGIC,
    };

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i] == magic)
            return true;
    return false;
}

static croft_status check_file_system(struct root *root, croft_error *err)
{
    int64_t magic;

    if (root->sys->node(root->fd, &root->node) != 0 || root->sys->fs_type(root->fd, &magic) != 0)
        return fail_io(err, errno, "the root cannot be examined");
    if (is_pseudo(magic))
        return fail(err, CROFT_NOT_REGULAR, 0,
                    "the root lies on a file system of the kernel's own");
    if (root->one_file_system && root->node.mount == 0)
        return fail(err, CROFT_CROSSES_MOUNT, 0,
                    "this kernel does not tell mounts apart, so one file system cannot be kept to");
    return CROFT_OK;
}

static croft_status check_readable(const struct root *root, croft_error *err)
{
    int fd = root->sys->openat(root->fd, ".", O_RDONLY | O_DIRECTORY, 0);

    if (fd < 0)
        return fail_errno(err, errno, "the root is not readable");
    root->sys->close(fd);
    return CROFT_OK;
}

/* Asked for each root: a file system or a filter may refuse here what it allows there. */
static bool probe_openat2(const struct root *root)
{
    int fd = root->sys->openat2(root->fd, ".", O_PATH,
                                RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV |
                                    RESOLVE_NO_SYMLINKS);

    if (fd < 0)
        return false;
    root->sys->close(fd);
    return true;
}

static bool wants_walk(const croft_view_options *options)
{
    const char *chosen =
        getenv("CROFT_RESOLVER"); /* read while the view opens, before any thread of ours */

    return options->resolver == CROFT_RESOLVER_WALK ||
           (chosen != NULL && strcmp(chosen, "walk") == 0);
}

static croft_status open_checked(struct root *root, const char *path,
                                 const croft_view_options *options, croft_error *err)
{
    croft_status status;

    root->fd = root->sys->open_root(path);
    if (root->fd < 0)
        return fail_errno(err, errno,
                          errno == ENOENT    ? "the root does not exist"
                          : errno == ENOTDIR ? "the root is not a directory"
                                             : "the root cannot be opened");
    status = check_file_system(root, err);
    if (status == CROFT_OK)
        status = check_readable(root, err);
    if (status == CROFT_OK)
        root->use_openat2 = !wants_walk(options) && probe_openat2(root);
    return status;
}

croft_status root_open(const char *path, const croft_view_options *options, const struct sys *sys,
                       struct root **out, croft_error *err)
{
    struct root *root = calloc(1, sizeof *root);
    croft_status status;

    if (root == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    root->sys = sys;
    root->fd = -1;
    root->name = "";
    root->one_file_system = options->one_file_system;
    root->read_only = options->read_only;
    root->no_fsync = options->no_fsync;
    status = open_checked(root, path, options, err);
    if (status != CROFT_OK) {
        root_close(root);
        return status;
    }
    *out = root;
    return CROFT_OK;
}

void root_close(struct root *root)
{
    if (root == NULL)
        return;
    for (size_t i = 0; i < root->name_count; i++) {
        free(root->names[i].name);
        if (root->names[i].fd >= 0)
            root->sys->close(root->names[i].fd);
    }
    free(root->names);
    if (root->fd >= 0)
        root->sys->close(root->fd);
    free(root);
}

const char *root_protects(const struct root *root, const char *name, size_t size)
{
    for (size_t i = 0; i < root->name_count; i++)
        if (name_stands_for(name, size, root->names[i].name))
            return root->names[i].name;
    return NULL;
}

const char *root_pins(const struct root *root, const struct node *node)
{
    for (size_t i = 0; i < root->name_count; i++)
        if (root->names[i].fd >= 0 && node_same(&root->names[i].node, node))
            return root->names[i].name;
    return NULL;
}

bool root_is_gone(const struct root *root)
{
    struct node node;

    if (root->sys->node(root->fd, &node) != 0)
        return errno == ENOENT || errno == ESTALE; /* or it cannot be told */
    return node.links == 0;
}

bool root_allows_mount(const struct root *root, const struct node *node)
{
    return !root->one_file_system || node->mount == root->node.mount;
}
