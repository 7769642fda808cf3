/* SPDX-License-Identifier: MIT */
/*
 * Every entry of the checkout is looked at, and each link is resolved as open(2) would, by the one walk
 * that there is for paths. What cannot be looked at is refused as well: it may hold anything.
 *
 * A mount inside is refused and not crossed: what lies on it is no part of the checkout, was not there
 * when the checkout was made, and may be another tomorrow.
 */
#include "links.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "pins.h"
#include "resolve.h"
#include "tree.h"
#include "utf8.h"

enum { DEPTH = 100, HOURS = 24 };

struct verifier {
    const struct root *root;
    croft_link_function *report;
    void *user;
    uint64_t faults;
    struct bytes path, shown, reason; /* working memory */
    croft_status status;              /* of what keeps the whole from being looked at */
    croft_error *err;
};

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refuse(struct verifier *verifier, croft_status kind, const char *reason)
{
    croft_link_fault fault = {.kind = kind, .reason = reason};

    bytes_clear(&verifier->shown);
    utf8_add_name(&verifier->shown, verifier->path.data, verifier->path.size);
    fault.path = bytes_end(&verifier->path);
    fault.shown = bytes_end(&verifier->shown);
    verifier->faults++;
    if (verifier->path.failed || verifier->shown.failed || verifier->reason.failed)
        verifier->status = fail(verifier->err, CROFT_INTERNAL, ENOMEM, "out of memory");
    else if (verifier->report != NULL)
        verifier->report(verifier->user, &fault);
}

static void refuse_entry(struct verifier *verifier, const struct tree_entry *entry,
                         croft_status kind, const char *reason)
{
    bytes_clear(&verifier->path);
    bytes_add(&verifier->path, entry->path, entry->path_size);
    refuse(verifier, kind, reason);
}

static void refuse_read_only(struct verifier *verifier, const struct tree_entry *entry,
                             const char *name)
{
    struct bytes *reason = &verifier->reason;
    bool inside = strchr(entry->path, '/') != NULL;

    bytes_clear(reason);
    bytes_add_text(reason, inside ? "lies in the read-only \"" : "has the read-only name \"");
    utf8_add_name(reason, name, strlen(name));
    bytes_add_char(reason, '"');
    refuse_entry(verifier, entry, CROFT_READ_ONLY, bytes_end(reason));
}

/* ---- directories ------------------------------------------------------------------------------- */

static void refuse_directory(void *user, const char *path, size_t size, croft_status why)
{
    struct verifier *verifier = user;

    bytes_clear(&verifier->path);
    bytes_add(&verifier->path, path, size);
    bytes_add_char(&verifier->path, '/');
    switch (why) {
    case CROFT_TOO_MANY: refuse(verifier, why, "lies too deep to be looked at"); break;
    case CROFT_CROSSES_MOUNT: refuse(verifier, why, "is a mount"); break;
    case CROFT_MISSING:
    case CROFT_CHANGED:
    case CROFT_LOOP: /* O_NOFOLLOW met a link */
    case CROFT_NOT_A_DIRECTORY:
        refuse(verifier, CROFT_CHANGED, "changed while it was looked at");
        break;
    default: refuse(verifier, why, "cannot be read");
    }
}

/* ---- links ------------------------------------------------------------------------------------- */

/* Whether the link's own text begins at the root of the system. CROFT_CHANGED when it is no link now. */
static croft_status look_at_text(const struct root *root, const struct tree_entry *entry,
                                 bool *absolute)
{
    struct node node;
    char first = '\0';
    int fd;
    croft_status status = step(root, entry->dir, entry->name, &fd, &node, NULL);

    if (status != CROFT_OK)
        return status;
    if (!S_ISLNK(node.mode))
        status = CROFT_CHANGED;
    else if (root->sys->readlink(fd, &first, 1) != 1)
        status = CROFT_IO;
    root->sys->close(fd);
    *absolute = first == '/';
    return status;
}

static croft_status follow(const struct root *root, const struct tree_entry *entry,
                           struct verifier *verifier)
{
    struct path path;
    struct place place;
    croft_status status;

    /* From "./", so that a directory called "C:" is no drive. */
    bytes_clear(&verifier->path);
    bytes_add_text(&verifier->path, "./");
    bytes_add(&verifier->path, entry->path, entry->path_size);
    if (verifier->path.failed)
        return fail(verifier->err, CROFT_INTERNAL, ENOMEM, "out of memory");
    status = path_parse_raw(verifier->path.data, verifier->path.size, &path, verifier->err);
    if (status != CROFT_OK)
        return status;
    status = resolve(root, &path, RESOLVE_STACK, &place, verifier->err);
    if (status == CROFT_OK)
        place_close(&place);
    return status;
}

