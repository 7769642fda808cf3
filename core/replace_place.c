/* SPDX-License-Identifier: MIT */
/* The moment in which the name leads to the new file. */
#include "replace_parts.h"

#include <errno.h>
#include <stdio.h>

#include "target.h"

static croft_status fail_place(const struct replacing *r, int number, croft_error *err)
{
    return target_fail(&r->place, number, "it cannot be put in place", err);
}

/* ---- a new name -------------------------------------------------------------------------------- */

/* The name must be free still: somebody else's new file is not overwritten. */
static croft_status put_new(struct replacing *r, int dir, croft_error *err)
{
    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_NOREPLACE) == 0) {
        r->temp[0] = '\0';
        return CROFT_OK;
    }
    if (errno == EINVAL ||
        errno == ENOSYS) { /* a file system without the flag: a hard link is as strict */
        if (r->sys->link(dir, r->temp, r->place.leaf) == 0)
            return CROFT_OK;
    }
    if (errno == EEXIST)
        return fail(err, CROFT_CHANGED, EEXIST, "somebody else made it meanwhile");
    return fail_place(r, errno, err);
}

/* ---- whatever is there ------------------------------------------------------------------------- */

static croft_status rename_over(struct replacing *r, int dir, croft_error *err)
{
    if (r->sys->rename(dir, r->temp, r->place.leaf, 0) != 0)
        return fail_place(r, errno, err);
    r->temp[0] = '\0';
    return CROFT_OK;
}

/*
 * Without fsync: where a file is renamed over another, file systems begin to write it out at once, which costs
 * more than all the rest; where the two change places they do not. The old one then goes with the temporary name.
 */
static croft_status exchange_over(struct replacing *r, int dir, croft_error *err)
{
    struct node out;

    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE) != 0)
        return rename_over(r, dir,
                           err); /* a file system that cannot, or nothing is there any more */
    if (r->sys->node_at(dir, r->temp, &out) != 0 || !S_ISDIR(out.mode))
        return CROFT_OK;
    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE) != 0)
        r->temp[0] = '\0'; /* somebody's directory: a leftover is better than a loss */
    return fail_place(r, EISDIR, err);
}

/* ---- compare and swap -------------------------------------------------------------------------- */

/* The same file with the same content: the change time may differ by the rename itself. */
static bool is_same(const struct node *a, const struct node *b)
{
    return node_same(a, b) && a->size == b->size && a->mtime_ns == b->mtime_ns;
}

/* Whether a name holds what was read. */
static croft_status check_name(const struct replacing *r, int dir, const char *name,
                               struct node *node, croft_error *err)
{
    if (r->sys->node_at(dir, name, node) != 0)
        return errno == ENOENT ? fail(err, CROFT_CHANGED, ENOENT, "it was removed meanwhile")
                               : fail_errno(err, errno, "it cannot be looked at again");
    if (!is_same(node, &r->place.node))
        return fail(err, CROFT_CHANGED, 0, "it was changed while it was written");
    return CROFT_OK;
}

/*
 * Whoever else swaps this file waits here, in any process, and after it at the new one, until both
 * descriptors are closed. So no swap of croft's ever meets another half done: it either sees the old file
 * in its place or finds that it is not. Where there are no locks the swap's own check remains.
 */
static croft_status take_locks(const struct replacing *r, croft_error *err)
{
    if (r->old_fd >= 0 && r->sys->lock(r->old_fd) != 0 && errno == EWOULDBLOCK)
        return fail(err, CROFT_BUSY, EWOULDBLOCK, "somebody holds a lock on it");
    r->sys->lock(r->fd); /* nobody else has it open */
    return CROFT_OK;
}

/*
 * What came out, `out`, was not what was read, so it goes back, and ours comes out again. If instead a third
 * file does, or ours with another content, then that is newer than both, and has to go back in its turn.
 */
static void put_back(struct replacing *r, int dir, const struct node *out, const struct node *ours)
{
    enum { TRIES = 16 };
    struct node going = *out, last = *ours, came;

    for (int i = 0; i < TRIES; i++) {
        if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE) != 0) {
            if (errno == ENOENT &&
                r->sys->rename(dir, r->temp, r->place.leaf, RENAME_NOREPLACE) == 0)
                break;
            continue;
        }
        if (r->sys->node_at(dir, r->temp, &came) != 0)
            break;
        if (is_same(&came, &last))
            return; /* nobody's any more, to be removed */
        last = going;
        going = came;
    }
    r->temp[0] = '\0'; /* somebody's, as far as one knows: a leftover is better than a loss */
}

/* Compare and swap: the two names change places, then one looks at what came out. */
static croft_status swap_old(struct replacing *r, int dir, croft_error *err)
{
    struct node out = {0}, ours;
    croft_status status = take_locks(r, err);

    if (status == CROFT_OK && r->sys->node(r->fd, &ours) != 0)
        status = fail_io(err, errno, "the new file cannot be examined");
    if (status == CROFT_OK)
        status = check_name(r, dir, r->place.leaf, &out, err);
    if (status != CROFT_OK)
        return status;
    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE) != 0) {
        if (errno == EINVAL ||
            errno == ENOSYS) /* a file system that cannot: the look just taken must do */
            return rename_over(r, dir, err);
        return errno == ENOENT
                   ? fail(err, CROFT_CHANGED, ENOENT, "it was removed while it was written")
                   : fail_place(r, errno, err);
    }
    status = check_name(r, dir, r->temp, &out, err);
    if (status != CROFT_OK)
        put_back(r, dir, &out, &ours);
    return status; /* the old file now has the temporary name, and goes with it */
}

/* ---- all three --------------------------------------------------------------------------------- */

/* Whether the name now leads to what was written; somebody may have replaced it right after. */
static croft_status verify(const struct replacing *r, int dir, croft_error *err)
{
    struct node named, written;
    bool gone = false;

    if (r->sys->node_at(dir, r->place.leaf, &named) != 0) {
        gone = errno == ENOENT;
        r->info->not_confirmed = !gone;
    } else if (r->sys->node(r->fd, &written) != 0) {
        r->info->not_confirmed = true;
    }
    if (!r->info->not_confirmed && (gone || !node_same(&named, &written)))
        return fail(err, CROFT_CHANGED, 0, "somebody else replaced it right after");
    return CROFT_OK;
}

croft_status put_in_place(struct replacing *r, croft_error *err)
{
    int dir = place_parent(&r->place)->fd;
    bool compare = r->options->expect != NULL || r->options->mode == REPLACE_APPEND;
    croft_status status;

    if (r->place.fd >= 0 && compare)
        return swap_old(r, dir, err); /* what came out has said all */
    if (r->place.fd < 0)
        status = put_new(r, dir, err);
    else
        status = r->root->no_fsync ? exchange_over(r, dir, err) : rename_over(r, dir, err);
    return status == CROFT_OK ? verify(r, dir, err) : status;
}
