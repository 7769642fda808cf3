/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static croft_status refuse(croft_error *err, croft_status kind, const char *detail, const char *what)
{
    fail(err, kind, 0, what);
    if (err != NULL)
        strncpy(err->detail, detail, sizeof err->detail - 1);
    return kind;
}

/* What the path as it was sent already tells. */
static croft_status check_spelled(const struct root *root, const struct path *path, croft_error *err)
{
    const char *protected_name;

    if (path->count == 0)
        return fail(err, CROFT_NOT_A_FILE, 0, "it is the root itself");
    if (root->read_only)
        return refuse(err, CROFT_READ_ONLY, "", "the whole workspace is read-only");
    protected_name = root_protects(root, path->text, path->parts[0].size);
    if (protected_name != NULL)
        return refuse(err, CROFT_READ_ONLY, protected_name, "it lies in a read-only tree");
    for (size_t i = 0; i < path->count; i++)
        if (name_is_reserved(path->text + path->parts[i].from, path->parts[i].size))
            return refuse(err, CROFT_BAD_ARGUMENT, "reserved", "the name is croft's own");
    return CROFT_OK;
}

static croft_status check_resolved(const struct place *place, croft_error *err)
{
    const char *protected_name = place_read_only(place);

    if (protected_name != NULL) {
        refuse(err, CROFT_READ_ONLY, protected_name, "it leads into a read-only tree");
        if (err != NULL)
            err->at = 1; /* by another way than its spelling */
        return CROFT_READ_ONLY;
    }
    if (name_is_reserved(place->leaf, strlen(place->leaf)))
        return refuse(err, CROFT_BAD_ARGUMENT, "reserved", "the name is croft's own");
    if (place->fd >= 0 && S_ISDIR(place->node.mode))
        return fail(err, CROFT_NOT_A_FILE, 0, "it is a directory");
    if (place->fd >= 0 && !S_ISREG(place->node.mode))
        return refuse(err, CROFT_NOT_REGULAR, type_word(place->node.mode),
                      "it is not a regular file");
    if (place->must_be_directory)
        return refuse(err, CROFT_BAD_ARGUMENT, "slash", "the path ends in a slash");
    return CROFT_OK;
}

croft_status target_resolve(const struct root *root, const struct path *path, struct place *place,
                            croft_error *err)
{
    croft_status status = check_spelled(root, path, err);

    if (status != CROFT_OK)
        return status;
    status = resolve(root, path, RESOLVE_TARGET, place, err);
    if (status != CROFT_OK)
        return status;
    status = check_resolved(place, err);
    if (status != CROFT_OK)
        place_close(place);
    return status;
}

static croft_status make_one(struct place *place, const char *name, size_t *made, croft_error *err)
{
    croft_status status;

    if (place->root->sys->mkdir(place_parent(place)->fd, name, 0777) == 0)
        (*made)++;
    else if (errno != EEXIST)
        return fail(err, status_of_errno(errno), errno, "a directory cannot be made");
    status = place_enter(place, name, err);
    if (status == CROFT_OK && place_parent(place)->pinned != NULL)
        return refuse(err, CROFT_READ_ONLY, place_parent(place)->pinned,
                      "it leads into a read-only tree");
    return status;
}

croft_status target_make_directories(struct place *place, size_t *made, croft_error *err)
{
    croft_status status = CROFT_OK;
    const char *name = place->missing.data;

    *made = 0;
    for (size_t i = 0; i < place->missing_count && status == CROFT_OK; i++) {
        status = make_one(place, name, made, err);
        name += strlen(name) + 1;
    }
    return status;
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
