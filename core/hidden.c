/* SPDX-License-Identifier: MIT */
#include "hidden.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree of names ------------------------------------------------------------------------- */

struct hidden *hidden_new(void)
{
    return calloc(1, sizeof(struct hidden));
}

void hidden_free(struct hidden *hidden)
{
    if (hidden == NULL)
        return;
    for (size_t i = 0; i < hidden->count; i++)
        hidden_free(hidden->children[i]);
    free(hidden->children);
    free(hidden->name);
    free(hidden->folded);
    free(hidden);
}

/* Where the first child stands whose folded name is not before `folded`. */
static size_t find_from(const struct hidden *at, const char *folded)
{
    size_t low = 0, high = at->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(at->children[middle]->folded, folded) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_named(const struct hidden *hidden, const char *name, size_t size)
{
    return strlen(hidden->name) == size && memcmp(hidden->name, name, size) == 0;
}

const struct hidden *hidden_exact(const struct hidden *at, const char *name, size_t size)
{
    char folded[NAME_BYTES + 1];

    if (at == NULL || at->count == 0 || size > NAME_BYTES)
        return NULL;
    name_fold(name, size, folded);
    for (size_t i = find_from(at, folded);
         i < at->count && strcmp(at->children[i]->folded, folded) == 0; i++)
        if (is_named(at->children[i], name, size))
            return at->children[i];
    return NULL;
}

static bool make_room(struct hidden *at)
{
    size_t capacity = at->capacity == 0 ? 4 : at->capacity * 2;
    struct hidden **children;

    if (at->count < at->capacity)
        return true;
    children = realloc(at->children, capacity * sizeof *children);
    if (children == NULL)
        return false;
    at->children = children;
    at->capacity = capacity;
    return true;
}

static struct hidden *new_child(struct hidden *at, const char *name, size_t size)
{
    struct hidden *child = hidden_new();
    char folded[NAME_BYTES + 1];
    size_t from;

    if (child == NULL)
        return NULL;
    name_fold(name, size, folded);
    child->name = strndup(name, size);
    child->folded = strdup(folded);
    if (child->name == NULL || child->folded == NULL || !make_room(at)) {
        hidden_free(child);
        return NULL;
    }
    from = find_from(at, folded);
    memmove(at->children + from + 1, at->children + from,
            (at->count - from) * sizeof *at->children);
    at->children[from] = child;
    at->count++;
    return child;
}

/* The child of that name, which may be changed as `at` may. */
static struct hidden *own_child(struct hidden *at, const char *name, size_t size)
{
    char folded[NAME_BYTES + 1];

    name_fold(name, size, folded);
    for (size_t i = find_from(at, folded);
         i < at->count && strcmp(at->children[i]->folded, folded) == 0; i++)
        if (is_named(at->children[i], name, size))
            return at->children[i];
    return new_child(at, name, size);
}

struct hidden *hidden_add(struct hidden *top, const char *path)
{
    while (top != NULL && *path != '\0') {
        size_t size = strcspn(path, "/");

        if (size > NAME_BYTES)
            return NULL;
        top = own_child(top, path, size);
        path += size;
        path += *path == '/';
    }
    return top;
}

/* ---- what a name stands for -------------------------------------------------------------------- */

/* Whether the file system takes `name` for the child's: they lead to one thing there, or would if
 * there were anything. */
static bool is_taken_for(const struct hidden *child, const struct sys *sys, int dir,
                         const char *name)
{
    struct node named, hidden;
    bool has_name, has_hidden;

    if (dir < 0)
        return true;
    has_name = sys->node_at(dir, name, &named) == 0;
    if (!has_name && errno != ENOENT)
        return true; /* it cannot be told */
    has_hidden = sys->node_at(dir, child->name, &hidden) == 0;
    if (!has_hidden && errno != ENOENT)
        return true;
    return has_name == has_hidden && (!has_name || node_same(&named, &hidden));
}

/* Some letters, "~", digits: many a name has a "~" at its end that is none. */
static bool is_short(const char *folded)
{
    size_t head = strcspn(folded, "~");
    const char *digits = folded + head + 1;

    return folded[head] != '\0' && head > 0 && *digits != '\0' &&
           strspn(digits, "0123456789") == strlen(digits);
}

/* An 8.3 form is of a name that folds otherwise: each child is looked at. */
static const struct hidden *find_short(const struct hidden *at, const struct sys *sys, int dir,
                                       const char *name, const char *folded)
{
    if (!is_short(folded))
        return NULL;
    for (size_t i = 0; i < at->count; i++)
        if (name_stands_for(name, strlen(name), at->children[i]->name) &&
            is_taken_for(at->children[i], sys, dir, name))
            return at->children[i];
    return NULL;
}

const struct hidden *hidden_child(const struct hidden *at, const struct sys *sys, int dir,
                                  const char *name)
{
    size_t size = strlen(name);
    const struct hidden *found;
    char folded[NAME_BYTES + 1];

    if (at == NULL || at->count == 0 || size > NAME_BYTES)
        return NULL;
    found = hidden_exact(at, name, size);
    if (found != NULL)
        return found;
    name_fold(name, size, folded);
    for (size_t i = find_from(at, folded);
         i < at->count && strcmp(at->children[i]->folded, folded) == 0; i++)
        if (is_taken_for(at->children[i], sys, dir, name))
            return at->children[i];
    return find_short(at, sys, dir, name, folded);
}

bool hidden_is_clear(const struct hidden *at, const struct path *path)
{
    for (size_t i = 0; i < path->count && at != NULL; i++) {
        const char *name = path->text + path->parts[i].from;
        size_t size = path->parts[i].size, from;
        const struct hidden *exact = hidden_exact(at, name, size);
        char folded[NAME_BYTES + 1];

        if (exact == NULL) {
            name_fold(name, size, folded);
            from = find_from(at, folded);
            return memchr(name, '~', size) == NULL &&
                   (from == at->count || strcmp(at->children[from]->folded, folded) != 0);
        }
        if (hidden_covers(exact))
            return false;
        at = exact;
    }
    return false;
}
