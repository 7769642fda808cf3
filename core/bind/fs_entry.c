/* SPDX-License-Identifier: MIT */
#include "bind/fs_entry.h"

#include <string.h>

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
    const struct permit *permit = showing->root->permit;
    struct place *place = &showing->place;
    croft_status status =
        resolve_unjudged(showing->root, &showing->link_path, RESOLVE_STACK, place, err);

    if (status != CROFT_OK || permit == NULL ||
        permit_tells(permit, place->text, place->text_size, S_ISDIR(place->node.mode)))
        return status;
    place_close(place);
    return fail(err, CROFT_MISSING, 0, "it does not exist");
}

/* Where a link leads, in terms of the view: never its text, which may be a host path. */
static void resolve_link(struct showing *showing, struct shown *shown)
{
    croft_error err;
    croft_status status = path_parse_raw(showing->paths.data + shown->path, shown->path_size,
                                         &showing->link_path, &err);

    if (status == CROFT_OK)
        status = resolve_link_path(showing, &err);
    if (status != CROFT_OK) {
        shown->target_word = status == CROFT_OUTSIDE ? "outside"
                             : status == CROFT_LOOP  ? "loop"
                                                     : "missing";
        return;
    }
    shown->target_word = "target";
    shown->target = showing->paths.size;
    shown->target_size = showing->place.text_size;
    shown->target_is_directory = S_ISDIR(showing->place.node.mode);
    bytes_add(&showing->paths, showing->place.text, showing->place.text_size);
    place_close(&showing->place);
}

bool showing_take(struct showing *showing, struct shown *shown, const struct tree_entry *entry)
{
    struct node node;

    memset(shown, 0, sizeof *shown);
    shown->type = entry->type;
    add_path(showing, shown, entry);
    if (showing->paths.failed)
        return false;
    if (S_ISREG(entry->type) && showing->root->sys->node_at(entry->dir, entry->name, &node) == 0)
        shown->size = node.size;
    if (S_ISLNK(entry->type))
        resolve_link(showing, shown);
    return !showing->paths.failed;
}

void showing_push(lua_State *L, const struct showing *showing, const struct shown *shown)
{
    const char *word = type_word(shown->type);

    lua_createtable(L, 0, 5);
    bind_set_text(L, "path", showing->paths.data + shown->path, shown->path_size);
    bind_set_text(L, "type", word, strlen(word));
    if (S_ISREG(shown->type))
        bind_set_integer(L, "size", shown->size);
    if (shown->target_word == NULL)
        return;
    if (strcmp(shown->target_word, "target") != 0) {
        bind_set_boolean(L, shown->target_word, true);
        return;
    }
    bind_set_text(L, "target", showing->paths.data + shown->target, shown->target_size);
    bind_set_boolean(L, "target_is_directory", shown->target_is_directory);
}
