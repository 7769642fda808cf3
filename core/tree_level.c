/* SPDX-License-Identifier: MIT */
#include "tree_level.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ITEMS = 64 };

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

static uint64_t key_of(const char *name, size_t size)
{
    uint64_t key = 0;

    for (size_t i = 0; i < sizeof key; i++)
        key = key << 8 | (i < size ? (unsigned char)name[i] : 0);
    return key;
}

static bool add(struct tree_level *level, const struct dir_entry *entry)
{
    size_t at = level->names.size, shown = entry->size + (entry->type == DT_DIR);

    if (at > UINT32_MAX || !make_room(level))
        return false;
    bytes_add(&level->names, entry->name, entry->size);
    if (entry->type == DT_DIR)
        bytes_add_char(&level->names, '/');
    bytes_add_char(&level->names, '\0');
    if (level->names.failed)
        return false;
    level->items[level->count++] = (struct tree_item){.key = key_of(level->names.data + at, shown),
                                                      .at = (uint32_t)at,
                                                      .size = (uint16_t)entry->size,
                                                      .type = entry->type};
    return true;
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
            good = add(level, &entry);
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
        if (!add(level, &entry))
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
