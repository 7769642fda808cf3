/* SPDX-License-Identifier: MIT */
/* The choice between the two ways of resolving, and opening what they lead to. */
#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "resolve_openat2.h"
#include "resolve_walk.h"

croft_status resolve_unjudged(const struct root *root, const struct path *path,
                              enum resolve_how how, struct place *place, croft_error *err)
{
    croft_status status;

    if (how == RESOLVE_EXISTING && root->use_openat2 && resolve_openat2(root, path, place))
        return CROFT_OK;
    status = resolve_walk(root, path, how, place, err);
    if (status != CROFT_MISSING && path->count > 0)
        return status;
    if (!root_is_gone(root))
        return status;
    if (status == CROFT_OK)
        place_close(place);
    return fail(err, CROFT_GONE, 0, "the workspace was removed");
}

/* The path as it is judged: with the name of the tree before it. NULL: it would be too long. */
static const struct path *whole_path(const struct root *root, const struct path *path,
                                     struct path *room)
{
    size_t used = strlen(root->name), slash = path->size > 0;

    if (used == 0)
        return path;
    if (used + slash + path->size > PATH_BYTES)
        return NULL;
    memcpy(room->text, root->name, used);
    memcpy(room->text + used, "/", slash);
    memcpy(room->text + used + slash, path->text, path->size + 1);
    room->size = used + slash + path->size;
    room->count = 0;
    return room;
}

/* Whether the permit covers where the path leads; what does not exist yet is no directory. */
static croft_status check_place(const struct root *root, const struct path *path,
                                const struct place *place, croft_error *err)
{
    char text[2 * sizeof place->text];
    size_t size = place_path(place, text, sizeof text);
    bool is_directory = place->fd >= 0 && S_ISDIR(place->node.mode);

    if (size >= sizeof text)
        return fail(err, CROFT_DENIED, 0, "the path is too long to be judged");
    return permit_check_resolved(root->permit, path, text, size,
                                 is_directory ? PATH_DIRECTORY : PATH_FILE, err);
}

/* Apart from resolve(), whose frame stays small. */
static croft_status resolve_judged(const struct root *root, const struct path *path,
                                   enum resolve_how how, struct place *place, croft_error *err)
{
    struct path room;
    const struct path *whole = whole_path(root, path, &room);
    croft_status status;

    if (whole == NULL)
        return path_blame_last(
            path, fail(err, CROFT_DENIED, 0, "the path is too long to be judged"), err);
    status = path_blame_last(path, permit_check_spelled(root->permit, whole, err), err);
    if (status == CROFT_OK) /* only the walk tells where it came to */
        status =
            resolve_unjudged(root, path, how == RESOLVE_EXISTING ? RESOLVE_STACK : how, place, err);
    if (status != CROFT_OK)
        return status;
    status = path_blame_last(path, check_place(root, whole, place, err), err);
    if (status != CROFT_OK)
        place_close(place);
    return status;
}

croft_status resolve(const struct root *root, const struct path *path, enum resolve_how how,
                     struct place *place, croft_error *err)
{
    if (root->permit == NULL)
        return resolve_unjudged(root, path, how, place, err);
    return resolve_judged(root, path, how, place, err);
}

static croft_status refuse_type(const struct node *node, mode_t want, croft_error *err)
{
    if (S_ISDIR(node->mode))
        return fail(err, CROFT_NOT_A_FILE, 0, "it is a directory");
    if (S_ISREG(node->mode) && want == S_IFDIR)
        return fail(err, CROFT_NOT_A_DIRECTORY, 0, "it is a file");
    fail(err, CROFT_NOT_REGULAR, 0, "it is not a regular file");
    if (err != NULL)
        strncpy(err->detail, type_word(node->mode), sizeof err->detail - 1);
    return CROFT_NOT_REGULAR;
}

