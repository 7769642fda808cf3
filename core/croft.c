/* SPDX-License-Identifier: MIT */
/* The door: croft.h in terms of the floors below it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bwrap.h"
#include "door.h"
#include "fill.h"
#include "links.h"
#include "view_check.h"
#include "wall.h"

#ifndef CROFT_VERSION
#error "CROFT_VERSION comes from the build"
#endif

CROFT_API const char *croft_version(void)
{
    return CROFT_VERSION;
}

/* ---- view -------------------------------------------------------------------------------------- */

static const char *const default_read_only[] = {"skills", "docs", "templates", "context"};

CROFT_API void croft_view_options_init(croft_view_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->read_only_names = default_read_only;
    options->read_only_count = sizeof default_read_only / sizeof default_read_only[0];
}

/* Takes what the caller's structure has; an older caller's is shorter. */
static void take_options(void *ours, size_t our_size, const void *theirs)
{
    size_t size;

    if (theirs == NULL)
        return;
    memcpy(&size, theirs, sizeof size); /* each structure of options starts with its size */
    if (size > our_size)
        size = our_size;
    memcpy(ours, theirs, size);
}

CROFT_API croft_status croft_view_open(const char *root, const croft_view_options *options,
                                       croft_view **view, croft_error *err)
{
    croft_view_options taken;

    croft_view_options_init(&taken);
    take_options(&taken, sizeof taken, options);
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
    take_options(&taken, sizeof taken, options);
    if (!view_plan_make(parsed->config, tenant, &sys_kernel, &plan, &problems))
        status = fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    else if (problems.count > 0)
        status = view_plan_refuse(&problems, &taken, err);
    else if (plan == NULL)
        status = fail(err, CROFT_BAD_ARGUMENT, 0, "the view is one for tenants: one must be named");
    problems_free(&problems);
    return status == CROFT_OK ? view_open_plan(plan, &taken, &sys_kernel, view, err) : status;
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

/* ---- session ----------------------------------------------------------------------------------- */

CROFT_API void croft_session_options_init(croft_session_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->prefix = "";
    options->toolset = "workspace";
    options->write_root = ".";
    options->trust_tier = "untrusted";
}

CROFT_API croft_status croft_session_open(croft_view *view, const croft_session_options *options,
                                          croft_session **session, croft_error *err)
{
    croft_session_options taken;

    croft_session_options_init(&taken);
    take_options(&taken, sizeof taken, options);
    if (view->is_disabled)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "the view is disabled: it has no root");
    return session_open(view, &taken, NULL, session, err);
}

CROFT_API void croft_reply_json(croft_reply *reply, const char *json, size_t size)
{
    functions_reply_json(reply, json, size);
}

CROFT_API void croft_reply_error(croft_reply *reply, croft_status code, const char *message)
{
    functions_reply_error(reply, code, message);
}

CROFT_API bool croft_reply_is_cancelled(const croft_reply *reply)
{
    return reply->cancelled != NULL && atomic_load(reply->cancelled);
}

CROFT_API void croft_reply_takes_time(croft_reply *reply)
{
    reply->takes_time = true;
}

CROFT_API void croft_session_close(croft_session *session)
{
    session_close(session);
}

CROFT_API size_t croft_session_read_only_names(const croft_session *session, const char **names,
                                               size_t count)
{
    return croft_read_only_names(session->view, names, count);
}

CROFT_API const char *croft_session_tools(croft_session *session)
{
    return session_tools(session);
}

CROFT_API void croft_session_usage(croft_session *session, croft_usage *usage)
{
    session_usage(session, usage);
}

CROFT_API const croft_limit *croft_limit_defaults(void)
{
    static const croft_limit defaults[] = {
#define X(name, value, low, high) {#name, value},
        CROFT_LIMITS(X)
#undef X
            {NULL, 0},
    };

    return defaults;
}

/* ---- call -------------------------------------------------------------------------------------- */

