/* SPDX-License-Identifier: MIT */
/*
 * A mask is by path: an empty file or directory is mounted over what it hides, in each tree in which that is
 * seen. It cannot hide what is not there yet, nor what somebody inside could put somewhere else.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bwrap_parts.h"

static int compare(const void *a, const void *b)
{
    const char *left = (*(const struct plan_mask *const *)a)->path;
    const char *right = (*(const struct plan_mask *const *)b)->path;

    while (*left != '\0' && *left == *right)
        left++, right++;
    if (*left == *right)
        return 0;
    if (*left == '\0' || *right == '\0')
        return *left == '\0' ? -1 : 1;
    if (*left == '/' || *right == '/')
        return *left == '/' ? -1 : 1;
    return (unsigned char)*left < (unsigned char)*right ? -1 : 1;
}

/* Whether another tree is mounted over the place `inside` of the tree `shown`. */
static bool is_covered(const struct wrapping *w, const struct shown *shown, const char *inside)
{
    for (const struct shown *other = shown + 1; other < w->shown + w->shown_count; other++)
        if (path_is_within(inside, other->inside) && path_is_within(other->inside, shown->inside))
            return true;
    return false;
}

static void complain(struct wrapping *w, const struct plan_mask *mask, const char *what)
{
    problems_add_format(&w->problems, "%s: \"%.200s\" %s", mask->where, mask->path, what);
}

static void add_mask(struct wrapping *w, const struct plan_mask *mask, const char *inside)
{
    struct node node;

    if (!bwrap_is_safe_below(w, mask->path))
        complain(w, mask,
                 "lies in what can be written inside, where a subprocess cannot be kept from it");
    else if (!bwrap_look(w, mask->path, &node))
        complain(w, mask,
                 errno == ENOENT
                     ? "does not exist: a subprocess could not be kept from it when it appears"
                     : "cannot be looked at");
    else if (S_ISLNK(node.mode))
        complain(w, mask, "is a link: name what it leads to");
    else
        bwrap_add3(w, "--ro-bind", S_ISDIR(node.mode) ? w->blank.directory : w->blank.file, inside);
}

/* Those in one tree, in order: what lies in one that is hidden is hidden with it. */
static void add_in_tree(struct wrapping *w, const struct shown *shown,
                        const struct plan_mask *const *masks, size_t count)
{
    const struct plan_mask *last = NULL;

    for (size_t i = 0; i < count; i++) {
        const char *path = masks[i]->path;
        char *inside;

        if (!path_is_within(path, shown->path) || strcmp(path, shown->path) == 0 ||
            (last != NULL && path_is_within(path, last->path)))
            continue;
        last = masks[i];
        inside = bwrap_moved(path, shown->path, shown->inside);
        w->out_of_memory |= inside == NULL;
        if (inside != NULL && !is_covered(w, shown, inside))
            add_mask(w, masks[i], inside);
        free(inside);
    }
}

void bwrap_add_masks(struct wrapping *w)
{
    size_t count = w->plan->mask_count;
    const struct plan_mask **masks = calloc(count + 1, sizeof *masks);

    if (masks == NULL) {
        w->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++)
        masks[i] = &w->plan->masks[i];
    qsort(masks, count, sizeof *masks, compare);
    for (size_t i = 0; i < w->shown_count; i++)
        if (w->shown[i].link == NULL)
            add_in_tree(w, &w->shown[i], masks, count);
    free(masks);
}
