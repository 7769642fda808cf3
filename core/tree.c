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

struct walk {
    const struct root *root;
    const struct tree_options *options;
    struct tree_notes *notes;
    struct dir *dir;           /* working memory of level_read */
    struct tree_level *levels; /* `capacity` of them: their memory is used again */
    size_t count, capacity;    /* count: directories that the walk is in */
    struct bytes path;         /* of the entry at hand, ended by NUL */
    size_t excluded_shown;
    unsigned seen;
};

/* ---- notes ---- */

static void keep_first(uint64_t count, char *first, const struct walk *walk)
{
    size_t size = walk->path.size < PATH_BYTES ? walk->path.size : PATH_BYTES;

    if (count != 1)
        return;
    memcpy(first, walk->path.data, size);
    first[size] = '\0';
}

/* The directory at hand. */
static void tell_skip(const struct walk *walk, croft_status why)
{
    if (walk->options->skip != NULL)
        walk->options->skip(walk->options->skip_user, walk->path.data, walk->path.size, why);
}

static void note_unreadable(struct walk *walk)
{
    keep_first(++walk->notes->unreadable, walk->notes->first_unreadable, walk);
}

static void note_excluded(struct walk *walk)
{
    struct tree_notes *notes = walk->notes;
    struct bytes shown = {0};
    size_t used = strlen(notes->excluded_names);

    notes->excluded++;
    if (walk->excluded_shown == EXCLUDED_NAMES)
        return;
    utf8_add_name(&shown, walk->path.data, walk->path.size);
    if (!shown.failed && used + shown.size + 2 <= sizeof notes->excluded_names) {
        if (used > 0)
            notes->excluded_names[used++] = '\n';
        memcpy(notes->excluded_names + used, shown.data, shown.size);
        notes->excluded_names[used + shown.size] = '\0';
        walk->excluded_shown++;
    }
    bytes_free(&shown);
}

/* ---- levels ---- */

static struct tree_level *top(struct walk *walk)
{
    return &walk->levels[walk->count - 1];
}

static bool make_level(struct walk *walk)
{
    size_t capacity = walk->capacity == 0 ? 8 : walk->capacity * 2;
    struct tree_level *levels;

    if (walk->count < walk->capacity)
        return true;
    levels = realloc(walk->levels, capacity * sizeof *levels);
    if (levels == NULL)
        return false;
    memset(levels + walk->capacity, 0, (capacity - walk->capacity) * sizeof *levels);
    walk->levels = levels;
    walk->capacity = capacity;
    return true;
}

static void leave(struct walk *walk)
{
    if (walk->count > 1)
        walk->root->sys->close(top(walk)->fd);
    walk->count--;
}

static croft_status fail_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* Puts the directory `fd` on top, whose path is the walk's, and reads it. Owns `fd` then. */
static croft_status enter(struct walk *walk, int fd, croft_error *err)
{
    struct tree_level *level = &walk->levels[walk->count++];
    bool start = walk->count == 1;

    level->fd = fd;
    switch (level_read(level, walk->dir, walk->root->sys, walk->options->with_reserved,
                       walk->options->budget)) {
    case LEVEL_READ: break;
    case LEVEL_NO_MEMORY: return fail_memory(err);
    case LEVEL_BREACH: return fail_breach(walk->options->budget, err);
    case LEVEL_BROKEN:
        if (start)
            return fail(err, status_of_errno(walk->dir->sys_errno), walk->dir->sys_errno,
                        "the directory cannot be read");
        tell_skip(walk, status_of_errno(walk->dir->sys_errno));
        if (walk->dir->sys_errno != ENOENT) /* it was removed meanwhile */
            note_unreadable(walk);
    }
    if (!start)
        bytes_add_char(&walk->path, '/');
    level->path_size = walk->path.size;
    return CROFT_OK;
}

/* Why a directory was not entered. One that is gone, or is none any more, is no news. */
static croft_status note_refusal(struct walk *walk, croft_status status)
{
    tell_skip(walk, status);
    switch (status) {
    case CROFT_MISSING:
    case CROFT_CHANGED:
    case CROFT_NOT_A_DIRECTORY:
    case CROFT_LOOP: break;
    case CROFT_CROSSES_MOUNT: walk->notes->other_mounts++; break;
    default: note_unreadable(walk);
    }
    return CROFT_OK;
}

