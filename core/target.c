/* SPDX-License-Identifier: MIT */
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

croft_status target_check_spelled(const struct root *root, const struct path *path,
                                  croft_error *err)
{
    const char *protected_name;

    if (root->read_only)
        return fail_detail(err, CROFT_READ_ONLY, root->name, "the whole tree is read-only");
    protected_name = path->count == 0 ? NULL : root_protects(root, path->text, path->parts[0].size);
    if (protected_name != NULL)
        return fail_detail(err, CROFT_READ_ONLY, protected_name, "it lies in a read-only tree");
    for (size_t i = 0; i < path->count; i++)
        if (name_is_reserved(path->text + path->parts[i].from, path->parts[i].size))
            return fail_detail(err, CROFT_BAD_ARGUMENT, "reserved", "the name is croft's own");
    return CROFT_OK;
}

croft_status target_check_place(const struct place *place, croft_error *err)
{
    const char *protected_name = place_read_only(place);

    if (protected_name != NULL) {
        fail_detail(err, CROFT_READ_ONLY, protected_name, "it leads into a read-only tree");
        if (err != NULL)
            err->at = 1; /* by another way than its spelling */
        return CROFT_READ_ONLY;
    }
    if (name_is_reserved(place->leaf, strlen(place->leaf)))
        return fail_detail(err, CROFT_BAD_ARGUMENT, "reserved", "the name is croft's own");
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
    status = check_file(place, err);
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
        return fail_detail(err, CROFT_READ_ONLY, place_parent(place)->pinned,
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

void target_first_made(const struct place *place, size_t made, char *out)
{
    const struct held *first = &place->held[place->held_count - made];
    size_t end = made > 1 ? first[1].name_from : place->text_size;

    out[0] = '\0';
    if (made > 0)
        place_show(place, end, out);
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
