/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bwrap_parts.h"
#include "view_fields.h"

/* ---- finding them ------------------------------------------------------------------------------ */

/* The text of a link directly below "/", as /bin is where the system's directories are merged; NULL: it is
 * none, or leads elsewhere by a way of its own. */
static char *read_top_link(const struct wrapping *w, const char *path)
{
    char text[PATH_BYTES + 1];
    int fd = strchr(path + 1, '/') == NULL ? w->sys->open_path(path) : -1;
    struct node node;
    ssize_t size = -1;

    if (fd >= 0 && w->sys->node(fd, &node) == 0 && S_ISLNK(node.mode))
        size = w->sys->readlink(fd, text, sizeof text);
    if (fd >= 0)
        w->sys->close(fd);
    if (size <= 0 || size > PATH_BYTES || text[0] == '/')
        return NULL;
    text[size] = '\0';
    return strdup(text);
}

static bool is_hidden(const struct view_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->mask_count; i++)
        if (path_is_within(path, plan->masks[i].path))
            return true;
    return false;
}

/* One that is hidden, or has gone, is not there. */
static void find_system(struct wrapping *w, const char *path)
{
    char real[PATH_BYTES + 1];
    struct shown *shown = &w->shown[w->shown_count];

    if (w->sys->real(path, real, sizeof real) != 0 || is_hidden(w->plan, real) ||
        is_hidden(w->plan, path))
        return;
    *shown = (struct shown){.where = "system_binds", .inside = path, .is_system = true};
    shown->link = read_top_link(w, path);
    shown->owned = strdup(real);
    shown->path = shown->owned;
    w->out_of_memory |= shown->owned == NULL;
    w->shown_count++;
}