CROFT_API void croft_call_options_init(croft_call_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
}

static croft_outcome outcome_of(croft_status status, const struct owned *owned)
{
    if (owned->asked != NULL)
        return CROFT_NEEDS_INPUT;
    if (status == CROFT_STOPPED)
        return CROFT_ENDED;
    if (status == CROFT_CANCELLED)
        return CROFT_CALLED_OFF;
    return status == CROFT_OK && !owned->reply.is_error ? CROFT_DONE : CROFT_FAILED;
}

void door_fill_result(croft_result *result, croft_status status, struct owned *owned)
{
    struct reply *reply = &owned->reply;
    bool known = status == CROFT_OK && reply->code[0] != '\0';

    result->outcome = outcome_of(status, owned);
    result->question = owned->asked == NULL ? NULL : &owned->asked->request;
    result->is_error = result->outcome != CROFT_DONE;
    result->code = known ? reply->code : croft_status_word(status);
    result->text = bytes_end(&reply->text);
    result->text_size = reply->text.size;
    result->structured = reply->structured.data;
    result->structured_size = reply->structured.size;
    result->steps = reply->steps;
    result->heap_bytes = reply->heap_bytes;
    result->owned = owned;
}

/* The two codes that say that nothing ran are a status at this door. */
static croft_status status_of_reply(const struct reply *reply)
{
    if (strcmp(reply->code, croft_status_word(CROFT_UNKNOWN_TOOL)) == 0)
        return CROFT_UNKNOWN_TOOL;
    if (strcmp(reply->code, croft_status_word(CROFT_BAD_JSON)) == 0)
        return CROFT_BAD_JSON;
    return CROFT_OK;
}

CROFT_API croft_status croft_call(croft_session *session, const char *name, const char *args,
                                  size_t size, const croft_call_options *options,
                                  croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);
    uint64_t started = clock_ns();
    croft_call_options taken;
    struct listener listener = {0};
    struct session_task task = {.tool = name, .args = args, .size = size, .listener = &listener};
    croft_status status;

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    croft_call_options_init(&taken);
    take_options(&taken, sizeof taken, options);
    if (size == 0) {
        task.args = "{}";
        task.size = 2;
    }
    task.id = taken.call_id;
    task.answer = taken.answer;
    listener.progress = taken.progress;
    listener.user = taken.progress_user;
    status = session_call(session, &task, &owned->reply, &owned->asked);
    door_fill_result(result, status, owned);
    result->microseconds = (clock_ns() - started - owned->reply.paused_ns) / 1000;
    return status_of_reply(&owned->reply);
}

CROFT_API croft_status croft_session_report(croft_session *session, croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    door_fill_result(result, session_report(session, &owned->reply), owned);
    return CROFT_OK;
}

CROFT_API croft_status croft_session_handles(croft_session *session, croft_result *result)
{
    struct owned *owned = calloc(1, sizeof *owned);
    croft_status status;

    memset(result, 0, sizeof *result);
    if (owned == NULL)
        return CROFT_INTERNAL;
    session_handles(session, &owned->reply.text);
    status = owned->reply.text.failed ? CROFT_INTERNAL : CROFT_OK;
    door_fill_result(result, status, owned);
    return status;
}

CROFT_API void croft_result_free(croft_result *result)
{
    struct owned *owned;

    if (result->owned == NULL)
        return;
    owned = result->owned;
    reply_free(&owned->reply);
    gate_forget(owned->asked);
    free(owned);
    memset(result, 0, sizeof *result);
}

CROFT_API void croft_cancel(croft_session *session, uint64_t call_id)
{
    session_cancel(session, call_id);
}

/* ---- checkout ---------------------------------------------------------------------------------- */

