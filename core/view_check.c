/* SPDX-License-Identifier: MIT */
#include "view_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

static croft_status deny(croft_error *err, const char *what)
{
    return fail(err, CROFT_DENIED, 0, what);
}

/* ---- in one tree ------------------------------------------------------------------------------- */

static croft_status out_of_memory(croft_error *err)
{
    return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
}

/* Whether nothing can be said of the path: the host lacks what it takes to look. */
static bool is_no_answer(croft_status status)
{
    return status == CROFT_INTERNAL || status == CROFT_EXHAUSTED;
}

/* Whether what a tool would be told of the path is that it is not there, or of the wrong type. */
static bool is_harmless(croft_status status)
{
    return status == CROFT_OK || status == CROFT_MISSING || status == CROFT_NOT_A_DIRECTORY;
}

static croft_status check_place(const struct root *root, const struct path *path,
                                enum view_access access, croft_error *err)
{
    struct place place;
    croft_status status;
    bool is_masked;

    place_init(&place);
    status = access == VIEW_WRITE ? target_check_spelled(root, path, err) : CROFT_OK;
    if (status != CROFT_OK)
        return deny(err, "it is read-only");
    status = resolve(root, path, RESOLVE_TARGET, &place, err);
    is_masked = place.is_masked;
    if (status == CROFT_OK && access == VIEW_WRITE && target_check_place(&place, NULL) != CROFT_OK)
        status = deny(err, "it is read-only");
    if (status == CROFT_OK && place_leads_to_mount(&place) && access == VIEW_WRITE)
        status = deny(err, "it is read-only");
    if (place.root != NULL)
        place_close(&place);
    if (is_no_answer(status))
        return status;
    if (is_masked)
        return deny(err, "it is masked");
    return is_harmless(status) ? CROFT_OK : deny(err, "it leads out of what can be seen");
}

/* `rest` is below the tree: "" or without a leading "/". */
static croft_status check_rest(const struct root *root, const char *rest, enum view_access access,
                               croft_error *err)
{
    struct path *path = malloc(sizeof *path);
    croft_status status = CROFT_OK;

    if (path == NULL)
        return out_of_memory(err);
    if (path_parse_raw(*rest == '\0' ? "." : rest, *rest == '\0' ? 1 : strlen(rest), path, err) !=
        CROFT_OK)
        status = deny(err, "it is no path");
    if (status == CROFT_OK)
        status = check_place(root, path, access, err);
    free(path);
    return status;
}

/* ---- which tree -------------------------------------------------------------------------------- */

/* What is left of `path` below `above`, which it is within. */
static const char *rest_of(const char *path, const char *above)
{
    path += strcmp(above, "/") == 0 ? 0 : strlen(above);
    return path + strspn(path, "/");
}

/* The tree with the longest name that `path` lies in. */
static const struct plan_mount *find_inside(const struct view_plan *plan, const char *path)
{
    const struct plan_mount *found = NULL;

    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *mount = &plan->mounts[i];

        if (path_is_within(path, mount->inside) &&
            (found == NULL || strlen(mount->inside) > strlen(found->inside)))
            found = mount;
    }
    return found;
}

/* Whether the host's own path to the tree can be used: that of a map is no part of the view (S1-17). */
static bool has_own_path(const struct plan_mount *mount)
{
    return mount->kind != PLAN_MAP && mount->path[0] != '\0';
}

/* The deepest tree that `path` lies in by its spelling (`by_real` false), or without links. */
static const struct plan_mount *find_own(const struct view_plan *plan, const char *path,
                                         bool by_real)
{
    const struct plan_mount *found = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct plan_mount *mount = &plan->mounts[i];
        const char *above = by_real ? mount->path : mount->spelled;

        if (!has_own_path(mount) || !path_is_within(path, above) || strlen(above) < longest)
            continue;
        found = mount;
        longest = strlen(above);
    }
    return found;
}

/* ---- both readings ----------------------------------------------------------------------------- */

/* `rest` is what the path has below the tree. */
static croft_status check_in(const croft_view *view, const struct plan_mount *mount,
                             const char *rest, enum view_access access, croft_error *err)
{
    struct mount *held = view->layout->mount_of[mount - view->layout->plan->mounts];
    const struct root *root = view->root;
    croft_status status = CROFT_OK;

    if (!mount->is_directory) { /* a bind that is a file */
        if (*rest != '\0')
            return deny(err, "it is not in the view");
        return access == VIEW_READ || mount->writable ? CROFT_OK : deny(err, "it is read-only");
    }
    if (held != NULL)
        status = mount_hold(held, &root, err);
    if (status != CROFT_OK)
        return is_no_answer(status) ? status : deny(err, "the tree is not there any more");
    status = check_rest(root, rest, access, err);
    mount_release(held);
    return status;
}