static int compare_paths(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    if (*a == *b)
        return 0;
    if (*a == '\0' || *b == '\0')
        return *a == '\0' ? -1 : 1;
    if (*a == '/' || *b == '/') /* below comes right behind */
        return *a == '/' ? -1 : 1;
    return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

/* The system's first; then what lies in another behind that one. */
static int compare(const void *a, const void *b)
{
    const struct shown *left = a, *right = b;

    if (left->is_system != right->is_system)
        return left->is_system ? -1 : 1;
    return compare_paths(left->inside, right->inside);
}

bool bwrap_find_trees(struct wrapping *w)
{
    const struct view_plan *plan = w->plan;

    const char *const *system =
        plan->has_usual_system ? plan_usual_system : (const char *const *)plan->system_binds.items;
    size_t count = plan->has_usual_system ? 0 : plan->system_binds.count;

    while (plan->has_usual_system && system[count] != NULL)
        count++;
    w->shown = calloc(plan->mount_count + count + 1, sizeof *w->shown);
    if (w->shown == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        find_system(w, system[i]);
    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *mount = &plan->mounts[i];

        w->shown[w->shown_count++] = (struct shown){.where = mount->where,
                                                    .inside = mount->inside,
                                                    .path = mount->path,
                                                    .name = mount->name,
                                                    .writable = mount->writable};
    }
    qsort(w->shown, w->shown_count, sizeof *w->shown, compare);
    return !w->out_of_memory;
}

void bwrap_free_trees(struct wrapping *w)
{
    for (size_t i = 0; i < w->shown_count; i++) {
        free(w->shown[i].owned);
        free(w->shown[i].link);
    }
    free(w->shown);
    texts_free(&w->made);
}

/* ---- where they are mounted -------------------------------------------------------------------- */

static void complain(struct wrapping *w, const struct shown *shown, const char *what)
{
    problems_add_format(&w->problems, "%s: a subprocess would see it as \"%.200s\", %s",
                        shown->where, shown->inside, what);
}

/* What has been mounted and is seen at, or above, its place: the innermost; NULL when that is empty yet. */
static const struct shown *find_below(const struct wrapping *w, const struct shown *shown)
{
    const struct shown *found = NULL;

    for (const struct shown *other = w->shown; other < shown; other++)
        if (path_is_within(shown->inside, other->inside) &&
            (found == NULL || strlen(other->inside) >= strlen(found->inside)))
            found = other;
    return found;
}

/* In a tree the place has to be there, and to be what it seems: bubblewrap would follow a link in it, and make
 * on the host what is missing (CVE-2026-87766). */
static void check_place(struct wrapping *w, const struct shown *shown, const struct shown *below)
{
    char *place = bwrap_moved(shown->inside, below->inside, below->path);
    char real[PATH_BYTES + 1];
    struct node here, there;

    if (place == NULL) {
        w->out_of_memory = true;
        return;
    }
    if (!bwrap_is_safe_below(w, place))
        complain(w, shown, "which lies in what can be written inside");
    else if (below->link != NULL || w->sys->real(place, real, sizeof real) != 0 ||
             strcmp(real, place) != 0)
        complain(w, shown, "where there is nothing, or a link, to mount it on");
    else if (!bwrap_look(w, place, &here) || !bwrap_look(w, shown->path, &there) ||
             S_ISDIR(here.mode) != S_ISDIR(there.mode))
        complain(w, shown, "where something of another type is");
    free(place);
}

static bool is_made(const struct wrapping *w, const char *path)
{
    for (size_t i = 0; i < w->made.count; i++)
        if (strcmp(w->made.items[i], path) == 0)
            return true;
    return false;
}

/* The directories above it: bubblewrap's own would be for their owner alone. */
static void make_above(struct wrapping *w, const char *inside)
{
    char path[PATH_BYTES + 1];

    for (const char *at = strchr(inside + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        size_t size = (size_t)(at - inside);

        if (size > PATH_BYTES)
            return;
        memcpy(path, inside, size);
        path[size] = '\0';
        if (is_made(w, path))
            continue;
        w->out_of_memory |= !texts_add(&w->made, path, size);
        bwrap_add2(w, "--perms", "0755");
        bwrap_add2(w, "--dir", path);
    }
}

static bool is_kernels(const char *inside)
{
    return strcmp(inside, "/") == 0 || path_is_within(inside, "/proc") ||
           path_is_within(inside, "/sys") || path_is_within(inside, "/dev");
}

/* bubblewrap opens what it mounts by its path: whoever runs inside could have put something else there,
 * whatever its version. */
static bool can_be_swapped(const struct wrapping *w, const char *path)
{
    for (size_t i = 0; i < w->plan->mount_count; i++) {
        const struct plan_mount *mount = &w->plan->mounts[i];

        if (mount->writable && path_is_within(path, mount->path) && strcmp(path, mount->path) != 0)
            return true;
    }
    return false;
}

/* Whether the name of a mount is that of a directory which every subprocess has. `global` is none where no
 * tree has that key. */
static bool covers_own(const struct shown *shown)
{
    const char *name = shown->name;

    return name != NULL && *name != '\0' && mount_name_fault(name) != NULL &&
           strncasecmp(name, "global", strcspn(name, "/")) != 0;
}

/* What keeps the tree from being mounted at all; NULL: nothing. */
static const char *fault_of(const struct wrapping *w, const struct shown *shown)
{
    if (is_kernels(shown->inside))
        return "where the kernel's own files are";
    if (shown->is_system && path_is_within(shown->inside, "/tmp"))
        return "where it has a /tmp of its own";
    if (covers_own(shown))
        return "and it has another directory of that name: give the mount another name";
    if (can_be_swapped(w, shown->path) || (shown->is_system && can_be_swapped(w, shown->inside)))
        return "and could put another in its place: let it lie outside of what can be written "
               "inside";
    return NULL;
}

static void add_tree(struct wrapping *w, const struct shown *shown)
{
    const struct shown *below = find_below(w, shown);
    const char *option = shown->writable ? "--bind" : "--ro-bind";
    const char *fault = fault_of(w, shown);

    if (fault != NULL) {
        complain(w, shown, fault);
        return;
    }
    if (below == NULL)
        make_above(w, shown->inside);
    else if (!(shown->is_system && below->is_system && shown->link == NULL && below->link == NULL &&
               path_is_within(shown->path, below->path)))
        check_place(w, shown, below);
    else
        return; /* it is seen there already */
    if (shown->link != NULL)
        bwrap_add3(w, "--symlink", shown->link, shown->inside);
    else
        bwrap_add3(w, shown->is_system ? "--ro-bind-try" : option, shown->path, shown->inside);
}

void bwrap_add_trees(struct wrapping *w, bool system)
{
    for (size_t i = 0; i < w->shown_count; i++)
        if (w->shown[i].is_system == system)
            add_tree(w, &w->shown[i]);
}

/* ---- what the root has that is read-only ------------------------------------------------------- */

/* Whether the tools find something else under the name. */
static bool is_mounted(const struct view_plan *plan, const char *name)
{
    for (size_t i = 1; i < plan->mount_count; i++)
        if (plan->mounts[i].name != NULL && strcmp(plan->mounts[i].name, name) == 0)
            return true;
    return false;
}

/* A mount in a tree that can be written: bubblewrap before 0.12 could be led astray by it. */
static void add_read_only(struct wrapping *w, const char *name, const char *path)
{
    char *inside = bwrap_moved(path, w->plan->mounts[0].path, w->plan->mounts[0].inside);
    struct node node;

    if (inside == NULL)
        w->out_of_memory = true;
    else if (!bwrap_look(w, path, &node))
        ; /* what is not there is nobody's */
    else if (!bwrap_is_safe_below(w, path) || !S_ISDIR(node.mode))
        problems_add_format(
            &w->problems,
            "root: \"%.100s\" in it is read-only, and a subprocess could not be kept "
            "from changing it: let it lie outside of the root, and show it as a mount",
            name);
    else
        bwrap_add3(w, "--ro-bind", path, inside);
    free(inside);
}

void bwrap_add_read_only(struct wrapping *w)
{
    const struct plan_mount *root = &w->plan->mounts[0];

    for (size_t i = 0; root->writable && i < w->read_only.count; i++) {
        const char *name = w->read_only.items[i];
        char *below =
            is_mounted(w->plan, name) ? NULL : malloc(strlen(root->path) + strlen(name) + 2);

        if (below != NULL) {
            sprintf(below, "%s/%s", root->path, name);
            add_read_only(w, name, below);
        }
        free(below);
    }
}
