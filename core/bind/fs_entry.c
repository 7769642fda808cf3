/* SPDX-License-Identifier: MIT */
#include "bind/fs_entry.h"

#include <string.h>

#include "utf8.h"

void showing_free(struct showing *showing)
{
    if (showing->place.root != NULL)
        place_close(&showing->place);
    bytes_free(&showing->paths);
}

static void add_path(struct showing *showing, struct shown *shown, const struct tree_entry *entry)
{
    shown->path = showing->paths.size;
    if (showing->prefix_size > 0) {
        bytes_add(&showing->paths, showing->prefix, showing->prefix_size);
        bytes_add_char(&showing->paths, '/');
    }
    bytes_add(&showing->paths, entry->path, entry->path_size);
    shown->path_size = showing->paths.size - shown->path;
}

/* What a rule denies is not there, by whatever name. */
static croft_status resolve_link_path(struct showing *showing, croft_error *err)
{
    const struct permit *permit = showing->permit;
    struct place *place = &showing->place;
    char text[2 * sizeof place->text];
    croft_status status = view_route(showing->view, &showing->link_path, showing->link, err);

    if (status == CROFT_OK)
        status =
            resolve_unjudged(showing->link->root, showing->link->path, RESOLVE_STACK, place, err);
    if (status != CROFT_OK || permit == NULL)
        return status;
    if (place_path(place, text, sizeof text) < sizeof text &&
        permit_tells(permit, text, strlen(text), S_ISDIR(place->node.mode)))
        return CROFT_OK;
    place_close(place);
    return fail(err, CROFT_MISSING, 0, "it does not exist");
}

static void add_target(struct showing *showing)
{
    const char *tree = showing->place.root->name;

    bytes_add_text(&showing->paths, tree);
    if (*tree != '\0' && showing->place.text_size > 0)
        bytes_add_char(&showing->paths, '/');
    bytes_add(&showing->paths, showing->place.text, showing->place.text_size);
}

/* What there is to say of a link that leads to nothing which a call could reach. */
static const char *word_without_target(croft_status status, const croft_error *err)
{
    if (status == CROFT_OUTSIDE)
        return "outside";
    if (status == CROFT_LOOP && err->detail[0] == '\0')
        return "loop";
    return status == CROFT_MISSING || status == CROFT_NOT_A_DIRECTORY ? "missing" : "closed";
}

/* Where a link leads, in terms of the view: never its text, which may be a host path. False: the host lacks
 * what it takes to look. */
static bool resolve_link(struct showing *showing, struct shown *shown)
{
    croft_error err;
    croft_status status = path_parse_raw(showing->paths.data + shown->path, shown->path_size,
                                         &showing->link_path, &err);

    showing->link->mount = NULL;
    if (status == CROFT_OK)
        status = resolve_link_path(showing, &err);
    if (status != CROFT_OK) {
        shown->target_word = word_without_target(status, &err);
        route_end(showing->link);
        return status != CROFT_EXHAUSTED && status != CROFT_INTERNAL;
    }
    shown->target_word = "target";
    shown->target = showing->paths.size;
    shown->target_is_directory = S_ISDIR(showing->place.node.mode);
    add_target(showing);
    shown->target_size = showing->paths.size - shown->target;
    place_close(&showing->place);
    route_end(showing->link);
    return true;
}

bool showing_take(struct showing *showing, struct shown *shown, const struct tree_entry *entry)
{
    struct node node;

    memset(shown, 0, sizeof *shown);
    shown->type = entry->type;
    add_path(showing, shown, entry);
    if (showing->paths.failed)
        return false;
    if (S_ISREG(entry->type) && entry->root->sys->node_at(entry->dir, entry->name, &node) == 0)
        shown->size = node.size;
    if (S_ISLNK(entry->type) && !resolve_link(showing, shown))
        return false;
    return !showing->paths.failed;
}

void showing_push(lua_State *L, const struct showing *showing, const struct shown *shown)
{
    const char *word = type_word(shown->type), *path = showing->paths.data + shown->path;

    lua_createtable(L, 0, shown->target_word == NULL ? 4 : 5);
    bind_set_path(L, "path", path, shown->path_size);
    bind_set_text(L, "type", word, strlen(word));
    bind_set_boolean(L, "sendable", utf8_valid(path, shown->path_size) == shown->path_size);
    if (S_ISREG(shown->type))
        bind_set_integer(L, "size", shown->size);
    if (shown->target_word == NULL)
        return;
    if (strcmp(shown->target_word, "target") != 0) {
        bind_set_boolean(L, shown->target_word, true);
        return;
    }
    bind_set_path(L, "target", showing->paths.data + shown->target, shown->target_size);
    bind_set_boolean(L, "target_is_directory", shown->target_is_directory);
}
