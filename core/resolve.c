/* SPDX-License-Identifier: MIT */
/* What both ways of resolving share: the choice between them, places, and opening what they lead to. */
#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>

#include "resolve_openat2.h"
#include "resolve_walk.h"

void place_init(struct place *place)
{
    memset(place, 0, sizeof *place);
    place->fd = -1;
}

void place_close(struct place *place)
{
    if (place->fd >= 0)
        place->root->sys->close(place->fd);
    for (size_t i = 1; i < place->held_count; i++) /* 0 is the root's own */
        place->root->sys->close(place->held[i].fd);
    free(place->held);
    bytes_free(&place->missing);
    place_init(place);
}

const struct held *place_parent(const struct place *place)
{
    return &place->held[place->held_count - 1];
}

/* The top-level name that the place lies in or is. */
static const char *top_name(const struct place *place)
{
    if (place->text_size > 0)
        return place->text;
    return place->missing_count > 0 ? place->missing.data : place->leaf;
}

const char *place_read_only(const struct place *place)
{
    const char *top = top_name(place);
    const char *pinned = place_parent(place)->pinned;

    if (pinned == NULL && S_ISDIR(place->node.mode))
        pinned = root_pins(place->root, &place->node);
    return pinned != NULL ? pinned : root_protects(place->root, top, strcspn(top, "/"));
}

const char *type_word(uint32_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return "file";
    case S_IFDIR: return "directory";
    case S_IFLNK: return "link";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    default: return "device";
    }
}

croft_status step(const struct root *root, int dir, const char *name, int *out, struct node *node,
                  croft_error *err)
{
    /* Not O_DIRECTORY: whether that follows a link differs between kernels; the type is looked at. */
    int fd = root->sys->openat(dir, name, O_PATH | O_NOFOLLOW, 0);

    if (fd < 0)
        return fail(err, status_of_errno(errno), errno, "a name cannot be looked up");
    if (root->sys->node(fd, node) != 0) {
        int number = errno;

        root->sys->close(fd);
        return fail(err, CROFT_IO, number, "a name cannot be examined");
    }
    if (!root_allows_mount(root, node)) {
        root->sys->close(fd);
        return fail(err, CROFT_CROSSES_MOUNT, 0, "it lies on another file system");
    }
    *out = fd;
    return CROFT_OK;
}

croft_status resolve(const struct root *root, const struct path *path, enum resolve_how how,
                     struct place *place, croft_error *err)
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
        return fail(err, CROFT_IO, errno, "it cannot be examined");
    if ((node->mode & S_IFMT) != want || (wanted != NULL && !node_same(node, wanted)))
        return fail(err, CROFT_CHANGED, 0, "it was replaced while it was opened");
    if (!root_allows_mount(root, node))
        return fail(err, CROFT_CROSSES_MOUNT, 0, "it lies on another file system");
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

croft_status open_place(const struct place *place, const struct path *path, mode_t want, int *out,
                        struct node *node, croft_error *err)
{
    const struct root *root = place->root;
    croft_status status;
    int fd;

    if ((place->node.mode & S_IFMT) != want)
        return refuse_type(&place->node, want, err);
    fd = open_unchecked(place, path, want);
    if (fd < 0 && want == S_IFREG && !place->has_stack && is_no_answer(errno))
        return open_by_walk(place, path, want, out, node, err);
    if (fd < 0)
        return fail(err, status_of_errno(errno), errno, "it cannot be opened");
    status = verify(root, fd, want, &place->node, node, err);
    if (status != CROFT_OK)
        root->sys->close(fd);
    else
        *out = fd;
    return status;
}

croft_status open_entry(const struct root *root, int dir, const char *name, mode_t want, int *out,
                        struct node *node, croft_error *err)
{
    int flags = READ_FLAGS | (want == S_IFDIR ? O_DIRECTORY : 0);
    int fd = root->sys->openat(dir, name, flags, 0);
    croft_status status;

    if (fd < 0)
        return fail(err, status_of_errno(errno), errno, "it cannot be opened");
    status = verify(root, fd, want, NULL, node, err);
    if (status != CROFT_OK)
        root->sys->close(fd);
    else
        *out = fd;
    return status;
}
