/* SPDX-License-Identifier: MIT */
#include "move_permit.h"

#include <string.h>

#include "breach.h"
#include "tree.h"

/* Paths that are judged. */
struct judging {
    const struct permit *permit;
    char from[2 * (PATH_BYTES + NAME_BYTES + 2)], to[2 * (PATH_BYTES + NAME_BYTES + 2)];
    bool is_refused;
};

static bool may_be_at(const struct judging *judging, const char *base,
                      const struct tree_entry *entry, enum path_kind kind)
{
    return permit_entry(judging->permit, base, entry->path, entry->path_size, kind) == ENTRY_SHOWN;
}

static bool judge_entry(void *user, const struct tree_entry *entry)
{
    struct judging *judging = user;
    enum path_kind kind = entry->type == S_IFDIR ? PATH_DIRECTORY
                          : entry->type == 0     ? PATH_EITHER
                                                 : PATH_FILE;

    judging->is_refused |= !may_be_at(judging, judging->from, entry, kind) ||
                           !may_be_at(judging, judging->to, entry, kind);
    return !judging->is_refused;
}

static croft_status refuse(croft_error *err)
{
    return fail_detail(err, CROFT_DENIED, "contents", "something in it may not be moved");
}

/* What was not looked at may be anything. */
static croft_status walk(struct judging *judging, const struct root *root, int fd,
                         const struct move_options *options, croft_error *err)
{
    struct root whole = *root; /* what the permit hides is judged, too */
    struct tree_notes notes;
    struct tree_options wanted = {
        .depth_ceiling = options->depth, .budget = options->budget, .with_reserved = true};
    croft_status status;

    whole.permit = NULL;
    status = tree_walk(&whole, fd, &wanted, judge_entry, judging, &notes, err);
    if (status != CROFT_OK)
        return status;
    if (judging->is_refused || notes.unreadable > 0 || notes.deep > 0)
        return refuse(err);
    if (!notes.stopped)
        return CROFT_OK;
    options->budget->breach = BREACH_TIME; /* no half of it is enough */
    return fail_breach(options->budget, err);
}

croft_status move_permit(const struct place *from, const struct place *to, const struct path *path,
                         const struct move_options *options, croft_error *err)
{
    const struct root *root = from->root;
    struct judging judging = {.permit = root->permit};
    struct node node;
    croft_status status;
    int fd;

    if (place_path(from, judging.from, sizeof judging.from) >= sizeof judging.from ||
        place_path(to, judging.to, sizeof judging.to) >= sizeof judging.to)
        return refuse(err);
    if (permit_entry(root->permit, "", judging.to, strlen(judging.to), PATH_DIRECTORY) !=
        ENTRY_SHOWN)
        return refuse(err);
    if (open_place(from, path, S_IFDIR, &fd, &node, err) != CROFT_OK)
        return refuse(err);
    status = walk(&judging, root, fd, options, err);
    root->sys->close(fd);
    return status;
}
