/* SPDX-License-Identifier: MIT */
/* The walk keeps one level for each directory that it is in: its descriptor and its sorted entries. */
#include "tree.h"

#include "breach.h"
#include "tree_level.h"
#include "utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_BETWEEN_LOOKS = 64, EXCLUDED_NAMES = 8 };

struct tree {
    const struct root *root;
    const struct tree_options *options;
    struct tree_notes *notes;
    struct dir *dir;           /* working memory of level_read */
    struct tree_level *levels; /* `capacity` of them: their memory is used again */
    size_t count, capacity;    /* count: directories that the walk is in */
    struct bytes path;         /* of the entry at hand, ended by NUL */
    size_t excluded_shown;
    unsigned seen;
    struct tree_entry
        last; /* a directory that was given and not looked into yet; path NULL: none */
};

/* ---- notes ---- */

static void keep_first(uint64_t count, char *first, const struct tree *tree)
{
    size_t size = tree->path.size < PATH_BYTES ? tree->path.size : PATH_BYTES;

    if (count != 1)
        return;
    memcpy(first, tree->path.data, size);
    first[size] = '\0';
}

/* The directory at hand. */
static void tell_skip(const struct tree *tree, croft_status why)
{
    if (tree->options->skip != NULL)
        tree->options->skip(tree->options->skip_user, tree->path.data, tree->path.size, why);
}

static void note_unreadable(struct tree *tree)
{
    keep_first(++tree->notes->unreadable, tree->notes->first_unreadable, tree);
}

static void note_excluded(struct tree *tree)
{
    struct tree_notes *notes = tree->notes;
    struct bytes shown = {0};
    size_t used = strlen(notes->excluded_names);

    notes->excluded++;
    if (tree->excluded_shown == EXCLUDED_NAMES)
        return;
    utf8_add_name(&shown, tree->path.data, tree->path.size);
    if (!shown.failed && used + shown.size + 2 <= sizeof notes->excluded_names) {
        if (used > 0)
            notes->excluded_names[used++] = '\n';
        memcpy(notes->excluded_names + used, shown.data, shown.size);
        notes->excluded_names[used + shown.size] = '\0';
        tree->excluded_shown++;
    }
    bytes_free(&shown);
}

/* ---- levels ---- */

static struct tree_level *top(struct tree *tree)
{
    return &tree->levels[tree->count - 1];
}

static bool make_level(struct tree *tree)
{
    size_t capacity = tree->capacity == 0 ? 8 : tree->capacity * 2;
    struct tree_level *levels;

    if (tree->count < tree->capacity)
        return true;
    levels = realloc(tree->levels, capacity * sizeof *levels);
    if (levels == NULL)
        return false;
    memset(levels + tree->capacity, 0, (capacity - tree->capacity) * sizeof *levels);
    tree->levels = levels;
    tree->capacity = capacity;
    return true;
}

static void leave(struct tree *tree)
{
    struct tree_level *level = top(tree);

    if (tree->count > 1 && level->fd >= 0)
        tree->root->sys->close(level->fd);
    mount_release(level->mount);
    level->mount = NULL;
    tree->count--;
}

static croft_status fail_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* A directory that the walk is about to enter: what struct tree_level says of it. */
struct entered {
    int fd;
    const struct root *root;
    const struct hidden *hidden;
    struct mount *mount;
};

/* Puts the directory on top, whose path is the walk's, and reads it. Owns its descriptor then. */
static croft_status enter(struct tree *tree, const struct entered *entered, croft_error *err)
{
    struct tree_level *level = &tree->levels[tree->count++];
    bool start = tree->count == 1;

    level->fd = entered->fd;
    level->root = entered->root;
    level->hidden = entered->hidden;
    level->mount = entered->mount;
    level->most = tree->options->most;
    switch (level_read(level, tree->dir, tree->options->with_reserved, tree->options->budget)) {
    case LEVEL_READ: break;
    case LEVEL_NO_MEMORY: return fail_memory(err);
    case LEVEL_BREACH: return fail_breach(tree->options->budget, err);
    case LEVEL_BROKEN:
        if (start)
            return fail_errno(err, tree->dir->sys_errno, "the directory cannot be read");
        tell_skip(tree, status_of_errno(tree->dir->sys_errno));
        if (tree->dir->sys_errno != ENOENT) /* it was removed meanwhile */
            note_unreadable(tree);
    }
    tree->notes->left_out += level->left_out;
    tree->options->budget->done += level->left_out;
    if (!start)
        bytes_add_char(&tree->path, '/');
    level->path_size = tree->path.size;
    return CROFT_OK;
}

