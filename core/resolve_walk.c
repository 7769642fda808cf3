/* SPDX-License-Identifier: MIT */
#include "resolve_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is still to come: first the rest of link texts, at the end of `text`, then the argument. */
struct walk {
    const struct walk_teller *teller; /* NULL: nobody is told */
    const struct path *path;
    enum resolve_how how;
    struct place *place;
    size_t next; /* component of the argument */
    size_t at;   /* the component of the argument from which the current one stems */
    size_t from; /* where the pending link text begins in `text` */
    unsigned hops, steps;
    const struct hidden *below; /* of the first name that does not exist, and then of the last */
    bool from_link;             /* where the current component comes from */
    bool ends_in_slash;
    char text[WALK_PENDING];
    char name[NAME_BYTES + 1]; /* the current component */
};

static croft_status refuse(const struct walk *walk, croft_error *err, croft_status kind,
                           const char *detail, const char *what)
{
    fail(err, kind, 0, what);
    if (err != NULL) {
        err->at = (unsigned)walk->at;
        strncpy(err->detail, detail, sizeof err->detail - 1);
    }
    return kind;
}

static croft_status located(const struct walk *walk, croft_error *err, croft_status status)
{
    if (err != NULL && status != CROFT_OK)
        err->at = (unsigned)walk->at;
    return status;
}

/* What became of the current component. */
static void tell(const struct walk *walk, const char *what, const char *target, size_t size)
{
    const struct walk_step step = {walk->name, walk->from_link, what, target, size};

    if (walk->teller != NULL)
        walk->teller->tell(walk->teller->user, &step);
}

/* ---- components -------------------------------------------------------------------------------- */

/* Takes the next piece of link text into walk->name; it may be "" or ".". */
static croft_status take_from_link(struct walk *walk, croft_error *err)
{
    const char *text = walk->text + walk->from;
    size_t left = WALK_PENDING - walk->from;
    const char *slash = memchr(text, '/', left);
    size_t size = slash == NULL ? left : (size_t)(slash - text);

    if (size > NAME_BYTES)
        return refuse(walk, err, CROFT_BAD_ARGUMENT, "link_long", "a name in a link is too long");
    walk->from_link = true;
    memcpy(walk->name, text, size);
    walk->name[size] = '\0';
    walk->from += size + (slash == NULL ? 0 : 1);
    /* "t/" ends in an empty piece that memchr does not see once the text is used up */
    walk->ends_in_slash =
        size == 0 || strcmp(walk->name, ".") == 0 || (slash != NULL && walk->from == WALK_PENDING);
    return CROFT_OK;
}

static void take_from_argument(struct walk *walk)
{
    const struct component *part = &walk->path->parts[walk->next];

    memcpy(walk->name, walk->path->text + part->from, part->size);
    walk->name[part->size] = '\0';
    walk->at = walk->next++;
    walk->from_link = false;
    walk->ends_in_slash = false;
}

static bool has_next(const struct walk *walk)
{
    return walk->from < WALK_PENDING || walk->next < walk->path->count;
}

static croft_status take(struct walk *walk, croft_error *err)
{
    if (++walk->steps > WALK_STEPS)
        return refuse(walk, err, CROFT_LOOP, "long", "the path has too many steps");
    if (walk->from < WALK_PENDING)
        return take_from_link(walk, err);
    take_from_argument(walk);
    return CROFT_OK;
}

/* ---- directories ------------------------------------------------------------------------------- */

static croft_status pop(struct walk *walk, croft_error *err)
{
    struct place *place = walk->place;
    const struct held *held = place_parent(place);

    if (place->held_count == 1) {
        tell(walk, "outside", NULL, 0);
        return refuse(walk, err, CROFT_OUTSIDE, "link", "a link leaves the root");
    }
    tell(walk, "up", NULL, 0);
    place->root->sys->close(held->fd);
    place->text_size = held->name_from;
    place->text[place->text_size] = '\0';
    place->held_count--;
    return CROFT_OK;
}

/* ---- one component ----------------------------------------------------------------------------- */

/* Puts the text of the link in front of what is pending: a "/" too, where the text that named the link ended in
 * one, and has been used up. */
