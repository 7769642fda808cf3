/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "glob_parts.h"

/* A path on its way through a match. `at` is over `size` when no component is left. */
struct walk {
    const char *path;
    size_t size, at;
};

static size_t component_end(const struct walk *walk)
{
    const char *slash = memchr(walk->path + walk->at, '/', walk->size - walk->at);

    return slash == NULL ? walk->size : (size_t)(slash - walk->path);
}

static bool class_has(const struct range *class, uint32_t c)
{
    bool negated = class->to != 0;

    for (uint32_t i = 1; i <= class->from; i++) {
        if (c >= class[i].from && c <= class[i].to)
            return !negated;
    }
    return negated;
}

static bool takes(const struct glob *glob, const struct token *token, uint32_t c)
{
    switch (token->kind) {
    case TOKEN_CHAR: return token->value == c;
    case TOKEN_CLASS: return class_has(glob->ranges + token->value, c);
    default: return true; /* TOKEN_ANY: no other is left in a component */
    }
}

/*
 * Only the last "*" is ever tried again: an earlier one that took more could not make a difference,
 * as the tokens between the two have already been found as far left as can be. That keeps it within
 * count x size.
 */
static bool fits_name(const struct glob *glob, const struct token *tokens, size_t count,
                      const char *name, size_t size)
{
    size_t token = 0, at = 0, star = SIZE_MAX, star_at = 0;

    while (at < size) {
        size_t next = at;
        uint32_t c = next_character(name, size, &next);

        if (token < count && tokens[token].kind == TOKEN_STAR) {
            star = token++;
            star_at = at;
        } else if (token < count && takes(glob, tokens + token, c)) {
            token++;
            at = next;
        } else if (star != SIZE_MAX) {
            token = star + 1;
            next_character(name, size, &star_at);
            at = star_at;
        } else {
            return false;
        }
    }
    while (token < count && tokens[token].kind == TOKEN_STAR)
        token++;
    return token == count;
}

/* Matches one component of the path; steps over it when it fits. */
static bool fits_component(const struct glob *glob, const struct alternative *alternative,
                           size_t index, struct walk *walk)
{
    const struct component *component = alternative->components + index;
    size_t end = component_end(walk), size = end - walk->at;

    if (component->least > size || !fits_name(glob, alternative->tokens + component->first,
                                              component->count, walk->path + walk->at, size))
        return false;
    walk->at = end + 1;
    return true;
}

/* As fits_name does with "*", only the last "**" is tried again. */
static bool fits_path(const struct glob *glob, const struct alternative *alternative,
                      struct walk walk)
{
    size_t count = alternative->component_count, index = 0, deep = SIZE_MAX;
    struct walk deep_walk = walk;

    while (walk.at < walk.size) {
        if (index < count && alternative->components[index].deep) {
            if (index + 1 == count)
                return true;
            deep = index++;
            deep_walk = walk;
        } else if (index < count && fits_component(glob, alternative, index, &walk)) {
            index++;
        } else if (deep != SIZE_MAX) {
            deep_walk.at = component_end(&deep_walk) + 1;
            walk = deep_walk;
            index = deep + 1;
        } else {
            return false;
        }
    }
    return index == count;
}

bool glob_fits(const struct glob *glob, const char *path, size_t size, bool is_directory)
{
    const char *slash = size == 0 ? NULL : memrchr(path, '/', size);
    size_t base = slash == NULL ? 0 : (size_t)(slash - path) + 1;

    for (size_t i = 0; i < glob->count && size > 0; i++) {
        const struct alternative *alternative = glob->alternatives + i;
        struct walk walk = {path, size, alternative->base_only ? base : 0};

        if (alternative->directories_only && !is_directory)
            continue;
        if (fits_path(glob, alternative, walk))
            return true;
    }
    return false;
}

bool glob_crosses(const struct glob *glob)
{
    return glob->crosses;
}

/* Whether a path that begins with the components of `walk` and goes on can fit. */
static bool may_fit_below(const struct glob *glob, const struct alternative *alternative,
                          struct walk walk)
{
    size_t index = 0;

    if (alternative->base_only)
        return true;
    while (index < alternative->component_count) {
        if (alternative->components[index].deep || walk.at >= walk.size)
            return true;
        if (!fits_component(glob, alternative, index, &walk))
            return false;
        index++;
    }
    return false;
}

bool glob_may_fit_below(const struct glob *glob, const char *path, size_t size)
{
    for (size_t i = 0; i < glob->count; i++) {
        struct walk walk = {path, size, 0};

        if (may_fit_below(glob, glob->alternatives + i, walk))
            return true;
    }
    return false;
}