/* Why a directory was not entered. One that is gone, or is none any more, is no news. */
static croft_status note_refusal(struct tree *tree, croft_status status)
{
    tell_skip(tree, status);
    switch (status) {
    case CROFT_MISSING:
    case CROFT_CHANGED:
    case CROFT_NOT_A_DIRECTORY:
    case CROFT_LOOP: break;
    case CROFT_CROSSES_MOUNT: tree->notes->other_mounts++; break;
    default: note_unreadable(tree);
    }
    return CROFT_OK;
}

/* Opens another tree that lies at the entry. */
static croft_status open_mount(struct entered *entered)
{
    struct node node;
    croft_status status = mount_hold(entered->mount, &entered->root, NULL);

    if (status != CROFT_OK) {
        entered->mount = NULL;
        return status;
    }
    status = open_entry(entered->root, entered->root->fd, ".", S_IFDIR, &entered->fd, &node, NULL);
    if (status != CROFT_OK)
        mount_release(entered->mount);
    return status;
}

static croft_status open_directory(const struct tree_entry *entry, struct entered *entered)
{
    struct node node;
    croft_status status = CROFT_MISSING;

    if (entered->mount != NULL)
        return open_mount(entered);
    if (entry->dir >= 0)
        status =
            open_entry(entered->root, entry->dir, entry->name, S_IFDIR, &entered->fd, &node, NULL);
    if (status == CROFT_OK || entered->hidden == NULL || !entered->hidden->leads_to_mount)
        return status;
    return CROFT_OK; /* there are the mounts below, and nothing else */
}

/* The directory at hand, an entry of the top level. */
static croft_status open_level(struct tree *tree, const struct tree_entry *entry, croft_error *err)
{
    struct entered entered = {.fd = -1, .root = entry->root};
    croft_status status;

    if (!make_level(tree))
        return fail_memory(err);
    if (top(tree)->hidden != NULL)
        entered.hidden = hidden_child(top(tree)->hidden, entry->root->sys, entry->dir, entry->name);
    if (entered.hidden != NULL)
        entered.mount = entered.hidden->mount;
    status = open_directory(entry, &entered);
    if (status != CROFT_OK)
        return note_refusal(tree, status);
    if (entered.mount == NULL)
        entered.mount = mount_share(top(tree)->mount);
    return enter(tree, &entered, err);
}

/* ---- entries ---- */

static mode_t mode_of_type(unsigned char type)
{
    return (mode_t)type << 12; /* as DTTOIF has it */
}

/* Writes the path of the top level's next item; false when it is out of memory. */
static bool take_item(struct tree *tree, struct tree_entry *entry)
{
    struct tree_level *level = top(tree);
    const struct tree_item *item = &level->items[level->next++];

    tree->path.size = level->path_size;
    bytes_add(&tree->path, level->names.data + item->at, item->size);
    bytes_end(&tree->path);
    if (tree->path.failed)
        return false;
    *entry = (struct tree_entry){.path = tree->path.data,
                                 .path_size = tree->path.size,
                                 .name = tree->path.data + level->path_size,
                                 .type = mode_of_type(item->type),
                                 .root = level->root,
                                 .mount = level->mount,
                                 .dir = level->fd,
                                 .level = tree->count - 1};
    return true;
}

static bool is_excluded(const struct tree *tree, const struct tree_entry *entry)
{
    for (size_t i = 0; i < tree->options->exclude_count; i++) {
        if (glob_fits(tree->options->exclude[i], entry->path, entry->path_size,
                      entry->type == S_IFDIR))
            return true;
    }
    return false;
}

/* Whether to go down into the directory at hand, as far as can be told without opening it. */
static bool wants_below(struct tree *tree, const struct tree_entry *entry)
{
    const struct tree_options *options = tree->options;

    if (options->depth != 0 && entry->level + 1 >= options->depth) {
        tree->notes->at_depth++;
        return false;
    }
    if (options->only_below != NULL &&
        !glob_may_fit_below(options->only_below, entry->path, entry->path_size))
        return false;
    if (entry->level < options->depth_ceiling)
        return true;
    keep_first(++tree->notes->deep, tree->notes->first_deep, tree);
    tell_skip(tree, CROFT_TOO_MANY);
    return false;
}

