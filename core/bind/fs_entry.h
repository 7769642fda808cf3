/* SPDX-License-Identifier: MIT */
/* An entry of a walk as Lua sees it, for fs:list and fs:walk. */
#ifndef CROFT_BIND_FS_ENTRY_H
#define CROFT_BIND_FS_ENTRY_H

#include "bind/bind.h"
#include "tree.h"

/* One of them; its texts are in showing.paths. */
struct shown {
    size_t path, path_size;
    mode_t type;
    uint64_t size;
    size_t target, target_size; /* of a link */
    const char *target_word;    /* "target", "outside", "missing", "loop"; NULL: no link */
    bool target_is_directory;
};

struct showing {
    const croft_view *view;
    const char *prefix; /* of the shown paths, without "/": the path as the caller spelled it */
    size_t prefix_size;
    struct bytes paths;
    struct place place;          /* scratch */
    struct path link_path;       /* scratch */
    struct route *link;          /* scratch: that of the room */
    const struct permit *permit; /* of the call, or NULL */
};

/* What is in it may go; `place` must have been initialised. */
void showing_free(struct showing *showing);

/* Fills *shown. False when memory is out. */
bool showing_take(struct showing *showing, struct shown *shown, const struct tree_entry *entry);

/* Pushes {path, type, sendable, size of a file; of a link target and target_is_directory, or outside, missing,
 * loop}. What is not sendable is no UTF-8, and no primitive takes it. */
void showing_push(lua_State *L, const struct showing *showing, const struct shown *shown);

#endif
