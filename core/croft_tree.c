/* SPDX-License-Identifier: MIT */
/* The door: trees before and after a session. */
#include <string.h>

#include "door.h"
#include "fill.h"
#include "links.h"

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
    options->read_only_names = door_read_only;
    options->read_only_count = DOOR_READ_ONLY;
}

CROFT_API croft_status croft_fill(const char *from, const char *to,
                                  const croft_copy_options *options, croft_copied *copied,
                                  croft_error *err)
{
    croft_copy_options taken;
    croft_copied unwanted;

    croft_copy_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    return fill_root(from, to, &taken, &sys_kernel, copied == NULL ? &unwanted : copied, err);
}

CROFT_API croft_status croft_harvest(const char *root, const char *to,
                                     const croft_copy_options *options, croft_copied *copied,
                                     croft_error *err)
{
    croft_copy_options taken;
    croft_copied unwanted;

    croft_copy_options_init(&taken);
    door_take_options(&taken, sizeof taken, options);
    return harvest_root(root, to, &taken, &sys_kernel, copied == NULL ? &unwanted : copied, err);
}
