/* SPDX-License-Identifier: MIT */
#include "trail.h"

#include <string.h>

#include "pins.h"
#include "resolve_walk.h"

static void note(void *user, const struct walk_step *step)
{
    struct trail *trail = user;
    croft_debug_step *kept = &trail->steps[trail->count];

    if (trail->count == TRAIL_STEPS || trail->text.failed)
        return;
    *kept = (croft_debug_step){.size = strlen(step->name),
                               .from_link = step->from_link,
                               .what = step->what,
                               .target = step->target,
                               .target_size = step->target_size};
    trail->from[trail->count] = trail->text.size;
    bytes_add(&trail->text, step->name, kept->size);
    trail->target_from[trail->count] = trail->text.size;
    bytes_add(&trail->text, step->target, step->target_size);
    if (!trail->text.failed)
        trail->count++;
}

/* The buffer moves no more. */
static void point(struct trail *trail)
{
    const char *text = bytes_end(&trail->text);

    for (size_t i = 0; i < trail->count; i++) {
        croft_debug_step *step = &trail->steps[i];

        step->name = text + trail->from[i];
        if (step->target != NULL)
            step->target = text + trail->target_from[i];
    }
}

/* The names by which another tree of the view is found. */
static void note_mount(struct trail *trail, const struct path *path, size_t depth)
{
    char name[NAME_BYTES + 1];

    for (size_t i = 0; i < depth; i++) {
        const struct component *part = &path->parts[i];

        memcpy(name, path->text + part->from, part->size);
        name[part->size] = '\0';
        note(trail, &(struct walk_step){.name = name, .what = type_word(S_IFDIR)});
    }
}

void trail_follow(struct trail *trail, const croft_view *view, const char *path, size_t size,
                  enum resolve_how how)
{
    const struct walk_teller teller = {note, trail};
    struct path cleaned;
    struct route route;
    struct place place;
    enum protected_by by;

    memset(trail, 0, sizeof *trail);
    if (path_parse(path, size, &cleaned, NULL) != CROFT_OK ||
        view_route(view, &cleaned, &route, NULL) != CROFT_OK)
        return;
    note_mount(trail, &cleaned, route.depth);
    if (resolve_walk_told(route.root, route.path, how, &place, &teller, NULL) == CROFT_OK) {
        (void)pins_protect(&place, &trail->read_only, &by, NULL);
        place_close(&place);
    }
    route_end(&route);
    point(trail);
}

void trail_free(struct trail *trail)
{
    bytes_free(&trail->text);
}