/* As the host spells it: by the deepest tree, as it was configured or without links. What is left of the
 * path goes to *rest. */
static const struct plan_mount *find_host(const struct view_plan *plan, const char *path,
                                          const char **rest)
{
    const struct plan_mount *spelled = find_own(plan, path, false);
    const struct plan_mount *real = find_own(plan, path, true);

    if (real != NULL && (spelled == NULL || strlen(real->path) > strlen(spelled->spelled))) {
        *rest = rest_of(path, real->path);
        return real;
    }
    if (spelled != NULL)
        *rest = rest_of(path, spelled->spelled);
    return spelled;
}

/* What is wrong with the text itself. ".." would be taken by the kernel from where a link leads. */
static bool is_plain(const char *path)
{
    if (path[0] != '/' || strlen(path) > PATH_BYTES)
        return false;
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at++;
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return false;
    }
    return true;
}

/* Doubled "/" and "." are left out, as path_is_within does not know them. */
static void clean(const char *path, char *out)
{
    size_t used = 0;

    while (*path != '\0') {
        size_t size;

        path += strspn(path, "/");
        size = strcspn(path, "/");
        if (size > 0 && !(size == 1 && path[0] == '.')) {
            out[used++] = '/';
            memcpy(out + used, path, size);
            used += size;
        }
        path += size;
    }
    if (used == 0)
        out[used++] = '/';
    out[used] = '\0';
}

croft_status view_check(const croft_view *view, const char *path, enum view_access access,
                        croft_error *err)
{
    char text[PATH_BYTES + 1];
    const struct plan_mount *named, *own;
    const char *rest = "";
    croft_status status = CROFT_OK;

    if (view->is_disabled)
        return CROFT_OK;
    if (!is_plain(path))
        return deny(err, "it is not absolute, or has \"..\" in it");
    clean(path, text);
    named = find_inside(view->layout->plan, text);
    own = find_host(view->layout->plan, text, &rest);
    if (named == NULL && own == NULL)
        return deny(err, "it is not in the view");
    if (named != NULL)
        status = check_in(view, named, rest_of(text, named->inside), access, err);
    if (status == CROFT_OK && own != NULL)
        status = check_in(view, own, rest, access, err);
    return status;
}

bool view_translate(const croft_view *view, const char *path, char *out)
{
    char text[PATH_BYTES + 1];
    const struct plan_mount *mount;
    const char *rest;
    int size;

    if (view->is_disabled || !is_plain(path))
        return false;
    clean(path, text);
    mount = find_inside(view->layout->plan, text);
    if (mount == NULL || mount->kind == PLAN_BIND || mount->path[0] == '\0')
        return false;
    rest = rest_of(text, mount->inside);
    size = snprintf(out, PATH_BYTES + 1, "%s%s%s", mount->path, *rest == '\0' ? "" : "/", rest);
    return size > 0 && size <= PATH_BYTES;
}

/* The path without links, of the file or of the directory in which it is to be. */
static bool find_file(const struct sys *sys, const char *path, char *real)
{
    const char *slash = strrchr(path, '/');
    char above[PATH_BYTES + 1];
    size_t size = slash == NULL ? 0 : (size_t)(slash - path) + 1;

    if (sys->real(path, real, PATH_BYTES + 1) == 0)
        return true;
    if (size > PATH_BYTES)
        return false;
    memcpy(above, path, size);
    above[size] = '\0';
    return sys->real(size == 0 ? "." : above, real, PATH_BYTES + 1) == 0;
}

bool view_holds(const croft_view *view, const char *path)
{
    const struct view_plan *plan;
    char real[PATH_BYTES + 1];

    if (view->is_disabled || !find_file(view->root->sys, path, real))
        return false;
    plan = view->layout->plan;
    for (size_t i = 0; i < plan->mount_count; i++)
        if (plan->mounts[i].path[0] != '\0' && path_is_within(real, plan->mounts[i].path))
            return true;
    return false;
}

/* Whether the root itself has anything of that name. */
static bool root_has(const struct root *root, const char *name)
{
    struct path *path = malloc(sizeof *path);
    struct root own = *root;
    struct place place;
    bool has = false;

    own.hidden = NULL;
    place_init(&place);
    if (path != NULL && path_parse(name, strlen(name), path, NULL) == CROFT_OK)
        has = resolve(&own, path, RESOLVE_NAME, &place, NULL) == CROFT_OK;
    if (has)
        place_close(&place);
    free(path);
    return has;
}

size_t view_covered(const croft_view *view, const char **names, size_t count)
{
    size_t found = 0;

    for (size_t i = 0; !view->is_disabled && i < view->layout->mounts->count; i++) {
        const char *name = view->layout->mounts->items[i]->name;

        if (name == NULL || !root_has(view->root, name))
            continue;
        if (found < count)
            names[found] = name;
        found++;
    }
    return found;
}