static croft_status follow(struct walk *walk, int fd, croft_error *err)
{
    const struct sys *sys = walk->place->root->sys;
    char text[PATH_BYTES + 1];
    size_t pending = WALK_PENDING - walk->from;
    size_t size;
    ssize_t count = sys->readlink(fd, text, sizeof text);

    if (count < 0)
        return located(walk, err, fail_io(err, errno, "a link cannot be read"));
    size = (size_t)count;
    tell(walk, type_word(S_IFLNK), text, size);
    if (++walk->hops > WALK_HOPS)
        return refuse(walk, err, CROFT_LOOP, "", "the path has too many links");
    if (size == 0 || size > PATH_BYTES)
        return refuse(walk, err, CROFT_LOOP, "", "a link has no usable text");
    if (text[0] == '/')
        return refuse(walk, err, CROFT_OUTSIDE, "link", "a link is absolute");
    if (size + 1 > walk->from)
        return refuse(walk, err, CROFT_LOOP, "long", "the links of the path are too long");
    if (pending > 0 || walk->ends_in_slash)
        walk->text[--walk->from] = '/';
    walk->from -= size;
    memcpy(walk->text + walk->from, text, size);
    walk->place->by_link = true;
    return CROFT_OK;
}

/* The component is hidden: it is as if it did not exist, and none of that name can be made. */
static croft_status refuse_hidden(struct walk *walk, croft_error *err)
{
    walk->place->is_masked = true;
    tell(walk, "missing", NULL, 0);
    return refuse(walk, err, CROFT_MISSING, "", "it does not exist");
}

/* The component does not exist: for a write it is remembered, with all that follow. */
static croft_status note_missing(struct walk *walk, croft_error *err)
{
    struct place *place = walk->place;

    tell(walk, "missing", NULL, 0);
    if (walk->how != RESOLVE_TARGET && walk->how != RESOLVE_NEW_NAME)
        return refuse(walk, err, CROFT_MISSING, "", "it does not exist");
    if (place->leaf[0] != '\0') { /* the one before was a directory to be made */
        walk->below = hidden_child(walk->below, place->root->sys, -1, walk->name);
        if (hidden_covers(walk->below))
            return refuse_hidden(walk, err);
        bytes_add(&place->missing, place->leaf, strlen(place->leaf) + 1);
        place->missing_at[place->missing_count++] = place->leaf_at;
    }
    strcpy(place->leaf, walk->name);
    place->leaf_at = (uint16_t)walk->at;
    if (place->missing.failed)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    if (place->missing_count >= WALK_HELD)
        return refuse(walk, err, CROFT_BAD_ARGUMENT, "deep", "the path is too deep");
    return CROFT_OK;
}

/* Whether the component at hand is the name that is asked for, as itself. */
static bool is_the_name(const struct walk *walk)
{
    return (walk->how == RESOLVE_NAME || walk->how == RESOLVE_NEW_NAME) && !has_next(walk);
}

static croft_status arrive(struct walk *walk, int fd, const struct node *node, croft_error *err)
{
    struct place *place = walk->place;
    croft_status status;

    if (walk->below != NULL && walk->below->leads_to_mount && !S_ISDIR(node->mode)) {
        place->root->sys->close(fd); /* a directory of the view lies over it */
        return refuse_hidden(walk, err);
    }
    if (S_ISLNK(node->mode) && !is_the_name(walk)) {
        status = follow(walk, fd, err);
        place->root->sys->close(fd);
        return status;
    }
    tell(walk, type_word(node->mode), NULL, 0);
    if (S_ISDIR(node->mode))
        return located(walk, err, place_push(place, walk->name, fd, node, err));
    place->fd = fd;
    place->node = *node;
    strcpy(place->leaf, walk->name);
    return CROFT_OK;
}

/* walk->name is a name, and all before it are directories that exist. */
static croft_status enter(struct walk *walk, croft_error *err)
{
    struct place *place = walk->place;
    const struct held *parent = place_parent(place);
    struct node node;
    croft_status status;
    int fd;

    walk->below = NULL;
    if (parent->hidden != NULL)
        walk->below = hidden_child(parent->hidden, place->root->sys, parent->fd, walk->name);
    if (hidden_covers(walk->below))
        return refuse_hidden(walk, err);
    status = step(place->root, parent->fd, walk->name, &fd, &node, err);
    if (status == CROFT_OK)
        return arrive(walk, fd, &node, err);
    if (status == CROFT_MISSING)
        return note_missing(walk, err);
    tell(walk, "refused", NULL, 0);
    return located(walk, err, status);
}