/* Of a descriptor just opened: is it the `wanted` one, or at least of that type (wanted == NULL)? */
static croft_status verify(const struct root *root, int fd, mode_t want, const struct node *wanted,
                           struct node *node, croft_error *err)
{
    if (root->sys->node(fd, node) != 0)
        return fail_io(err, errno, "it cannot be examined");
    if ((node->mode & S_IFMT) != want || (wanted != NULL && !node_same(node, wanted)))
        return fail(err, CROFT_CHANGED, 0, "it was replaced while it was opened");
    if (!root_allows_mount(root, node))
        return fail_detail(err, CROFT_CROSSES_MOUNT, "kept", "it lies on another file system");
    return CROFT_OK;
}

/* O_NONBLOCK: a FIFO that a race put there does not hang us, a lease held elsewhere shows as busy. */
enum { READ_FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW };

static int open_unchecked(const struct place *place, const struct path *path, mode_t want)
{
    const struct sys *sys = place->root->sys;

    if (want == S_IFDIR) /* "." of a held directory cannot be a link */
        return sys->openat(place->fd, ".", O_RDONLY | O_DIRECTORY, 0);
    if (place->has_stack)
        return sys->openat(place_parent(place)->fd, place->leaf, READ_FLAGS, 0);
    return open_openat2(place->root, path, READ_FLAGS & ~O_NOFOLLOW);
}

/* Whether openat2 did not answer at all: the file itself may be fine. */
static bool is_no_answer(int number)
{
    return number == EAGAIN || number == ENOSYS || number == EPERM || number == EINVAL ||
           number == E2BIG;
}

/* What openat2 led to a moment ago, and now does not. */
static croft_status open_by_walk(const struct place *place, const struct path *path, mode_t want,
                                 int *out, struct node *node, croft_error *err)
{
    struct place again;
    croft_status status = resolve_walk(place->root, path, RESOLVE_STACK, &again, err);

    if (status != CROFT_OK)
        return status;
    if (node_same(&again.node, &place->node))
        status = open_place(&again, path, want, out, node, err);
    else
        status = fail(err, CROFT_CHANGED, 0, "it was replaced while it was opened");
    place_close(&again);
    return status;
}

/* Makes sure of what was just opened. */
static croft_status take_opened(const struct place *place, int fd, mode_t want, int *out,
                                struct node *node, croft_error *err)
{
    const struct root *root = place->root;
    croft_status status;

    if (fd < 0)
        return fail_errno(err, errno, "it cannot be opened");
    status = verify(root, fd, want, &place->node, node, err);
    if (status != CROFT_OK)
        root->sys->close(fd);
    else
        *out = fd;
    return status;
}

croft_status open_place(const struct place *place, const struct path *path, mode_t want, int *out,
                        struct node *node, croft_error *err)
{
    int fd;

    if ((place->node.mode & S_IFMT) != want)
        return path_blame_last(path, refuse_type(&place->node, want, err), err);
    fd = open_unchecked(place, path, want);
    if (fd < 0 && want == S_IFREG && !place->has_stack && is_no_answer(errno))
        return open_by_walk(place, path, want, out, node, err);
    return path_blame_last(path, take_opened(place, fd, want, out, node, err), err);
}

static int open_below(const struct root *root, int dir, const char *name, mode_t want)
{
    return root->sys->openat(dir, name, READ_FLAGS | (want == S_IFDIR ? O_DIRECTORY : 0), 0);
}

croft_status open_entry(const struct root *root, int dir, const char *name, mode_t want, int *out,
                        struct node *node, croft_error *err)
{
    int fd = open_below(root, dir, name, want);
    croft_status status;

    if (fd < 0)
        return fail_errno(err, errno, "it cannot be opened");
    status = check_entry(root, fd, want, node, err);
    if (status != CROFT_OK)
        root->sys->close(fd);
    else
        *out = fd;
    return status;
}

croft_status open_listed(const struct root *root, int dir, const char *name, int *out,
                         croft_error *err)
{
    int fd = open_below(root, dir, name, S_IFREG);

    if (fd < 0)
        return fail_errno(err, errno, "it cannot be opened");
    *out = fd;
    return CROFT_OK;
}

croft_status check_entry(const struct root *root, int fd, mode_t want, struct node *node,
                         croft_error *err)
{
    return verify(root, fd, want, NULL, node, err);
}