CROFT_API croft_status croft_verify_links(const char *checkout, const char *const *read_only,
                                          size_t count, croft_link_function *report, void *user,
                                          croft_error *err)
{
    croft_view_options defaults;

    croft_view_options_init(&defaults);
    if (read_only == NULL) {
        read_only = defaults.read_only_names;
        count = defaults.read_only_count;
    }
    return links_verify(checkout, read_only, count, &sys_kernel, report, user, err);
}

CROFT_API void croft_copy_options_init(croft_copy_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->read_only_names = default_read_only;
    options->read_only_count = sizeof default_read_only / sizeof default_read_only[0];
}

CROFT_API croft_status croft_fill(const char *from, const char *to,
                                  const croft_copy_options *options, croft_copied *copied,
                                  croft_error *err)
{
    croft_copy_options taken;
    croft_copied unwanted;

    croft_copy_options_init(&taken);
    take_options(&taken, sizeof taken, options);
    return fill_root(from, to, &taken, &sys_kernel, copied == NULL ? &unwanted : copied, err);
}

CROFT_API croft_status croft_harvest(const char *root, const char *to,
                                     const croft_copy_options *options, croft_copied *copied,
                                     croft_error *err)
{
    croft_copy_options taken;
    croft_copied unwanted;

    croft_copy_options_init(&taken);
    take_options(&taken, sizeof taken, options);
    return harvest_root(root, to, &taken, &sys_kernel, copied == NULL ? &unwanted : copied, err);
}

/* ---- subprocess -------------------------------------------------------------------------------- */

CROFT_API void croft_wrap_options_init(croft_wrap_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->program = "bwrap";
    options->seccomp_fd = options->status_fd = -1;
    options->tmp_bytes = 256u << 20;
}

CROFT_API void croft_argv_free(croft_argv *argv)
{
    if (argv->items != NULL)
        free(argv->items[0]);
    free(argv->items);
    memset(argv, 0, sizeof *argv);
}

/* The items point into one piece of memory, which begins with the first of them. */
static croft_status make_argv(struct bytes *text, size_t count, size_t split, croft_argv *argv,
                              croft_error *err)
{
    char **items = calloc(count + 1, sizeof *items);
    char *at = text->data;

    if (items == NULL || text->failed) {
        free(items);
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        items[i] = at;
    *text = (struct bytes){0};
    *argv = (croft_argv){.items = items, .count = count, .split = split};
    return CROFT_OK;
}

static croft_status wrap_by_nothing(const char *const *argv, croft_argv *wrapped, croft_error *err)
{
    struct bytes text = {0};
    size_t count = 0;
    croft_status status;

    for (; argv[count] != NULL; count++)
        bytes_add(&text, argv[count], strlen(argv[count]) + 1);
    status = make_argv(&text, count, 0, wrapped, err);
    bytes_free(&text);
    return status;
}

CROFT_API croft_status croft_wrap_argv(const croft_view *view, const char *workdir,
                                       const char *const *argv, const croft_wrap_options *options,
                                       croft_argv *wrapped, croft_error *err)
{
    const char *names[READ_ONLY_NAMES];
    struct bwrap_names read_only = {names, 0};
    struct bwrap_command command;
    croft_wrap_options taken;
    croft_status status;

    croft_wrap_options_init(&taken);
    take_options(&taken, sizeof taken, options);
    if (argv[0] == NULL)
        return fail(err, CROFT_BAD_ARGUMENT, 0, "there is no program to start");
    if (view->is_disabled)
        return wrap_by_nothing(argv, wrapped, err);
    read_only.count = croft_read_only_names(view, names, READ_ONLY_NAMES);
    if (read_only.count > READ_ONLY_NAMES) /* the root's own come first, and are no more */
        read_only.count = READ_ONLY_NAMES;
    status = bwrap_render(view->layout->plan, workdir, argv, read_only, &taken, &sys_kernel,
                          &command, err);
    if (status == CROFT_OK)
        status = make_argv(&command.text, command.count, command.split, wrapped, err);
    bytes_free(&command.text);
    return status;
}