/* Ends the walk in order, before the budget ends it without. */
static bool is_short(struct tree *tree)
{
    tree->options->budget->done++;
    if (tree->seen++ % ENTRIES_BETWEEN_LOOKS == 0 && budget_is_short(tree->options->budget))
        tree->notes->stopped = true;
    return tree->notes->stopped;
}

/* Whether the entry is there for the one who asked; one that is not may be entered all the same. */
static bool is_covered(struct tree *tree, const struct tree_entry *entry)
{
    const struct permit *permit = tree->root->permit;
    enum path_kind kind = entry->type == S_IFDIR ? PATH_DIRECTORY
                          : entry->type == 0     ? PATH_EITHER
                                                 : PATH_FILE;

    if (permit == NULL)
        return true;
    switch (permit_entry(permit, tree->options->base, entry->path, entry->path_size, kind)) {
    case ENTRY_SHOWN: return true;
    case ENTRY_HIDDEN:
        if (kind == PATH_DIRECTORY)
            tree->last = *entry;
        return false;
    default: return false;
    }
}

/* Takes an entry of the top level: given, left out, or the one at which the walk ends itself. */
static croft_status take_entry(struct tree *tree, struct tree_entry *entry, bool *given, bool *more,
                               croft_error *err)
{
    struct budget *budget = tree->options->budget;

    if (!take_item(tree, entry))
        return fail_memory(err);
    if (is_short(tree)) {
        *more = false;
        return budget->breach == BREACH_NONE ? CROFT_OK : fail_breach(budget, err);
    }
    if (!is_covered(tree, entry))
        return CROFT_OK;
    if (is_excluded(tree, entry))
        note_excluded(tree);
    else
        *given = true;
    return CROFT_OK;
}

/* Goes down into the directory that was given last, where that is wanted. */
static croft_status enter_last(struct tree *tree, croft_error *err)
{
    const struct tree_entry last = tree->last;

    tree->last.path = NULL;
    if (last.path == NULL || !wants_below(tree, &last))
        return CROFT_OK;
    return open_level(tree, &last, err);
}

croft_status tree_next(struct tree *tree, struct tree_entry *entry, bool *more, croft_error *err)
{
    croft_status status = enter_last(tree, err);
    bool given = false;

    *more = true;
    while (status == CROFT_OK && *more && !given) {
        if (tree->last.path != NULL)
            status = enter_last(tree, err);
        else if (tree->count == 0)
            *more = false;
        else if (top(tree)->next < top(tree)->count)
            status = take_entry(tree, entry, &given, more, err);
        else
            leave(tree);
    }
    if (given && entry->type == S_IFDIR)
        tree->last = *entry;
    return status;
}

void tree_prune(struct tree *tree)
{
    tree->last.path = NULL;
}

croft_status tree_new(const struct root *root, int fd, const struct tree_options *options,
                      struct tree_notes *notes, struct tree **out, croft_error *err)
{
    struct entered entered = {.fd = fd, .root = root, .hidden = options->hidden};
    struct tree *tree = calloc(1, sizeof *tree);
    croft_status status;

    memset(notes, 0, sizeof *notes);
    if (tree == NULL)
        return fail_memory(err);
    tree->root = root;
    tree->options = options;
    tree->notes = notes;
    tree->dir = malloc(sizeof *tree->dir);
    status = tree->dir == NULL || !make_level(tree) ? fail_memory(err) : enter(tree, &entered, err);
    if (status != CROFT_OK)
        tree_free(tree);
    else
        *out = tree;
    return status;
}

void tree_free(struct tree *tree)
{
    if (tree == NULL)
        return;
    while (tree->count > 0)
        leave(tree);
    for (size_t i = 0; i < tree->capacity; i++)
        level_free(&tree->levels[i]);
    free(tree->levels);
    free(tree->dir);
    bytes_free(&tree->path);
    free(tree);
}

croft_status tree_walk(const struct root *root, int fd, const struct tree_options *options,
                       tree_visit *visit, void *user, struct tree_notes *notes, croft_error *err)
{
    struct tree *tree = NULL;
    struct tree_entry entry;
    croft_status status = tree_new(root, fd, options, notes, &tree, err);
    bool more = true;

    if (status != CROFT_OK || tree == NULL)
        return status;
    while (status == CROFT_OK && more) {
        status = tree_next(tree, &entry, &more, err);
        if (status == CROFT_OK && more)
            more = visit(user, &entry);
    }
    tree_free(tree);
    return status;
}
