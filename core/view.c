/* SPDX-License-Identifier: MIT */
#include "view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pins.h"

static croft_status add_exclude(croft_view *view, const char *text, croft_error *err)
{
    struct glob_fault fault = {NULL, 0};
    struct glob *glob = glob_new(text, strlen(text), &fault);
    char *copy = strdup(text);

    if (glob == NULL || copy == NULL) {
        glob_free(glob);
        free(copy);
        if (fault.reason == NULL)
            return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
        return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                           "the exclude glob \"%.100s\" does not parse: %s at character %zu", text,
                           fault.reason, fault.at);
    }
    view->exclude[view->exclude_count] = glob;
    view->exclude_texts[view->exclude_count++] = copy;
    return CROFT_OK;
}

croft_status view_add_excludes(croft_view *view, const croft_view_options *options,
                               croft_error *err)
{
    croft_status status = CROFT_OK;

    view->exclude = calloc(options->exclude_count + 1, sizeof *view->exclude);
    view->exclude_texts = calloc(options->exclude_count + 1, sizeof *view->exclude_texts);
    if (view->exclude == NULL || view->exclude_texts == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    for (size_t i = 0; i < options->exclude_count && status == CROFT_OK; i++)
        status = add_exclude(view, options->exclude[i], err);
    return status;
}

/* ---- plans ------------------------------------------------------------------------------------- */

/* What the options ask for, as a configuration would. `root` is absolute. False: out of memory. */
static bool take_mounts(const char *root, const croft_view_options *options,
                        struct view_config *config)
{
    config->is_of_options = true;
    config->is_read_only = options->read_only;
    config->root = strdup(root);
    config->maps = calloc(options->mount_count + 1, sizeof *config->maps);
    if (config->root == NULL || config->maps == NULL)
        return false;
    for (size_t i = 0; i < options->mount_count; i++) {
        struct view_map *map = &config->maps[config->map_count++];

        map->src = strdup(options->mounts[i].path);
        map->dst = strdup(options->mounts[i].name);
        map->writable = !options->read_only && !options->mounts[i].read_only;
        if (map->src == NULL || map->dst == NULL)
            return false;
    }
    for (size_t i = 0; i < options->hide_count; i++)
        if (!texts_add(&config->hide, options->hide[i], strlen(options->hide[i])))
            return false;
    return true;
}

croft_status view_plan_refuse(const struct problems *problems, const croft_view_options *options,
                              croft_error *err)
{
    if (options->problem != NULL)
        problems_tell(problems, options->problem, options->problem_user);
    return problems_fail(problems, err);
}

static croft_status plan_options(const char *root, const croft_view_options *options,
                                 const struct sys *sys, struct view_plan **out, croft_error *err)
{
    struct view_config *config = calloc(1, sizeof *config);
    struct problems problems = {0};
    croft_status status = CROFT_OK;

    if (config == NULL || !take_mounts(root, options, config) ||
        !view_config_check_options(config, &problems) ||
        !view_plan_make(config, NULL, sys, out, &problems))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    else if (problems.count > 0)
        status = view_plan_refuse(&problems, options, err);
    if (status != CROFT_OK && *out != NULL) {
        view_plan_free(*out);
        *out = NULL;
    }
    problems_free(&problems);
    view_config_free(config);
    return status;
}

/* ---- views ------------------------------------------------------------------------------------- */

/* The read-only names are looked for once it is known what is hidden. */
static croft_status fill(croft_view *view, const char *root, struct view_plan *plan,
                         const croft_view_options *options, const struct sys *sys, croft_error *err)
{
    croft_status status = layout_open(plan, options, sys, &view->layout, err);

    if (status == CROFT_OK)
        status = root_open(root, options, sys, &view->root, err);
    if (status != CROFT_OK)
        return status;
    view->root->hidden = layout_hidden(view->layout->top);
    status = pins_hold(view->root, options, err);
    return status == CROFT_OK ? view_add_excludes(view, options, err) : status;
}

static croft_status open_with(const char *root, struct view_plan *plan,
                              const croft_view_options *options, const struct sys *sys,
                              croft_view **out, croft_error *err)
{
    croft_view *view = calloc(1, sizeof *view);
    croft_status status;

    if (view == NULL) {
        view_plan_free(plan);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    atomic_init(&view->references, 1);
    status = fill(view, root, plan, options, sys, err);
    if (status != CROFT_OK) {
        view_release(view);
        return status;
    }
    *out = view;
    return CROFT_OK;
}

croft_status view_open_plan(struct view_plan *plan, const croft_view_options *options,
                            const struct sys *sys, croft_view **out, croft_error *err)
{
    croft_view_options own = *options;

    /* A program that is started in the view is held by the plan alone. */
    for (size_t i = 0; options->read_only && i < plan->mount_count; i++)
        plan->mounts[i].writable = false;
    own.read_only = options->read_only || !plan->mounts[0].writable;
    return open_with(plan->mounts[0].path, plan, &own, sys, out, err);
}

croft_status view_open(const char *root, const croft_view_options *options, const struct sys *sys,
                       croft_view **out, croft_error *err)
{
    char real[PATH_BYTES + 1];
    bool has_real = sys->real(root, real, sizeof real) == 0;
    struct view_plan *plan = NULL;
    croft_status status;

    if (options->mount_count + options->hide_count > 0) {
        if (!has_real)
            return fail_errno(err, errno,
                              errno == ENOENT ? "the root does not exist"
                                              : "the root cannot be opened");
        status = plan_options(real, options, sys, &plan, err);
        if (status == CROFT_OK && plan != NULL)
            status = view_open_plan(plan, options, sys, out, err);
        return status;
    }
    plan = view_plan_of_root(has_real ? real : "", root, !options->read_only);
    if (plan == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    return open_with(root, plan, options, sys, out, err);
}

croft_status view_open_disabled(croft_view **out, croft_error *err)
{
    croft_view *view = calloc(1, sizeof *view);

    if (view == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    atomic_init(&view->references, 1);
    view->is_disabled = true;
    *out = view;
    return CROFT_OK;
}

size_t view_read_only_names(const croft_view *view, const char **names, size_t count)
{
    size_t found = 0;

    if (view->is_disabled)
        return 0;
    for (; found < view->root->name_count; found++)
        if (found < count)
            names[found] = view->root->names[found].name;
    for (size_t i = 0; i < view->layout->mounts->count; i++) {
        const struct mount *mount = view->layout->mounts->items[i];

        if (mount->name == NULL || !mount->root->read_only)
            continue;
        if (found < count)
            names[found] = mount->name;
        found++;
    }
    return found;
}

croft_view *view_share(croft_view *view)
{
    atomic_fetch_add(&view->references, 1);
    return view;
}

void view_release(croft_view *view)
{
    if (view == NULL || atomic_fetch_sub(&view->references, 1) > 1)
        return;
    for (size_t i = 0; i < view->exclude_count; i++) {
        glob_free(view->exclude[i]);
        free(view->exclude_texts[i]);
    }
    free(view->exclude);
    free(view->exclude_texts);
    root_close(view->root);
    layout_release(view->layout);
    free(view);
}
