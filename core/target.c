/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "pins.h"

static croft_status refuse_reserved(size_t at, croft_error *err)
{
    fail_detail(err, CROFT_BAD_ARGUMENT, "reserved", "the name is croft's own");
    if (err != NULL)
        err->at = (unsigned)at;
    return CROFT_BAD_ARGUMENT;
}

croft_status target_check_spelled(const struct root *root, const struct path *path,
                                  croft_error *err)
{
    const char *protected_name;

    if (root->read_only)
        return fail_detail(err, CROFT_READ_ONLY, root->name, "the whole tree is read-only");
    protected_name = path->count == 0 ? NULL : root_protects(root, path->text, path->parts[0].size);
    if (protected_name != NULL)
        return pins_refuse(protected_name, PROTECTED_BY_SPELLING, err);
    for (size_t i = 0; i < path->count; i++)
        if (name_is_reserved(path->text + path->parts[i].from, path->parts[i].size))
            return refuse_reserved(i, err);
    return CROFT_OK;
}

/* Whether one of the names, each ended by `end` or by the end of all, is reserved. */
static bool has_reserved(const char *names, size_t size, char end)
{
    bool found = false;

    for (size_t from = 0; from < size && !found;) {
        const char *stop = memchr(names + from, end, size - from);
        size_t length = stop == NULL ? size - from : (size_t)(stop - names) - from;

        found = name_is_reserved(names + from, length);
        from += length + 1;
    }
    return found;
}

/* Names that the path itself has were looked at: these a link leads to, or through. */
static bool leads_to_reserved(const struct place *place)
{
    return name_is_reserved(place->leaf, strlen(place->leaf)) ||
           has_reserved(place->text, place->text_size, '/') ||
           has_reserved(place->missing.data, place->missing.size, '\0');
}

croft_status target_check_place(const struct place *place, croft_error *err)
{
    const char *protected_name;
    enum protected_by by;
    croft_status status = pins_protect(place, &protected_name, &by, err);

    if (status != CROFT_OK)
        return status;
    if (protected_name != NULL)
        return pins_refuse(protected_name, by, err);
    if (leads_to_reserved(place))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "reserved_link",
                           "a name on the way is croft's own");
    return CROFT_OK;
}

static croft_status check_file(const struct place *place, croft_error *err)
{
    croft_status status = target_check_place(place, err);

    if (status != CROFT_OK)
        return status;
    if (place->fd >= 0 ? S_ISDIR(place->node.mode) : place_leads_to_mount(place))
        return fail(err, CROFT_NOT_A_FILE, 0, "it is a directory");
    if (place->fd >= 0 && !S_ISREG(place->node.mode))
        return fail_detail(err, CROFT_NOT_REGULAR, type_word(place->node.mode),
                           "it is not a regular file");
    if (place->must_be_directory)
        return fail_detail(err, CROFT_BAD_ARGUMENT, "slash", "the path ends in a slash");
    return CROFT_OK;
}

croft_status target_resolve(const struct root *root, const struct path *path, struct place *place,
                            croft_error *err)
{
    croft_status status;

    if (path->count == 0)
        return fail(err, CROFT_NOT_A_FILE, 0, "it is the root itself");
    status = target_check_spelled(root, path, err);
    if (status != CROFT_OK)
        return status;
    status = resolve(root, path, RESOLVE_TARGET, place, err);
    if (status != CROFT_OK)
        return status;
    status = path_blame_last(path, check_file(place, err), err);
    if (status != CROFT_OK)
        place_close(place);
    return status;
}

/* The path in the view of the directory `name`, which is not held yet. */
static void show_below(const struct place *place, const char *name, char *out)
{
    size_t used, size = strlen(name);

    place_show(place, place->text_size, out);
    used = strlen(out);
    if ((used == 0 && place->text_size > 0) || used + size + 1 > PATH_BYTES) {
        out[0] = '\0'; /* deeper than a path can be sent */
        return;
    }
    if (used > 0)
        out[used++] = '/';
    memcpy(out + used, name, size + 1);
}

static croft_status make_one(struct place *place, const char *name, size_t *made, char *first,
                             croft_error *err)
{
    croft_status status;

    if (place->root->sys->mkdir(place_parent(place)->fd, name, 0777) == 0) {
        if ((*made)++ == 0)
            show_below(place, name, first);
    } else if (errno != EEXIST) {
        return fail_errno(err, errno, "a directory cannot be made");
    }
    status = place_enter(place, name, err);
    if (status == CROFT_OK && place_parent(place)->pinned != NULL)
        return pins_refuse(place_parent(place)->pinned, PROTECTED_AT_START, err);
    return status;
}

croft_status target_make_directories(struct place *place, size_t *made, char *first,
                                     croft_error *err)
{
    croft_status status = CROFT_OK;
    const char *name = place->missing.data;

    *made = 0;
    first[0] = '\0';
    if (place->held_count + place->missing_count > WALK_HELD) /* before any is made */
        return fail_detail(err, CROFT_BAD_ARGUMENT, "deep", "the path is too deep");
    for (size_t i = 0; i < place->missing_count && status == CROFT_OK; i++) {
        status = make_one(place, name, made, first, err);
        if (status != CROFT_OK && status != CROFT_READ_ONLY && err != NULL)
            err->at = place->missing_at[i];
        name += strlen(name) + 1;
    }
    return status;
}

bool target_is_mount(const struct place *place)
{
    const struct held *parent = place_parent(place);
    struct node node;

    return place->root->sys->node_at(parent->fd, place->leaf, &node) == 0 &&
           node.mount != parent->node.mount;
}

croft_status target_fail(const struct place *place, int number, const char *what, croft_error *err)
{
    croft_status status;

    if (number != EBUSY || !target_is_mount(place))
        return fail_errno(err, number, what);
    status = fail_detail(err, CROFT_BUSY, "mount", "a mount lies there");
    if (err != NULL)
        err->sys_errno = number;
    return status;
}

croft_status target_settle(const struct root *root, croft_status status, croft_error *err)
{
    bool is_lost = status == CROFT_MISSING ||
                   (status == CROFT_CHANGED && err != NULL && err->sys_errno == ENOENT);
    unsigned at = err == NULL ? 0 : err->at;

    if (status != CROFT_MISSING && status != CROFT_CHANGED)
        return status;
    if (root_is_gone(root))
        return fail(err, CROFT_GONE, 0, "the workspace was removed");
    if (!is_lost)
        return status;
    fail_detail(err, CROFT_CHANGED, "removed", "it, or what it lies in, was removed meanwhile");
    if (err != NULL) {
        err->sys_errno = ENOENT;
        err->at = at;
    }
    return CROFT_CHANGED;
}

static bool sync_directory(const struct sys *sys, int dir)
{
    int fd = sys->openat(dir, ".", O_RDONLY | O_DIRECTORY, 0); /* O_PATH cannot be synced */
    bool good = fd >= 0 && sys->fsync(fd) == 0;

    if (fd >= 0)
        sys->close(fd);
    return good;
}

bool target_sync(const struct place *place, size_t made)
{
    bool good = true;

    for (size_t i = 0; i <= made && i < place->held_count; i++)
        good &= sync_directory(place->root->sys, place->held[place->held_count - 1 - i].fd);
    return good;
}
