/* SPDX-License-Identifier: MIT */
#include "pins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "resolve.h"

/* A name that leads to nothing, to something that is no directory, or out of the root (where no call
 * gets either) is protected as a name alone. */
static croft_status hold(const struct root *root, struct read_only_name *pin, croft_error *err)
{
    struct path path;
    struct place place;
    croft_status status = path_parse(pin->name, strlen(pin->name), &path, err);

    if (status != CROFT_OK || path.count != 1 || strcmp(path.text, pin->name) != 0)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                           "the read-only name \"%.64s\" is not one name at the top", pin->name);
    place_init(&place);
    status = resolve(root, &path, RESOLVE_STACK, &place, err);
    if (status == CROFT_OK && S_ISDIR(place.node.mode)) {
        pin->fd = root->sys->dup(place.fd);
        pin->node = place.node;
        if (pin->fd < 0)
            status = fail(err, CROFT_IO, errno, "a read-only tree cannot be held");
    }
    place_close(&place);
    return status == CROFT_IO || status == CROFT_INTERNAL ? status : CROFT_OK;
}

croft_status pins_hold(struct root *root, const croft_view_options *options, croft_error *err)
{
    croft_status status = CROFT_OK;

    if (options->read_only_count > READ_ONLY_NAMES)
        return fail(err, CROFT_TOO_MANY, 0, "there are more than 64 read-only names");
    for (size_t i = 0; i < options->read_only_count && status == CROFT_OK; i++) {
        struct read_only_name *pin = &root->names[root->name_count];

        pin->fd = -1;
        pin->name = strdup(options->read_only_names[i]);
        if (pin->name == NULL)
            return fail(err, CROFT_INTERNAL, ENOMEM, "out of memory");
        root->name_count++;
        status = hold(root, pin, err);
    }
    return status;
}
