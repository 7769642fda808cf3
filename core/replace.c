/* SPDX-License-Identifier: MIT */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "lines.h"
#include "metadata.h"
#include "replace_parts.h"
#include "sweep.h"
#include "target.h"

/* ---- the old file ------------------------------------------------------------------------------ */

static uint64_t count_lines(const char *data, size_t size, bool *all_crlf)
{
    uint64_t lines = lines_count(data, size);

    *all_crlf = lines > 0 && lines_count_crlf(data, size, '\0') == lines;
    return size > 0 && data[size - 1] != '\n' ? lines + 1 : lines;
}

static croft_status fail_changed(croft_error *err)
{
    return fail(err, CROFT_CHANGED, 0, "it was changed since it was read");
}

static croft_status check_allowed(struct replacing *r, croft_error *err)
{
    const struct node *old = &r->place.node;

    r->info->old_size = old->size;
    r->info->links = old->links;
    if (r->options->mode == REPLACE_CREATE)
        return fail(err, CROFT_ALREADY_EXISTS, 0, "it exists already");
    if (r->options->expect != NULL && !node_unchanged(old, &r->options->expect->node))
        return fail_changed(err);
    if (r->sys->writable(r->place.fd) != 0) /* a rename would not ask */
        return fail_errno(err, errno, "it is not writable");
    return CROFT_OK;
}

static bool holds_the_same(const struct replacing *r)
{
    return r->options->mode == REPLACE_OVERWRITE && r->info->old_known && r->old.size == r->size &&
           (r->size == 0 || memcmp(r->old.data, r->data, r->size) == 0);
}

/* How many of the old bytes are wanted. */
static uint64_t old_limit(const struct replacing *r)
{
    if (r->options->mode == REPLACE_APPEND)
        return r->options->limit;
    return r->options->expect != NULL ? r->options->expect->node.size : r->options->compare_limit;
}

static void take_old(struct replacing *r)
{
    r->info->old_known = true;
    r->info->old_lines = count_lines(r->old.data, r->old.size, &r->info->old_crlf);
    r->info->old_ends_in_newline = r->old.size > 0 && r->old.data[r->old.size - 1] == '\n';
    r->info->same = holds_the_same(r);
}

/* Reads the old bytes where they are wanted: to append to them, or to say what changed. */
static croft_status read_old(struct replacing *r, croft_error *err)
{
    const struct stamp *expect = r->options->expect;
    struct node opened;
    bool append = r->options->mode == REPLACE_APPEND;
    croft_status status = open_place(&r->place, r->path, S_IFREG, &r->old_fd, &opened, err);

    if (status != CROFT_OK) /* a file that may be written and not read is replaced all the same */
        return status == CROFT_UNREADABLE && !append && expect == NULL ? CROFT_OK : status;
    if (expect != NULL && !node_unchanged(&opened, &expect->node))
        return fail_changed(err);
    r->place.node = opened;
    if (opened.size > old_limit(r) && !append)
        return CROFT_OK;
    status = file_read(r->sys, r->old_fd, old_limit(r), &r->old, err);
    if (expect != NULL &&
        (status == CROFT_TOO_LARGE || (status == CROFT_OK && !expect->has_no_digest &&
                                       file_digest(r->old.data, r->old.size) != expect->digest)))
        return fail_changed(err);
    if (status == CROFT_TOO_LARGE && !append)
        return CROFT_OK;
    if (status == CROFT_OK)
        take_old(r);
    return status;
}

static croft_status look_at_old(struct replacing *r, croft_error *err)
{
    croft_status status;

    if (r->place.fd < 0)
        return r->options->expect == NULL ? CROFT_OK : fail_changed(err);
    status = check_allowed(r, err);
    return status != CROFT_OK ? status : read_old(r, err);
}

/* For an append the new content is the old and the new together. */
static croft_status join(struct replacing *r, croft_error *err)
{
    bool grows_little = r->options->expect != NULL && r->size <= r->info->old_size;

    if (r->options->mode == REPLACE_APPEND) {
        bytes_add(&r->old, r->data, r->size);
        if (r->old.failed)
            return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
        r->data = r->old.data;
        r->size = r->old.size;
    }
    if (r->size > r->options->limit && !grows_little)
        return fail(err, CROFT_TOO_LARGE, 0, "it would be larger than the ceiling");
    r->info->size = r->size;
    r->info->lines = count_lines(r->data == NULL ? "" : r->data, r->size, &r->info->new_crlf);
    return CROFT_OK;
}

/* ---- the new file ------------------------------------------------------------------------------ */

static croft_status make_temp(struct replacing *r, croft_error *err)
{
    unsigned char random[16];
    char name[sizeof r->temp];
    int used = snprintf(name, sizeof name, "%s", RESERVED_PREFIX);
    /* a new file gets what its directory and the umask say; one that replaces is nobody's until it is whole */
    mode_t mode = r->place.fd < 0 ? 0666 : 0600;

    if (r->sys->random(random, sizeof random) != 0)
        return fail_io(err, errno, "no random name could be made");
    for (size_t i = 0; i < sizeof random; i++)
        used += snprintf(name + used, sizeof name - (size_t)used, "%02x", random[i]);
    r->fd = r->sys->openat(place_parent(&r->place)->fd, name,
                           O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode);
    if (r->fd < 0)
        return fail_errno(err, errno, "a file cannot be made there");
    strcpy(r->temp, name);
    return CROFT_OK;
}