static croft_status advance(struct walk *walk, croft_error *err)
{
    struct place *place = walk->place;
    bool dots;

    if (walk->name[0] == '\0' || strcmp(walk->name, ".") == 0)
        return CROFT_OK;
    dots = strcmp(walk->name, "..") == 0;
    if (place->fd >= 0) { /* a file was met, and something follows it */
        if (!walk->from_link)
            walk->at--; /* the file is what the component before led to */
        tell(walk, "in_the_way", NULL, 0);
        return refuse(walk, err, CROFT_NOT_A_DIRECTORY, "", "a file stands in the way");
    }
    if (place->leaf[0] != '\0')
        return dots ? refuse(walk, err, CROFT_MISSING, "", "it does not exist")
                    : note_missing(walk, err);
    return dots ? pop(walk, err) : enter(walk, err);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static croft_status start(struct place *place, const struct root *root, croft_error *err)
{
    place_init(place);
    place->root = root;
    place->held = malloc(WALK_HELD * sizeof *place->held); /* each is set when it is held */
    if (place->held == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    place->held[0] = (struct held){.fd = root->fd, .node = root->node, .hidden = root->hidden};
    place->held_count = 1;
    place->has_stack = true;
    return CROFT_OK;
}

/* The path leads to a directory: it becomes the leaf, and its parent the innermost held one. */
static void take_leaf_from_stack(struct place *place)
{
    struct held *last = &place->held[place->held_count - 1];
    const char *name = place->text + last->name_from;

    place->node = last->node;
    place->hidden = last->hidden;
    if (place->held_count == 1) {
        place->fd = place->root->sys->dup(last->fd);
        return;
    }
    place->fd = last->fd;
    strcpy(place->leaf, name[0] == '/' ? name + 1 : name);
    place->held_count--;
}

static croft_status finish(struct walk *walk, croft_error *err)
{
    struct place *place = walk->place;

    place->must_be_directory = walk->path->must_be_directory || walk->ends_in_slash;
    place->hidden = walk->below;
    if (place->fd >= 0) {
        if (place->must_be_directory)
            return refuse(walk, err, CROFT_NOT_A_DIRECTORY, "", "it is not a directory");
        if (place->text_size + strlen(place->leaf) + 2 > sizeof place->text)
            return refuse(walk, err, CROFT_BAD_ARGUMENT, "deep", "the path is too deep");
        if (place->text_size > 0)
            place->text[place->text_size++] = '/';
        strcpy(place->text + place->text_size, place->leaf);
        place->text_size += strlen(place->leaf);
        return CROFT_OK;
    }
    if (place->leaf[0] == '\0') {
        take_leaf_from_stack(place);
        if (place->fd < 0)
            return fail_io(err, errno, "the root cannot be held");
    }
    return CROFT_OK;
}

croft_status resolve_walk(const struct root *root, const struct path *path, enum resolve_how how,
                          struct place *place, croft_error *err)
{
    return resolve_walk_told(root, path, how, place, NULL, err);
}

croft_status resolve_walk_told(const struct root *root, const struct path *path,
                               enum resolve_how how, struct place *place,
                               const struct walk_teller *teller, croft_error *err)
{
    struct walk *walk = malloc(sizeof *walk); /* 33 KiB: too much for a small thread's stack */
    croft_status status = start(place, root, err);

    if (walk == NULL) {
        place_close(place);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    if (status == CROFT_OK) {
        walk->teller = teller;
        walk->path = path;
        walk->how = how;
        walk->place = place;
        walk->next = walk->at = 0;
        walk->from = WALK_PENDING;
        walk->hops = walk->steps = 0;
        walk->below = NULL;
        walk->from_link = walk->ends_in_slash = false;
    }
    while (status == CROFT_OK && has_next(walk)) {
        status = take(walk, err);
        if (status == CROFT_OK)
            status = advance(walk, err);
    }
    if (status == CROFT_OK)
        status = finish(walk, err);
    if (status != CROFT_OK) {
        bool is_masked = place->is_masked;

        place_close(place);
        place->is_masked = is_masked;
    }
    free(walk);
    return status;
}
