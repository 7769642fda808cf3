/* SPDX-License-Identifier: MIT */
/* The door: programs that see what a view shows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bwrap.h"
#include "door.h"

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
    door_take_options(&taken, sizeof taken, options);
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
