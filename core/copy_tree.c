/* SPDX-License-Identifier: MIT */
/*
 * One walk over the source gives its entries in order; the directories of the copy that lead to the one at
 * hand are held, one for each level. Everything is made by a name in a held directory, and by O_EXCL or its
 * like, so that nothing that lies there already is ever written to.
 */
#include "copy_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "copy_file.h"
#include "resolve.h"
#include "tree.h"
#include "utf8.h"

enum { DEPTH = 100, HOURS = 24, TRIES = 3 };

struct copier {
    struct copy_tree *copy;
    const struct sys *sys;
    struct tree *tree;
    int dirs[DEPTH + 2]; /* of the copy: [0] is borrowed */
    size_t count;
    bool again; /* what is there is no beginning of this copy */
    struct bytes shown, reason;
    croft_status status; /* of a directory that the walk could not enter */
    croft_error *err;
};

/* ---- what is left out -------------------------------------------------------------------------- */

static void tell(struct copier *c, const char *path, size_t size, croft_status kind,
                 const char *reason)
{
    croft_link_fault fault = {.path = path, .kind = kind, .reason = reason};

    bytes_clear(&c->shown);
    utf8_add_name(&c->shown, path, size);
    fault.shown = bytes_end(&c->shown);
    if (++c->copy->copied->left_out > c->copy->told && c->copy->report != NULL)
        c->copy->report(c->copy->user, &fault);
}

/* Something that belongs to a copy: the end of a strict one. A mount and what has no content are no
 * loss. */
static croft_status lose(struct copier *c, const char *path, size_t size, croft_status kind,
                         const char *reason)
{
    tell(c, path, size, kind, reason);
    c->copy->copied->unreadable += kind != CROFT_CROSSES_MOUNT && kind != CROFT_NOT_REGULAR;
    if (!c->copy->strict)
        return CROFT_OK;
    return fail_format(c->err, kind, 0, "\"%.300s\" %s", bytes_end(&c->shown), reason);
}

static croft_status lose_entry(struct copier *c, const struct tree_entry *entry, croft_status kind,
                               const char *reason)
{
    return lose(c, entry->path, entry->path_size, kind, reason);
}

static void skip_directory(void *user, const char *path, size_t size, croft_status why)
{
    struct copier *c = user;
    croft_status status;

    if (why == CROFT_CROSSES_MOUNT)
        status = lose(c, path, size, why, "is a mount");
    else
        status = lose(c, path, size, why, "cannot be read");
    if (c->status == CROFT_OK)
        c->status = status;
}

/* The read-only name or name to be skipped that keeps an entry out; NULL: none. */
static const char *find_rule(struct copier *c, const struct tree_entry *entry,
                             const struct node *node, bool *asked)
{
    const struct root *from = c->copy->from;
    const char *name = NULL;

    if (entry->level == 0)
        name = root_protects(from, entry->name, strlen(entry->name));
    if (name == NULL && S_ISDIR(node->mode))
        name = root_pins(from, node);
    for (size_t i = 0; name != NULL && i < from->name_count; i++)
        if (from->names[i].name == name)
            *asked = i >= c->copy->asked_from;
    return name;
}

static bool is_left_out(struct copier *c, const struct tree_entry *entry, const struct node *node)
{
    bool asked = false;
    const char *name = find_rule(c, entry, node, &asked);

    if (name == NULL && !name_is_reserved(entry->name, strlen(entry->name)))
        return false;
    tree_prune(c->tree);
    if (name == NULL) {
        tell(c, entry->path, entry->path_size, CROFT_BAD_ARGUMENT, "has a name of croft's own");
        return true;
    }
    bytes_clear(&c->reason);
    bytes_add_text(&c->reason, asked ? "is to be left out: \"" : "is read-only: \"");
    utf8_add_name(&c->reason, name, strlen(name));
    bytes_add_char(&c->reason, '"');
    tell(c, entry->path, entry->path_size, CROFT_READ_ONLY, bytes_end(&c->reason));
    return true;
}

/* ---- what is there already --------------------------------------------------------------------- */

static int top(const struct copier *c)
{
    return c->dirs[c->count - 1];
}

static croft_status fail_make(struct copier *c, int number)
{
    return fail_errno(c->err, number, "the copy cannot be made");
}

/* Makes room for what an earlier run left half done. */
static croft_status clear(struct copier *c, const char *name)
{
    if (!c->copy->resumed)
        return fail(c->err, CROFT_ALREADY_EXISTS, EEXIST, "two names are one where the copy is");
    if (c->sys->unlink(top(c), name, 0) == 0)
        return CROFT_OK;
    c->again = true; /* a directory where none belongs */
    return fail_make(c, errno);
}

