/* SPDX-License-Identifier: MIT */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "metadata.h"
#include "target.h"

/* One replacement under way: everything owned, closed in one place. */
struct replacing {
    const struct root *root;
    const struct sys *sys;
    const struct replace_options *options;
    struct replace_info *info;
    struct place place;
    struct bytes old; /* the old bytes, where they are wanted */
    int old_fd, fd;
    char temp[sizeof RESERVED_PREFIX + 32]; /* "" while there is no temporary file */
    const void *data;
    size_t size;
};

/* ---- the old file ------------------------------------------------------------------------------ */

static uint64_t count_lines(const char *data, size_t size, bool *all_crlf)
{
    uint64_t lines = 0, crlf = 0;
    size_t from = 0;

    while (from < size) {
        const char *end = memchr(data + from, '\n', size - from);

        if (end == NULL)
            break;
        crlf += end > data && end[-1] == '\r';
        lines++;
        from = (size_t)(end - data) + 1;
    }
    *all_crlf = lines > 0 && crlf == lines;
    return from < size ? lines + 1 : lines;
}

static croft_status check_allowed(struct replacing *r, croft_error *err)
{
    const struct node *old = &r->place.node;

    r->info->old_size = old->size;
    r->info->links = old->links;
    if (r->options->mode == REPLACE_CREATE)
        return fail(err, CROFT_ALREADY_EXISTS, 0, "it exists already");
    if (r->options->expect != NULL && !node_unchanged(old, r->options->expect))
        return fail(err, CROFT_CHANGED, 0, "it was changed since it was read");
    if (r->sys->writable(r->place.fd) != 0) /* a rename would not ask */
        return fail(err, CROFT_UNREADABLE, errno, "it is not writable");
    return CROFT_OK;
}

static bool holds_the_same(const struct replacing *r)
{
    return r->options->mode == REPLACE_OVERWRITE && r->info->old_known && r->old.size == r->size &&
           (r->size == 0 || memcmp(r->old.data, r->data, r->size) == 0);
}

/* Reads the old bytes where they are wanted: to append to them, or to say what changed. */
static croft_status read_old(struct replacing *r, croft_error *err)
{
    struct node opened;
    bool append = r->options->mode == REPLACE_APPEND;
    uint64_t limit = append ? r->options->limit : r->options->compare_limit;
    croft_status status = open_place(&r->place, NULL, S_IFREG, &r->old_fd, &opened, err);

    if (status != CROFT_OK) /* a file that may be written and not read is replaced all the same */
        return status == CROFT_UNREADABLE && !append ? CROFT_OK : status;
    if (r->options->expect != NULL && !node_unchanged(&opened, r->options->expect))
        return fail(err, CROFT_CHANGED, 0, "it was changed since it was read");
    r->place.node = opened;
    if (opened.size > limit && !append)
        return CROFT_OK;
    status = file_read(r->sys, r->old_fd, limit, &r->old, err);
    if (status == CROFT_TOO_LARGE && !append)
        return CROFT_OK;
    if (status != CROFT_OK)
        return status;
    r->info->old_known = true;
    r->info->old_lines = count_lines(r->old.data, r->old.size, &r->info->old_crlf);
    r->info->old_ends_in_newline = r->old.size > 0 && r->old.data[r->old.size - 1] == '\n';
    r->info->same = holds_the_same(r);
    return CROFT_OK;
}

static croft_status look_at_old(struct replacing *r, croft_error *err)
{
    croft_status status;

    if (r->place.fd < 0)
        return CROFT_OK;
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
        return fail(err, CROFT_IO, errno, "no random name could be made");
    for (size_t i = 0; i < sizeof random; i++)
        used += snprintf(name + used, sizeof name - (size_t)used, "%02x", random[i]);
    r->fd = r->sys->openat(place_parent(&r->place)->fd, name,
                           O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode);
    if (r->fd < 0)
        return fail(err, status_of_errno(errno), errno, "a file cannot be made there");
    strcpy(r->temp, name);
    return CROFT_OK;
}

static croft_status fill_temp(struct replacing *r, croft_error *err)
{
    const char *data = r->data;
    size_t left = r->size;

    while (left > 0) {
        ssize_t count = r->sys->write(r->fd, data, left);

        if (count < 0)
            return fail(err, status_of_errno(errno), errno, "it cannot be written");
        data += count;
        left -= (size_t)count;
    }
    return CROFT_OK;
}

static croft_status finish_temp(struct replacing *r, croft_error *err)
{
    croft_status status = fill_temp(r, err);

    if (status == CROFT_OK && r->place.fd >= 0)
        status = metadata_copy(r->sys, r->old_fd, &r->place.node, r->fd, err);
    if (status == CROFT_OK && !r->root->no_fsync && r->sys->fsync(r->fd) != 0)
        status = fail(err, status_of_errno(errno), errno, "it cannot be brought to the disk");
    return status;
}

/* ---- the moment -------------------------------------------------------------------------------- */

