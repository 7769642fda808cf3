/* SPDX-License-Identifier: MIT */
#include "staging.h"

#include <string.h>

static const char *const toolsets[] = {"workspace", "staged"};

static croft_status take_toolset(struct staging *staging, const char *name, croft_error *err)
{
    for (size_t i = 0; i < sizeof toolsets / sizeof toolsets[0]; i++) {
        if (strcmp(name, toolsets[i]) == 0) {
            staging->toolset = toolsets[i];
            return CROFT_OK;
        }
    }
    return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                       "there is no tool set \"%.40s\"; there are workspace and staged", name);
}

static bool is_tier(const char *text)
{
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return size > 0 && size <= TRUST_TIER_BYTES && text[size] == '\0';
}

croft_status staging_init(struct staging *staging, const croft_session_options *options,
                          croft_error *err)
{
    croft_status status = take_toolset(staging, options->toolset, err);
    croft_error why;

    if (status != CROFT_OK)
        return status;
    if (path_parse(options->write_root, strlen(options->write_root), &staging->write_root, &why) !=
        CROFT_OK)
        return fail_format(err, CROFT_BAD_ARGUMENT, 0,
                           "the write root must be a path relative to the root: %.200s",
                           why.message);
    if (!is_tier(options->trust_tier))
        return fail(err, CROFT_BAD_ARGUMENT, 0,
                    "the trust tier must be 1 to 32 small letters, digits and -");
    strcpy(staging->trust_tier, options->trust_tier);
    return CROFT_OK;
}

bool staging_is_staged(const struct staging *staging)
{
    return strcmp(staging->toolset, "staged") == 0;
}

bool staging_covers(const struct staging *staging, const struct path *path)
{
    const struct path *root = &staging->write_root;

    return root->size == 0 || (path->size > root->size && path->text[root->size] == '/' &&
                               memcmp(path->text, root->text, root->size) == 0);
}
