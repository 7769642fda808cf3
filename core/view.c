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

croft_status view_open(const char *root, const croft_view_options *options, const struct sys *sys,
                       croft_view **out, croft_error *err)
{
    croft_view *view = calloc(1, sizeof *view);
    croft_status status;

    if (view == NULL)
        return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
    atomic_init(&view->references, 1);
    status = root_open(root, options, sys, &view->root, err);
    if (status == CROFT_OK)
        status = pins_hold(view->root, options, err);
    if (status == CROFT_OK)
        status = view_add_excludes(view, options, err);
    if (status != CROFT_OK) {
        view_release(view);
        return status;
    }
    *out = view;
    return CROFT_OK;
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
    free(view);
}