/* The name must be free still: somebody else's new file is not overwritten. */
static croft_status put_new(struct replacing *r, int dir, croft_error *err)
{
    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_NOREPLACE) == 0) {
        r->temp[0] = '\0';
        return CROFT_OK;
    }
    if (errno == EINVAL || errno == ENOSYS) { /* a file system without the flag: a hard link is as strict */
        if (r->sys->link(dir, r->temp, r->place.leaf) == 0)
            return CROFT_OK;
    }
    if (errno == EEXIST)
        return fail(err, CROFT_CHANGED, EEXIST, "somebody else made it meanwhile");
    return fail(err, status_of_errno(errno), errno, "it cannot be put in place");
}

/* Whether what the name held is what was read: its times may differ by the rename itself. */
static bool is_what_was_read(const struct replacing *r, const struct node *node)
{
    const struct node *read = &r->place.node;

    return node_same(node, read) && node->size == read->size && node->mtime_ns == read->mtime_ns;
}

/*
 * Compare and swap: the two names change places, then one looks at what came out. Were it not what was
 * read, they change back.
 */
static croft_status swap_old(struct replacing *r, int dir, croft_error *err)
{
    struct node out;

    if (r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE) != 0)
        return fail(err, errno == ENOENT ? CROFT_CHANGED : status_of_errno(errno), errno,
                    "it cannot be put in place");
    if (r->sys->node_at(dir, r->temp, &out) == 0 && is_what_was_read(r, &out))
        return CROFT_OK; /* the old file now has the temporary name, and goes with it */
    r->sys->rename(dir, r->temp, r->place.leaf, RENAME_EXCHANGE);
    return fail(err, CROFT_CHANGED, 0, "it was changed while it was written");
}

static croft_status rename_over(struct replacing *r, int dir, croft_error *err)
{
    struct node now;

    if (r->options->expect != NULL || r->options->mode == REPLACE_APPEND) {
        if (r->sys->node_at(dir, r->place.leaf, &now) != 0 || !is_what_was_read(r, &now))
            return fail(err, CROFT_CHANGED, 0, "it was changed while it was written");
    }
    if (r->sys->rename(dir, r->temp, r->place.leaf, 0) != 0)
        return fail(err, status_of_errno(errno), errno, "it cannot be put in place");
    r->temp[0] = '\0';
    return CROFT_OK;
}

static croft_status put_in_place(struct replacing *r, croft_error *err)
{
    int dir = place_parent(&r->place)->fd;
    bool compare = r->options->expect != NULL || r->options->mode == REPLACE_APPEND;
    croft_status status;

    if (r->place.fd < 0)
        return put_new(r, dir, err);
    if (!compare)
        return rename_over(r, dir, err);
    status = swap_old(r, dir, err);
    if (status != CROFT_OK && err != NULL && (err->sys_errno == EINVAL || err->sys_errno == ENOSYS))
        status = rename_over(r, dir, err); /* a file system that cannot exchange */
    return status;
}

/* Whether the name now leads to what was written. */
static croft_status verify(const struct replacing *r, croft_error *err)
{
    struct node named, written;

    if (r->sys->node(r->fd, &written) != 0 ||
        r->sys->node_at(place_parent(&r->place)->fd, r->place.leaf, &named) != 0 ||
        !node_same(&named, &written))
        return fail(err, CROFT_CHANGED, 0, "somebody else replaced it right after");
    return CROFT_OK;
}

static void note_made(struct replacing *r, size_t made)
{
    const struct place *place = &r->place;
    const struct held *first = &place->held[place->held_count - made];
    size_t end = made > 1 ? first[1].name_from : place->text_size;

    r->info->made = made;
    if (made > 0 && end < sizeof r->info->first_made) {
        memcpy(r->info->first_made, place->text, end);
        r->info->first_made[end] = '\0';
    }
}

static croft_status write_new(struct replacing *r, croft_error *err)
{
    size_t made;
    croft_status status = target_make_directories(&r->place, &made, err);

    if (status != CROFT_OK)
        return status;
    note_made(r, made);
    status = make_temp(r, err);
    if (status == CROFT_OK)
        status = finish_temp(r, err);
    if (status == CROFT_OK)
        status = put_in_place(r, err);
    if (status == CROFT_OK)
        status = verify(r, err);
    if (status == CROFT_OK && !r->root->no_fsync)
        r->info->not_confirmed = !target_sync(&r->place, made);
    return status;
}

static void finish(struct replacing *r)
{
    if (r->temp[0] != '\0')
        r->sys->unlink(place_parent(&r->place)->fd, r->temp, 0);
    if (r->fd >= 0)
        r->sys->close(r->fd);
    if (r->old_fd >= 0)
        r->sys->close(r->old_fd);
    bytes_free(&r->old);
    place_close(&r->place);
}

croft_status replace_file(const struct root *root, const struct path *path, const void *data,
                          size_t size, const struct replace_options *options,
                          struct replace_info *info, croft_error *err)
{
    struct replacing r = {.root = root,
                          .sys = root->sys,
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
    status = look_at_old(&r, err);
    if (status == CROFT_OK)
        status = join(&r, err);
    if (status == CROFT_OK && !info->same)
        status = write_new(&r, err);
    finish(&r);
    return status;
}
