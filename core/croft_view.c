/* SPDX-License-Identifier: MIT */
/* The door: views. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "view_check.h"
#include "wall.h"

const char *const door_read_only[DOOR_READ_ONLY] = {"skills", "docs", "templates", "context"};

CROFT_API void croft_view_options_init(croft_view_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->read_only_names = door_read_only;
    options->read_only_count = DOOR_READ_ONLY;
}

CROFT_API croft_status croft_view_open(const char *root, const croft_view_options *options,
                                       croft_view **view, croft_error *err)
{
    croft_view_options taken;

    croft_view_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    return view_open(root, &taken, &sys_kernel, view, err);
}

struct croft_template {
    struct view_config *config;
};

/* Where nothing depends on the tenant, what does not fit the host is told at once. */
static bool try_template(const struct view_config *config, struct problems *problems)
{
    struct view_plan *plan = NULL;
    bool good = config == NULL || config->is_template ||
                view_plan_make(config, NULL, &sys_kernel, &plan, problems);

    view_plan_free(plan);
    return good;
}

CROFT_API croft_status croft_template_parse(const char *json, size_t size,
                                            croft_problem_function *problem, void *user,
                                            croft_template **parsed, croft_error *err)
{
    croft_view_options options = {.problem = problem, .problem_user = user};
    croft_template *template = calloc(1, sizeof *template);
    struct problems problems = {0};
    croft_status status = CROFT_OK;

    if (template == NULL ||
        !view_config_parse((struct json_slice){json, size}, &template->config, &problems) ||
        !try_template(template->config, &problems))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    else if (problems.count > 0)
        status = view_plan_refuse(&problems, &options, err);
    problems_free(&problems);
    if (status != CROFT_OK)
        croft_template_free(template);
    else
        *parsed = template;
    return status;
}

CROFT_API void croft_template_free(croft_template *parsed)
{
    if (parsed == NULL)
        return;
    view_config_free(parsed->config);
    free(parsed);
}

CROFT_API croft_status croft_view_for(const croft_template *parsed, const char *tenant,
                                      const croft_view_options *options, croft_view **view,
                                      croft_error *err)
{
    croft_view_options taken;
    struct problems problems = {0};
    struct view_plan *plan = NULL;
    croft_status status = CROFT_OK;

    croft_view_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    if (!view_plan_make(parsed->config, tenant, &sys_kernel, &plan, &problems))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    else if (problems.count > 0)
        status = view_plan_refuse(&problems, &taken, err);
    else if (plan == NULL)
        status = fail(err, CROFT_BAD_ARGUMENT, 0, "the view is one for tenants: one must be named");
    problems_free(&problems);
    if (status == CROFT_OK && plan != NULL)
        status = view_open_plan(plan, &taken, &sys_kernel, view, err);
    return status;
}

CROFT_API croft_status croft_view_disabled(croft_view **view, croft_error *err)
{
    return view_open_disabled(view, err);
}

CROFT_API bool croft_enabled(const croft_view *view)
{
    return !view->is_disabled;
}

CROFT_API croft_status croft_check_read(const croft_view *view, const char *path, croft_error *err)
{
    return view_check(view, path, VIEW_READ, err);
}

CROFT_API croft_status croft_check_write(const croft_view *view, const char *path, croft_error *err)
{
    return view_check(view, path, VIEW_WRITE, err);
}

CROFT_API size_t croft_view_covered(const croft_view *view, const char **names, size_t count)
{
    return view_covered(view, names, count);
}

CROFT_API bool croft_view_holds(const croft_view *view, const char *path)
{
    return view_holds(view, path);
}

CROFT_API bool croft_translate(const croft_view *view, const char *path, char *out, size_t size)
{
    char found[PATH_BYTES + 1];
    size_t length;

    if (!view_translate(view, path, found))
        return false;
    length = strlen(found);
    if (length >= size)
        return false;
    memcpy(out, found, length + 1);
    return true;
}

CROFT_API void croft_view_close(croft_view *view)
{
    view_release(view);
}

CROFT_API size_t croft_read_only_names(const croft_view *view, const char **names, size_t count)
{
    return view_read_only_names(view, names, count);
}

CROFT_API const char *croft_view_resolver(const croft_view *view)
{
    return view->is_disabled ? "none" : view->root->use_openat2 ? "openat2" : "walk";
}

CROFT_API croft_status croft_confine(const croft_view *view, croft_wall *wall, croft_error *err)
{
    croft_wall unwanted;

    if (view->is_disabled)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "the view is disabled");
    return wall_raise(view->root, view->layout->mounts, NULL, 0, wall == NULL ? &unwanted : wall,
                      err);
}
