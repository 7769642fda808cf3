/* SPDX-License-Identifier: MIT */
#include "move.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "move_permit.h"

/* Everything owned; closed in one place. */
struct moving {
    const struct root *root;
    const struct sys *sys;
    const struct move_options *options;
    struct move_info *info;
    const struct path *from_path, *to_path;
    struct place from, to;
};

/* Of a failure about one of the two names. */
static croft_status blame(const struct moving *m, croft_status status, croft_error *err)
{
    return path_blame_last(m->info->at_target ? m->to_path : m->from_path, status, err);
}

/* ---- what may be moved where ------------------------------------------------------------------- */

static bool is_directory(const struct place *place)
{
    return place->fd >= 0 && S_ISDIR(place->node.mode);
}

/* Whether the directory that is moved is one of those that lead to its new name. */
static bool leads_into_itself(const struct moving *m)
{
    for (size_t i = 0; i < m->to.held_count; i++)
        if (node_same(&m->to.held[i].node, &m->from.node))
            return true;
    return false;
}

static croft_status refuse_target(struct moving *m, croft_error *err)
{
    m->info->at_target = true;
    m->info->old_size = m->to.node.size;
    return fail_detail(err, CROFT_ALREADY_EXISTS, type_word(m->to.node.mode),
                       "something is there already");
}

/* Something is at the target: whether it may give way. */
static croft_status check_old(struct moving *m, croft_error *err)
{
    bool gives_way = S_ISREG(m->to.node.mode) || S_ISLNK(m->to.node.mode);

    /* A rename onto another name of the same file does nothing, and says that it did. */
    if (node_same(&m->from.node, &m->to.node))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "same_file", "both names are one file");
    if (!m->options->replace || !gives_way || is_directory(&m->from))
        return refuse_target(m, err);
    if (S_ISREG(m->to.node.mode) && m->sys->writable(m->to.fd) != 0) { /* a rename would not ask */
        m->info->at_target = true;
        return fail_errno(err, errno, "it is not writable");
    }
    m->info->replaced = true;
    m->info->old_size = m->to.node.size;
    return CROFT_OK;
}

static croft_status check_places(struct moving *m, croft_error *err)
{
    if (is_directory(&m->from) && leads_into_itself(m))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "into_itself", "it would lie in itself");
    if (m->to.fd >= 0)
        return check_old(m, err);
    if (m->to.must_be_directory && !is_directory(&m->from)) {
        m->info->at_target = true;
        return fail_detail(err, CROFT_BAD_ARGUMENT, "slash", "the path ends in a slash");
    }
    return CROFT_OK;
}

/* Without rules the answer about the directory was one about all that lies in it. */
static bool needs_permit(const struct root *root)
{
    return root->permit != NULL && root->permit->call.policy != NULL;
}

static croft_status check_pair(struct moving *m, croft_error *err)
{
    croft_status status = check_places(m, err);

    if (status == CROFT_OK && is_directory(&m->from) && needs_permit(m->root))
        status = move_permit(&m->from, &m->to, m->from_path, m->options, err);
    return blame(m, status, err);
}

static croft_status find_both(struct moving *m, croft_error *err)
{
    croft_status status = entry_resolve(m->root, m->from_path, RESOLVE_NAME, &m->from, err);

    if (status != CROFT_OK)
        return status;
    m->info->mode = m->from.node.mode;
    m->info->size = m->from.node.size;
    status = entry_resolve(m->root, m->to_path, RESOLVE_NEW_NAME, &m->to, err);
    m->info->at_target = status != CROFT_OK;
    return status;
}

/* ---- the move ---------------------------------------------------------------------------------- */

/* Whether the file system is one of layers: there, a directory of a lower one cannot be renamed. */
static bool has_layers(const struct place *place)
{
    int64_t magic;

    return place->root->sys->fs_type(place->fd, &magic) == 0 && magic == OVERLAYFS_SUPER_MAGIC;
}

/* The two directories as they are known: a rename between them that is refused as one between file
 * systems although they are on the same one is refused by the wall, or by that file system. */
static croft_status fail_other(const struct moving *m, croft_error *err)
{
    const struct node *a = &place_parent(&m->from)->node, *b = &place_parent(&m->to)->node;
    croft_status status;

    if (a->dev != b->dev || a->mount != b->mount)
        status =
            fail_detail(err, CROFT_CROSSES_MOUNT, "systems", "they lie on different file systems");
    else if (is_directory(&m->from) && (node_same(a, b) || has_layers(&m->from)))
        status = fail_detail(err, CROFT_CROSSES_MOUNT, "whole",
                             "the file system cannot move that directory");
    else if (node_same(a, b))
        status = fail_io(err, EXDEV, "it cannot be moved");
    else
        status = fail_detail(err, CROFT_UNREADABLE, "wall",
                             "the kernel's wall allows no move between directories");
    if (err != NULL)
        err->sys_errno = EXDEV;
    return status;
}

