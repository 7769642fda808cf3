/* SPDX-License-Identifier: MIT */
#include "tree_level.h"

#include "ceilings.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ITEMS = 64, NAME_SLOT = NAME_BYTES + 2 };

static unsigned char type_of_mode(uint32_t mode)
{
    return (unsigned char)((mode & S_IFMT) >> 12); /* as IFTODT has it */
}

/* False when the entry is gone. */
static bool find_type(const struct sys *sys, int fd, struct dir_entry *entry)
{
    struct node node;

    if (entry->type != DT_UNKNOWN)
        return true;
    if (sys->node_at(fd, entry->name, &node) == 0)
        entry->type = type_of_mode(node.mode);
    else if (errno == ENOENT)
        return false;
    return true;
}

static bool make_room(struct tree_level *level)
{
    size_t capacity = level->capacity == 0 ? FIRST_ITEMS : level->capacity * 2;
    struct tree_item *items;

    if (level->count < level->capacity)
        return true;
    if (capacity > UINT32_MAX)
        return false;
    items = realloc(level->items, capacity * sizeof *items);
    if (items == NULL)
        return false;
    level->items = items;
    level->capacity = capacity;
    return true;
}

/* The first eight bytes as a number of the same order. */
static uint64_t key_of(const char *name, size_t size)
{
    uint64_t key = 0;

    memcpy(&key, name, size < sizeof key ? size : sizeof key);
    return be64toh(key);
}

/* No name holds a NUL, and no two are equal but for the "/": strcmp is the order of the bytes. */
static int compare(const void *left, const void *right, void *names)
{
    const struct tree_item *a = left, *b = right;
    const char *text = names;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return strcmp(text + a->at, text + b->at);
}

/* Writes the name as it is shown, ended by NUL; returns its size. `out` has NAME_SLOT bytes. */
static size_t show_name(const struct dir_entry *entry, char *out)
{
    size_t size = entry->size;

    memcpy(out, entry->name, size);
    if (entry->type == DT_DIR)
        out[size++] = '/';
    out[size] = '\0';
    return size;
}

static bool add(struct tree_level *level, const struct dir_entry *entry)
{
    size_t at = level->names.size, shown;

    if (at > UINT32_MAX || !make_room(level) || !bytes_reserve(&level->names, NAME_SLOT))
        return false;
    shown = show_name(entry, level->names.data + at);
    level->names.size += shown + 1;
    level->items[level->count++] = (struct tree_item){.key = key_of(level->names.data + at, shown),
                                                      .at = (uint32_t)at,
                                                      .size = (uint16_t)entry->size,
                                                      .type = entry->type};
    return true;
}

/* ---- the first ones of many -------------------------------------------------------------------- */

/* Moves the item at `at` down until none below it comes later. */
static void sift(struct tree_level *level, size_t at)
{
    struct tree_item *items = level->items, moved = items[at];
    char *names = level->names.data;

    for (size_t below; (below = 2 * at + 1) < level->count; at = below) {
        if (below + 1 < level->count && compare(&items[below + 1], &items[below], names) > 0)
            below++;
        if (compare(&moved, &items[below], names) >= 0)
            break;
        items[at] = items[below];
    }
    items[at] = moved;
}

/* Gives each name a slot of the greatest size, so that a later one can take it over. */
static bool make_heap(struct tree_level *level)
{
    struct bytes slots = {0};

    if (level->count > UINT32_MAX / NAME_SLOT || !bytes_reserve(&slots, level->count * NAME_SLOT))
        return false;
    for (size_t i = 0; i < level->count; i++) {
        strcpy(slots.data + i * NAME_SLOT, level->names.data + level->items[i].at);
        level->items[i].at = (uint32_t)(i * NAME_SLOT);
    }
    bytes_free(&level->names);
    level->names = slots;
    for (size_t i = level->count / 2; i > 0; i--)
        sift(level, i - 1);
    level->is_heap = true;
    return true;
}

