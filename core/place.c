/* SPDX-License-Identifier: MIT */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All but the text, which is most of it, and is written before it is read. */
void place_init(struct place *place)
{
    size_t behind = offsetof(struct place, text_size);

    memset(place, 0, offsetof(struct place, text));
    memset((char *)place + behind, 0, sizeof *place - behind);
    place->text[0] = '\0';
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

size_t place_path(const struct place *place, char *out, size_t size)
{
    const char *name = place->missing.data, *tree = place->root->name;
    const char *slash = place->text_size > 0 || *tree != '\0' ? "/" : "";
    size_t used = (size_t)snprintf(out, size, "%s%s%s", tree,
                                   *tree != '\0' && place->text_size > 0 ? "/" : "", place->text);

    for (size_t i = 0; i < place->missing_count && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", slash, name);
        name += strlen(name) + 1;
        slash = "/";
    }
    if (place->fd < 0 && used < size) /* an existing leaf is in the text already */
        used += (size_t)snprintf(out + used, size - used, "%s%s", slash, place->leaf);
    return used;
}

void place_show(const struct place *place, size_t size, char *out)
{
    const char *name = place->root->name;
    size_t used = strlen(name), slash = used > 0 && size > 0;

    if (used + slash + size > PATH_BYTES) { /* deeper than a path can be sent */
        out[0] = '\0';
        return;
    }
    memcpy(out, name, used);
    memcpy(out + used, "/", slash);
    memcpy(out + used + slash, place->text, size);
    out[used + slash + size] = '\0';
}

bool place_leads_to_mount(const struct place *place)
{
    return place->fd < 0 && place->hidden != NULL && place->hidden->leads_to_mount;
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
        return fail_errno(err, errno, "a name cannot be looked up");
    if (root->sys->node(fd, node) != 0) {
        int number = errno;

        root->sys->close(fd);
        return fail_io(err, number, "a name cannot be examined");
    }
    if (!root_allows_mount(root, node)) {
        root->sys->close(fd);
        return fail_detail(err, CROFT_CROSSES_MOUNT, "kept", "it lies on another file system");
    }
    *out = fd;
    return CROFT_OK;
}

croft_status place_push(struct place *place, const char *name, int fd, const struct node *node,
                        croft_error *err)
{
    struct held *held = &place->held[place->held_count];
    size_t size = strlen(name);

    if (place->held_count == WALK_HELD || place->text_size + size + 2 > sizeof place->text) {
        place->root->sys->close(fd);
        fail(err, CROFT_BAD_ARGUMENT, 0, "the path is too deep");
        if (err != NULL)
            strcpy(err->detail, "deep");
        return CROFT_BAD_ARGUMENT;
    }
    held->fd = fd;
    held->node = *node;
    held->hidden = held[-1].hidden == NULL
                       ? NULL
                       : hidden_child(held[-1].hidden, place->root->sys, held[-1].fd, name);
    held->pinned = held[-1].pinned != NULL ? held[-1].pinned : root_pins(place->root, node);
    held->name_from = (uint16_t)place->text_size;
    if (place->text_size > 0)
        place->text[place->text_size++] = '/';
    memcpy(place->text + place->text_size, name, size + 1);
    place->text_size += size;
    place->held_count++;
    return CROFT_OK;
}

croft_status place_enter(struct place *place, const char *name, croft_error *err)
{
    const struct root *root = place->root;
    struct node node = {0};
    int fd = -1;
    croft_status status = step(root, place_parent(place)->fd, name, &fd, &node, err);

    if (status != CROFT_OK)
        return status;
    if (!S_ISDIR(node.mode)) { /* a link or file that a race put there is not followed */
        root->sys->close(fd);
        return fail(err, CROFT_CHANGED, 0, "a directory was replaced while it was made");
    }
    return place_push(place, name, fd, &node, err);
}