static croft_status fill_temp(struct replacing *r, croft_error *err)
{
    const char *data = r->data;
    size_t left = r->size;

    while (left > 0) {
        ssize_t count = r->sys->write(r->fd, data, left);

        if (count <= 0) {
            int number = count < 0 ? errno : EIO; /* nothing written, and no reason: not for ever */

            return fail_errno(err, number, "it cannot be written");
        }
        data += count;
        left -= (size_t)count;
    }
    return CROFT_OK;
}

/* Some file systems only tell at a close that what was written did not fit. */
static int flush(const struct replacing *r)
{
    int copy = r->root->no_fsync ? r->sys->dup(r->fd) : -1;

    if (!r->root->no_fsync)
        return r->sys->fsync(r->fd);
    return copy < 0 ? 0 : r->sys->close(copy);
}

static croft_status finish_temp(struct replacing *r, croft_error *err)
{
    croft_status status = fill_temp(r, err);

    if (status == CROFT_OK && r->place.fd >= 0)
        status = metadata_copy(r->sys, r->old_fd, &r->place.node, r->fd, err);
    if (status == CROFT_OK && flush(r) != 0)
        status = fail_errno(err, errno, "it cannot be brought to the disk");
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------- */

/* What is owned but for the place. The temporary name goes first: the locks end with the descriptors. */
static void release(struct replacing *r)
{
    if (r->temp[0] != '\0')
        r->sys->unlink(place_parent(&r->place)->fd, r->temp, 0);
    r->temp[0] = '\0';
    if (r->fd >= 0)
        r->sys->close(r->fd);
    if (r->old_fd >= 0)
        r->sys->close(r->old_fd);
    r->fd = r->old_fd = -1;
}

/* The directory as it is before the write; the root's own node is from when it was opened. */
static bool look_at_directory(const struct replacing *r, struct node *before)
{
    const struct held *parent = place_parent(&r->place);

    *before = parent->node;
    return r->place.held_count > 1 || r->sys->node(parent->fd, before) == 0;
}

static croft_status write_temp(struct replacing *r, croft_error *err)
{
    croft_status status = make_temp(r, err);

    if (status == CROFT_OK)
        status = finish_temp(r, err);
    if (status == CROFT_OK)
        status = put_in_place(r, err);
    return status;
}

static croft_status write_new(struct replacing *r, croft_error *err)
{
    struct node before;
    struct replace_info *info = r->info;
    croft_status status = target_make_directories(&r->place, &info->made, info->first_made, err);
    bool may_sweep;

    if (status != CROFT_OK)
        return status;
    may_sweep = info->made == 0 && look_at_directory(r, &before);
    status = path_blame_last(r->path, write_temp(r, err), err);
    if (status == CROFT_OK && r->sys->node(r->fd, &info->written) != 0)
        may_sweep = false;
    may_sweep = may_sweep && status == CROFT_OK;
    release(r); /* before the fsync, so that nobody waits for the disk to get a lock */
    if (may_sweep)
        sweep(r->sys, place_parent(&r->place)->fd, &before, &info->written);
    if (status == CROFT_OK && !r->root->no_fsync && !target_sync(&r->place, info->made))
        info->not_confirmed = true;
    return status;
}

/* What is there: whether it may be replaced, and what it holds. */
static croft_status look(struct replacing *r, croft_error *err)
{
    croft_status status = CROFT_OK;

    if (r->options->no_links && r->place.by_link)
        status = fail_detail(err, CROFT_BAD_ARGUMENT, "link", "it leads through a link");
    if (status == CROFT_OK)
        status = look_at_old(r, err);
    if (status == CROFT_OK)
        status = join(r, err);
    return path_blame_last(r->path, status, err);
}

static void finish(struct replacing *r)
{
    release(r);
    bytes_free(&r->old);
    place_close(&r->place);
}

croft_status replace_file(const struct root *root, const struct path *path, const void *data,
                          size_t size, const struct replace_options *options,
                          struct replace_info *info, croft_error *err)
{
    struct replacing r = {.root = root,
                          .sys = root->sys,
                          .path = path,
                          .options = options,
                          .info = info,
                          .old_fd = -1,
                          .fd = -1,
                          .data = data,
                          .size = size};
    croft_status status;

    memset(info, 0, sizeof *info);
    status = target_resolve(root, path, &r.place, err);
    if (status != CROFT_OK)
        return status;
    info->created = r.place.fd < 0;
    info->written = r.place.node;
    status = look(&r, err);
    if (status == CROFT_OK && !info->same)
        status = write_new(&r, err);
    finish(&r);
    return target_settle(root, status, err);
}