/* The directory at hand, an entry of the top level. */
static croft_status open_level(struct walk *walk, const struct tree_entry *entry, croft_error *err)
{
    struct node node;
    croft_status status;
    int fd = -1;

    if (!make_level(walk))
        return fail_memory(err);
    status = open_entry(walk->root, entry->dir, entry->name, S_IFDIR, &fd, &node, NULL);
    if (status != CROFT_OK)
        return note_refusal(walk, status);
    return enter(walk, fd, err);
}

/* ---- entries ---- */

static mode_t mode_of_type(unsigned char type)
{
    return (mode_t)type << 12; /* as DTTOIF has it */
}

/* Writes the path of the top level's next item; false when it is out of memory. */
static bool take_item(struct walk *walk, struct tree_entry *entry)
{
    struct tree_level *level = top(walk);
    const struct tree_item *item = &level->items[level->next++];

    walk->path.size = level->path_size;
    bytes_add(&walk->path, level->names.data + item->at, item->size);
    bytes_end(&walk->path);
    if (walk->path.failed)
        return false;
    *entry = (struct tree_entry){.path = walk->path.data,
                                 .path_size = walk->path.size,
                                 .name = walk->path.data + level->path_size,
                                 .type = mode_of_type(item->type),
                                 .dir = level->fd,
                                 .level = walk->count - 1};
    return true;
}

static bool is_excluded(const struct walk *walk, const struct tree_entry *entry)
{
    for (size_t i = 0; i < walk->options->exclude_count; i++) {
        if (glob_fits(walk->options->exclude[i], entry->path, entry->path_size,
                      entry->type == S_IFDIR))
            return true;
    }
    return false;
}

/* Whether to go down into the directory at hand, as far as can be told without opening it. */
static bool wants_below(struct walk *walk, const struct tree_entry *entry)
{
    const struct tree_options *options = walk->options;

    if (options->depth != 0 && entry->level + 1 >= options->depth)
        return false;
    if (options->only_below != NULL &&
        !glob_may_fit_below(options->only_below, entry->path, entry->path_size))
        return false;
    if (entry->level < options->depth_ceiling)
        return true;
    keep_first(++walk->notes->deep, walk->notes->first_deep, walk);
    tell_skip(walk, CROFT_TOO_MANY);
    return false;
}

/* Ends the walk in order, before the budget ends it without. */
static bool is_short(struct walk *walk)
{
    walk->options->budget->done++;
    if (walk->seen++ % ENTRIES_BETWEEN_LOOKS == 0 && budget_is_short(walk->options->budget))
        walk->notes->stopped = true;
    return walk->notes->stopped;
}

static croft_status next_entry(struct walk *walk, tree_visit *visit, void *user, bool *go_on,
                               croft_error *err)
{
    struct budget *budget = walk->options->budget;
    struct tree_entry entry;

    if (!take_item(walk, &entry))
        return fail_memory(err);
    if (is_short(walk)) {
        *go_on = false;
        return budget->breach == BREACH_NONE ? CROFT_OK : fail_breach(budget, err);
    }
    if (is_excluded(walk, &entry)) {
        note_excluded(walk);
        return CROFT_OK;
    }
    *go_on = visit(user, &entry);
    if (*go_on && entry.type == S_IFDIR && wants_below(walk, &entry))
        return open_level(walk, &entry, err);
    return CROFT_OK;
}

static croft_status walk_all(struct walk *walk, int fd, tree_visit *visit, void *user,
                             croft_error *err)
{
    bool go_on = true;
    croft_status status;

    if (!make_level(walk))
        return fail_memory(err);
    status = enter(walk, fd, err);
    while (status == CROFT_OK && go_on && walk->count > 0) {
        if (top(walk)->next < top(walk)->count)
            status = next_entry(walk, visit, user, &go_on, err);
        else
            leave(walk);
    }
    return status;
}

croft_status tree_walk(const struct root *root, int fd, const struct tree_options *options,
                       tree_visit *visit, void *user, struct tree_notes *notes, croft_error *err)
{
    struct walk walk = {.root = root, .options = options, .notes = notes};
    croft_status status;

    memset(notes, 0, sizeof *notes);
    walk.dir = malloc(sizeof *walk.dir);
    status = walk.dir == NULL ? fail_memory(err) : walk_all(&walk, fd, visit, user, err);
    while (walk.count > 0)
        leave(&walk);
    for (size_t i = 0; i < walk.capacity; i++)
        level_free(&walk.levels[i]);
    free(walk.levels);
    free(walk.dir);
    bytes_free(&walk.path);
    return status;
}