/* In place of the last one that is kept, where it comes before that. */
static bool add_bounded(struct tree_level *level, const struct dir_entry *entry)
{
    struct tree_item *last = &level->items[0];
    char name[NAME_SLOT];
    size_t shown;
    uint64_t key;

    if (!level->is_heap && !make_heap(level))
        return false;
    level->left_out++;
    shown = show_name(entry, name);
    key = key_of(name, shown);
    if (key > last->key || (key == last->key && strcmp(name, level->names.data + last->at) >= 0))
        return true;
    memcpy(level->names.data + last->at, name, shown + 1);
    last->key = key;
    last->size = (uint16_t)entry->size;
    last->type = entry->type;
    sift(level, 0);
    return true;
}

/* Takes an entry in; of more than `most` only where it comes before the last of these. */
static bool take_in(struct tree_level *level, const struct dir_entry *entry)
{
    return level->most == 0 || level->count < level->most ? add(level, entry)
                                                          : add_bounded(level, entry);
}

/* ---- the whole --------------------------------------------------------------------------------- */

/* Whether the view has something else under this name, or nothing. */
static bool is_hidden(const struct tree_level *level, const struct dir_entry *entry)
{
    const struct hidden *hidden =
        hidden_child(level->hidden, level->root->sys, level->fd, entry->name);

    return hidden_covers(hidden) ||
           (hidden != NULL && hidden->leads_to_mount && entry->type != DT_DIR);
}

/* Whether the tree itself has a directory of that name, which was added with the others. */
static bool has_directory(const struct tree_level *level, const char *name)
{
    struct node node;

    return level->fd >= 0 && level->root->sys->node_at(level->fd, name, &node) == 0 &&
           S_ISDIR(node.mode);
}

static bool add_mounts(struct tree_level *level)
{
    bool good = true;

    for (size_t i = 0; level->hidden != NULL && i < level->hidden->count && good; i++) {
        const struct hidden *child = level->hidden->children[i];
        struct dir_entry entry = {child->name, strlen(child->name), DT_DIR};

        if (child->mount != NULL ||
            (child->leads_to_mount && !child->is_masked && !has_directory(level, child->name)))
            good = take_in(level, &entry);
    }
    return good;
}

static enum level_end read_entries(struct tree_level *level, struct dir *dir, struct budget *budget)
{
    const struct sys *sys = level->root->sys;
    struct dir_entry entry;

    while (dir_next(dir, &entry)) {
        if (!budget_spend(budget, 1))
            return LEVEL_BREACH;
        if (!find_type(sys, level->fd, &entry) ||
            (level->hidden != NULL && is_hidden(level, &entry)))
            continue;
        if (!take_in(level, &entry))
            return LEVEL_NO_MEMORY;
    }
    return dir->sys_errno == 0 ? LEVEL_READ : LEVEL_BROKEN;
}

enum level_end level_read(struct tree_level *level, struct dir *dir, bool with_reserved,
                          struct budget *budget)
{
    enum level_end end = LEVEL_READ;

    bytes_clear(&level->names);
    level->count = level->next = 0;
    level->left_out = 0;
    level->is_heap = false;
    dir_init(dir, level->root->sys, level->fd);
    dir->with_reserved = with_reserved;
    if (level->fd >= 0 || level->hidden == NULL)
        end = read_entries(level, dir, budget);
    if (end == LEVEL_BREACH || end == LEVEL_NO_MEMORY || !add_mounts(level))
        return end == LEVEL_BREACH ? end : LEVEL_NO_MEMORY;
    if (level->count > 1)
        qsort_r(level->items, level->count, sizeof *level->items, compare, level->names.data);
    return end;
}

void level_free(struct tree_level *level)
{
    bytes_free(&level->names);
    free(level->items);
    level->items = NULL;
    level->count = level->capacity = 0;
}