static void refuse_target(struct verifier *verifier, const struct tree_entry *entry,
                          croft_status status)
{
    static const struct {
        croft_status status, kind;
        const char *reason;
    } reasons[] = {
        {CROFT_OUTSIDE, CROFT_OUTSIDE, "leads outside"},
        {CROFT_MISSING, CROFT_MISSING, "leads to nothing"},
        {CROFT_NOT_A_DIRECTORY, CROFT_MISSING, "leads to nothing: a file is taken for a directory"},
        {CROFT_LOOP, CROFT_LOOP, "leads through too many links"},
        {CROFT_CROSSES_MOUNT, CROFT_CROSSES_MOUNT, "leads across a mount"},
        {CROFT_BAD_ARGUMENT, CROFT_BAD_ARGUMENT, "is too long or too deep to be followed"},
        {CROFT_CHANGED, CROFT_CHANGED, "changed while it was looked at"},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].status == status) {
            refuse_entry(verifier, entry, reasons[i].kind, reasons[i].reason);
            return;
        }
    }
    refuse_entry(verifier, entry, status, "cannot be followed");
}

static void check_link(struct verifier *verifier, const struct tree_entry *entry)
{
    const char *name = root_protects(verifier->root, entry->path, strcspn(entry->path, "/"));
    bool absolute = false;
    croft_status status;

    if (name != NULL) {
        refuse_read_only(verifier, entry, name);
        return;
    }
    status = look_at_text(verifier->root, entry, &absolute);
    if (absolute) {
        refuse_entry(verifier, entry, CROFT_OUTSIDE, "has an absolute target");
        return;
    }
    if (status == CROFT_OK)
        status = follow(verifier->root, entry, verifier);
    if (status == CROFT_GONE || status == CROFT_INTERNAL || status == CROFT_EXHAUSTED)
        verifier->status = status;
    else if (status != CROFT_OK)
        refuse_target(verifier, entry, status);
}

/* The type is the inode's own: what a listing says of it is hearsay. */
static bool visit(void *user, const struct tree_entry *entry)
{
    struct verifier *verifier = user;
    const struct root *root = verifier->root;
    struct node node;

    if (entry->type == S_IFDIR) /* entered, or given to refuse_directory */
        return verifier->status == CROFT_OK;
    if (root->sys->node_at(entry->dir, entry->name, &node) != 0)
        refuse_entry(verifier, entry, status_of_errno(errno), "cannot be looked at");
    else if (!root_allows_mount(root, &node))
        refuse_entry(verifier, entry, CROFT_CROSSES_MOUNT, "is a mount");
    else if (S_ISLNK(node.mode))
        check_link(verifier, entry);
    else if (S_ISDIR(node.mode))
        refuse_entry(verifier, entry, CROFT_CHANGED, "changed while it was looked at");
    return verifier->status == CROFT_OK;
}

/* ---- the whole --------------------------------------------------------------------------------- */

static croft_status verdict(const struct verifier *verifier, const struct tree_notes *notes)
{
    if (verifier->status != CROFT_OK)
        return verifier->status;
    if (notes->stopped)
        return fail(verifier->err, CROFT_STOPPED, 0, "it took more than a day");
    if (verifier->faults == 0)
        return CROFT_OK;
    return fail_format(verifier->err, CROFT_DENIED, 0,
                       verifier->faults == 1 ? "%" PRIu64 " entry cannot be trusted"
                                             : "%" PRIu64 " entries cannot be trusted",
                       verifier->faults);
}

static croft_status verify(struct verifier *verifier)
{
    const struct sys *sys = verifier->root->sys;
    struct budget budget;
    struct tree_notes notes;
    struct tree_options options = {.depth_ceiling = DEPTH,
                                   .budget = &budget,
                                   .with_reserved = true,
                                   .skip = refuse_directory,
                                   .skip_user = verifier};
    int fd = sys->openat(verifier->root->fd, ".", O_RDONLY | O_DIRECTORY, 0);
    croft_status status;

    if (fd < 0)
        return fail_errno(verifier->err, errno, "the root is not readable");
    budget_start(&budget, UINT64_MAX / 2, HOURS * 3600 * 1000, NULL);
    status = tree_walk(verifier->root, fd, &options, visit, verifier, &notes, verifier->err);
    sys->close(fd);
    return status == CROFT_OK ? verdict(verifier, &notes) : status;
}

croft_status links_verify_root(const struct root *root, croft_link_function *report, void *user,
                               croft_error *err)
{
    struct verifier verifier = {.root = root, .report = report, .user = user, .err = err};
    croft_status status = verify(&verifier);

    bytes_free(&verifier.path);
    bytes_free(&verifier.shown);
    bytes_free(&verifier.reason);
    return status;
}

croft_status links_verify(const char *checkout, const char *const *read_only, size_t count,
                          const struct sys *sys, croft_link_function *report, void *user,
                          croft_error *err)
{
    croft_view_options options = {.size = sizeof options,
                                  .one_file_system = true,
                                  .resolver = CROFT_RESOLVER_WALK,
                                  .read_only_names = read_only,
                                  .read_only_count = count};
    struct root *root = NULL;
    croft_status status = root_open(checkout, &options, sys, &root, err);

    if (status == CROFT_OK)
        status = pins_hold(root, &options, err);
    if (status == CROFT_OK)
        status = links_verify_root(root, report, user, err);
    root_close(root);
    return status;
}