/* Whether the copy has the content, and lets nobody in whom the source keeps out. */
static bool has_file(struct copier *c, const char *name, int from, const struct node *wanted)
{
    const struct sys *sys = c->sys;
    struct node node;
    bool same;
    int fd;

    if (!c->copy->resumed || sys->node_at(top(c), name, &node) != 0 || !S_ISREG(node.mode) ||
        (node.mode & 07777 & ~(wanted->mode & 0777)) != 0 || node.size != wanted->size ||
        node.links != 1)
        return false;
    fd = sys->openat(top(c), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return false;
    same = copy_is_same(sys, fd, from, node.size);
    sys->close(fd);
    return same;
}

/* ---- files ------------------------------------------------------------------------------------- */

static croft_status write_file(struct copier *c, const char *name, int from,
                               const struct node *node, bool *shared)
{
    const struct sys *sys = c->sys;
    enum { FLAGS = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW };
    int to = sys->openat(top(c), name, FLAGS, node->mode & 0777);
    croft_status status = CROFT_OK;

    if (to < 0 && errno == EEXIST) {
        status = clear(c, name);
        if (status == CROFT_OK)
            to = sys->openat(top(c), name, FLAGS, node->mode & 0777);
    }
    if (status == CROFT_OK && to < 0)
        status = fail_make(c, errno);
    if (status != CROFT_OK)
        return status;
    status = copy_file(sys, from, to, node->size, shared, c->err);
    if (sys->close(to) != 0 && status == CROFT_OK) /* some tell only here that it did not fit */
        status = fail_make(c, errno);
    return status;
}

static void count_file(struct copier *c, const struct node *node, bool kept, bool shared)
{
    croft_copied *copied = c->copy->copied;

    copied->files++;
    copied->bytes += node->size;
    copied->kept += kept;
    copied->shared += shared;
}

/* CROFT_CHANGED when somebody wrote to it meanwhile: what was copied may be neither old nor new. */
static croft_status copy_open(struct copier *c, const char *name, int from, const struct node *node)
{
    struct node after;
    bool shared = false, kept = has_file(c, name, from, node);
    croft_status status = kept ? CROFT_OK : write_file(c, name, from, node, &shared);

    if (status == CROFT_OK && c->sys->node(from, &after) != 0)
        status = fail_io(c->err, errno, "it cannot be examined");
    if (status == CROFT_OK && !node_unchanged(node, &after))
        status = fail(c->err, CROFT_CHANGED, 0, "it was changed while it was copied");
    if (status == CROFT_OK)
        count_file(c, node, kept, shared);
    else if (status == CROFT_CHANGED)
        c->sys->unlink(top(c), name, 0);
    return status;
}

static croft_status copy_one(struct copier *c, const struct tree_entry *entry)
{
    croft_status status = CROFT_CHANGED;

    for (int tries = 0; tries < TRIES && status == CROFT_CHANGED; tries++) {
        struct node node;
        int from;

        status = open_entry(c->copy->from, entry->dir, entry->name, S_IFREG, &from, &node, c->err);
        if (status != CROFT_OK)
            return lose_entry(c, entry, status, "cannot be read");
        status = copy_open(c, entry->name, from, &node);
        c->sys->close(from);
    }
    if (status == CROFT_CHANGED && !c->again)
        return lose_entry(c, entry, status, "changed while it was copied");
    return status;
}

/* ---- links ------------------------------------------------------------------------------------- */

/* The text of the link `name`, ended by NUL, in `text` of PATH_BYTES + 1 bytes. */
static bool read_link(struct copier *c, int dir, const char *name, char *text)
{
    int fd = c->sys->openat(dir, name, O_PATH | O_NOFOLLOW, 0);
    ssize_t size = fd < 0 ? -1 : c->sys->readlink(fd, text, PATH_BYTES + 1);

    if (fd >= 0)
        c->sys->close(fd);
    if (size <= 0 || size > PATH_BYTES)
        return false;
    text[size] = '\0';
    return true;
}

static croft_status copy_link(struct copier *c, const struct tree_entry *entry)
{
    char text[PATH_BYTES + 1], there[PATH_BYTES + 1];
    croft_status status = CROFT_OK;

    if (entry->path_size + sizeof "./" > PATH_BYTES) /* it could neither be judged nor removed */
        return lose_entry(c, entry, CROFT_TOO_MANY, "is a link that lies too deep");
    if (!read_link(c, entry->dir, entry->name, text))
        return lose_entry(c, entry, CROFT_CHANGED, "is a link that cannot be read");
    if (c->sys->symlink(top(c), entry->name, text) != 0) {
        if (errno != EEXIST)
            return fail_make(c, errno);
        if (!c->copy->resumed || !read_link(c, top(c), entry->name, there) ||
            strcmp(text, there) != 0) {
            status = clear(c, entry->name);
            if (status == CROFT_OK && c->sys->symlink(top(c), entry->name, text) != 0)
                status = fail_make(c, errno);
        }
    }
    c->copy->copied->links += status == CROFT_OK;
    return status;
}

/* ---- directories ------------------------------------------------------------------------------- */

/* Takes from one that an earlier run made what the source, changed since, does not allow. */
static bool narrow(struct copier *c, int fd, mode_t mode)
{
    struct node node;

    if (!c->copy->resumed)
        return true;
    return c->sys->node(fd, &node) == 0 &&
           ((node.mode & 0777 & ~mode) == 0 ||
            c->sys->fchmod(fd, node.mode & 07777 & (mode | (mode_t)~0777)) == 0);
}

/* Makes it, or enters the one that an earlier run made; its entries come next. */
static croft_status copy_directory(struct copier *c, const struct tree_entry *entry,
                                   const struct node *node)
{
    mode_t mode = (node->mode & 0777) | 0700;
    int fd;

    if (entry->level >= DEPTH) {
        tree_prune(c->tree);
        return lose_entry(c, entry, CROFT_TOO_MANY, "lies too deep");
    }
    if (c->sys->mkdir(top(c), entry->name, mode) != 0 && (errno != EEXIST || !c->copy->resumed))
        return fail_make(c, errno);
    fd = c->sys->openat(top(c), entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0) {
        c->again = c->copy->resumed;
        return fail_make(c, errno);
    }
    if (!narrow(c, fd, mode)) {
        croft_status status = fail_make(c, errno);

        c->sys->close(fd);
        return status;
    }
    c->copy->copied->directories++;
    c->dirs[c->count++] = fd; /* the walk goes no deeper than DEPTH */
    return CROFT_OK;
}

/* Closes the directories that the walk has left. */
static void leave(struct copier *c, size_t level)
{
    while (c->count > level + 1)
        c->sys->close(c->dirs[--c->count]);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static croft_status copy_entry(struct copier *c, const struct tree_entry *entry)
{
    const struct root *from = c->copy->from;
    struct node node;

    leave(c, entry->level);
    if (c->sys->node_at(entry->dir, entry->name, &node) != 0)
        return lose_entry(c, entry, status_of_errno(errno), "cannot be looked at");
    if (is_left_out(c, entry, &node))
        return CROFT_OK;
    if (!root_allows_mount(from, &node)) {
        tree_prune(c->tree);
        return lose_entry(c, entry, CROFT_CROSSES_MOUNT, "is a mount");
    }
    if (S_ISDIR(node.mode) && entry->type == S_IFDIR)
        return copy_directory(c, entry, &node);
    if (S_ISDIR(node.mode) || entry->type == S_IFDIR) {
        tree_prune(c->tree);
        return lose_entry(c, entry, CROFT_CHANGED, "changed while it was copied");
    }
    if (S_ISREG(node.mode))
        return copy_one(c, entry);
    if (S_ISLNK(node.mode))
        return copy_link(c, entry);
    return lose_entry(c, entry, CROFT_NOT_REGULAR, "is no file, directory or link");
}

static croft_status copy_all(struct copier *c, int fd)
{
    struct budget budget;
    struct tree_notes notes;
    struct tree_options options = {.depth_ceiling = DEPTH,
                                   .budget = &budget,
                                   .with_reserved = true,
                                   .skip = skip_directory,
                                   .skip_user = c};
    struct tree_entry entry;
    bool more = true;
    croft_status status;

    budget_start(&budget, UINT64_MAX / 2, HOURS * 3600 * 1000, NULL);
    status = tree_new(c->copy->from, fd, &options, &notes, &c->tree, c->err);
    while (status == CROFT_OK && more) {
        status = tree_next(c->tree, &entry, &more, c->err);
        if (status == CROFT_OK)
            status = c->status;
        if (status == CROFT_OK && more)
            status = copy_entry(c, &entry);
    }
    if (status == CROFT_OK && notes.stopped)
        status = fail(c->err, CROFT_STOPPED, 0, "it took more than a day");
    tree_free(c->tree);
    leave(c, 0);
    return status;
}

croft_status copy_tree(struct copy_tree *copy, enum copy_verdict *verdict, croft_error *err)
{
    struct copier c = {.copy = copy, .sys = copy->from->sys, .count = 1, .err = err};
    int fd = c.sys->openat(copy->from->fd, ".", O_RDONLY | O_DIRECTORY, 0);
    croft_status status;

    *verdict = COPY_WHOLE;
    if (fd < 0)
        return fail_errno(err, errno, "what is to be copied is not readable");
    c.dirs[0] = copy->to;
    status = copy_all(&c, fd);
    c.sys->close(fd);
    if (c.shown.failed || c.reason.failed)
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    bytes_free(&c.shown);
    bytes_free(&c.reason);
    if (!c.again)
        return status;
    *verdict = COPY_AGAIN;
    return CROFT_OK;
}

/* ---- what is there ----------------------------------------------------------------------------- */

static bool count_entry(void *user, const struct tree_entry *entry)
{
    (void)entry;
    ++*(uint64_t *)user;
    return true;
}

croft_status copy_count(const struct root *to, uint64_t *count, croft_error *err)
{
    struct budget budget;
    struct tree_notes notes;
    struct tree_options options = {
        .depth_ceiling = 2 * DEPTH, .budget = &budget, .with_reserved = true};
    int fd = to->sys->openat(to->fd, ".", O_RDONLY | O_DIRECTORY, 0);
    croft_status status;

    *count = 0;
    if (fd < 0)
        return fail_errno(err, errno, "the copy cannot be looked at");
    budget_start(&budget, UINT64_MAX / 2, HOURS * 3600 * 1000, NULL);
    status = tree_walk(to, fd, &options, count_entry, count, &notes, err);
    to->sys->close(fd);
    return status;
}