/* One of the two names cannot be taken away from where it is. */
static croft_status fail_busy(struct moving *m, croft_error *err)
{
    m->info->at_target = m->info->replaced && target_is_mount(&m->to);
    return target_fail(m->info->at_target ? &m->to : &m->from, EBUSY, "it cannot be moved", err);
}

static croft_status fail_move(struct moving *m, int number, croft_error *err)
{
    switch (number) {
    case EXDEV: return fail_other(m, err);
    case EBUSY: return fail_busy(m, err);
    case EINVAL:
        return fail_detail(err, CROFT_BAD_ARGUMENT, "into_itself", "it would lie in itself");
    case EEXIST:
    case ENOTEMPTY:
        m->info->at_target = true;
        return fail(err, CROFT_CHANGED, number, "somebody else made it meanwhile");
    case ENOENT:
    case ENOTDIR:
    case EISDIR: return fail(err, CROFT_CHANGED, number, "it was replaced while it was moved");
    default: return fail_errno(err, number, "it cannot be moved");
    }
}

/* 0, or the errno. A file system without the flag is looked at right before. */
static int move_once(const struct moving *m)
{
    int from = place_parent(&m->from)->fd, to = place_parent(&m->to)->fd;
    unsigned flags = m->info->replaced ? 0 : RENAME_NOREPLACE;
    struct node there;

    if (m->sys->move(from, m->from.leaf, to, m->to.leaf, flags) == 0)
        return 0;
    if (flags == 0 || (errno != EINVAL && errno != ENOSYS))
        return errno;
    if (m->sys->node_at(to, m->to.leaf, &there) == 0)
        return EEXIST;
    if (errno != ENOENT || m->sys->move(from, m->from.leaf, to, m->to.leaf, 0) != 0)
        return errno;
    return 0;
}

/* Whether the new name leads to what was to be moved: the old one may have been given to another. */
static croft_status verify(const struct moving *m, croft_error *err)
{
    struct node named;

    if (m->sys->node_at(place_parent(&m->to)->fd, m->to.leaf, &named) != 0) {
        if (errno == ENOENT)
            return fail(err, CROFT_CHANGED, ENOENT, "somebody else removed it right after");
        m->info->not_confirmed = true;
        return CROFT_OK;
    }
    if (!node_same(&named, &m->from.node))
        return fail(err, CROFT_CHANGED, 0, "it was replaced while it was moved");
    return CROFT_OK;
}

static croft_status rename_entry(struct moving *m, croft_error *err)
{
    croft_status status = entry_check(&m->from, err);
    int number;

    if (status == CROFT_OK && m->info->replaced) {
        status = entry_check(&m->to, err);
        m->info->at_target = status != CROFT_OK;
    }
    if (status != CROFT_OK)
        return status;
    number = move_once(m);
    return number == 0 ? verify(m, err) : fail_move(m, number, err);
}

/* The text of a place whose name was there has it; of another it ends at the directory. */
static void note_target(struct moving *m)
{
    const struct place *to = &m->to;
    const char *tree = to->root->name;
    bool is_whole = to->fd >= 0;
    int size = snprintf(m->info->moved_to, sizeof m->info->moved_to, "%s%s%s%s%s", tree,
                        *tree == '\0' ? "" : "/", to->text,
                        is_whole || to->text_size == 0 ? "" : "/", is_whole ? "" : to->leaf);

    if (size < 0 || (size_t)size >= sizeof m->info->moved_to) /* deeper than a path can be sent */
        m->info->moved_to[0] = '\0';
}

static croft_status move_entry(struct moving *m, croft_error *err)
{
    croft_status status = target_make_directories(&m->to, &m->info->made, m->info->first_made, err);

    if (status != CROFT_OK) {
        m->info->at_target = true;
        return status;
    }
    status = blame(m, rename_entry(m, err), err);
    if (status == CROFT_OK)
        note_target(m);
    if (status == CROFT_OK && !m->root->no_fsync)
        m->info->not_confirmed |= !target_sync(&m->from, 0) || !target_sync(&m->to, m->info->made);
    return status;
}

croft_status move_name(const struct root *root, const struct path *from, const struct path *to,
                       const struct move_options *options, struct move_info *info, croft_error *err)
{
    struct moving m = {.root = root,
                       .sys = root->sys,
                       .options = options,
                       .info = info,
                       .from_path = from,
                       .to_path = to};
    croft_status status;

    memset(info, 0, sizeof *info);
    place_init(&m.from);
    place_init(&m.to);
    status = find_both(&m, err);
    if (status == CROFT_OK)
        status = check_pair(&m, err);
    if (status == CROFT_OK)
        status = target_settle(root, move_entry(&m, err), err);
    if (m.from.root != NULL)
        place_close(&m.from);
    if (m.to.root != NULL)
        place_close(&m.to);
    return status;
}
