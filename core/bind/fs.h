/* SPDX-License-Identifier: MIT */
/* ctx.fs: the primitives over the view. fs.c has the table; each bigger primitive has its own file. */
#ifndef CROFT_BIND_FS_H
#define CROFT_BIND_FS_H

#include "bind/bind.h"
#include "glob.h"
#include "place.h"

/* Pushes a new ctx.fs; without `may_write` its write primitives refuse. */
void fs_push(lua_State *L, bool may_write);

/* Where the path at `index` leads in the fs at argument 1; as bind_path. */
const struct route *fs_route(lua_State *L, int index, int count, const char *op);
bool fs_may_write(lua_State *L);

/* Raises what the operation on the path at `index` failed with. */
int fs_raise(lua_State *L, const struct route *route, croft_error *err, const char *op, int index);

/* Of an error on the stack: of the directories that were made before it the first and how many, which is a write
 * of the host's. Nothing where none were. */
void fs_set_stays(lua_State *L, size_t made, const char *first);

int fs_list(lua_State *L);    /* fs:list(path, options) */
int fs_search(lua_State *L);  /* fs:search(path, regex, options) */
int fs_page(lua_State *L);    /* fs:page(path, options) */
int fs_replace(lua_State *L); /* fs:replace(path, bytes, options) */
int fs_open(lua_State *L);    /* fs:open(path) */
int fs_walk(lua_State *L);    /* fs:walk(path, options) */
int fs_mkdir(lua_State *L);   /* fs:mkdir(path) */
int fs_remove(lua_State *L);  /* fs:remove(path) */
int fs_rename(lua_State *L);  /* fs:rename(from, to, options) */

int fs_read_part(lua_State *L); /* fs:read(path, options) */

/* Writes where a walk begins as a path of the view: what its tree_options.base may point to. False when there
 * is no room. */
enum { FS_BASE = PATH_BYTES + NAME_BYTES + 2 };
bool fs_take_base(const struct place *place, char base[FS_BASE]);

/* Where a walk begins. */
struct fs_start {
    int fd; /* the caller closes it; -1: it is a directory of the view alone */
    struct node node;
    const struct hidden *hidden; /* for tree_options, as `base` */
    char base[FS_BASE];
};

/* Resolves and opens a directory for reading; `place` is scratch. */
croft_status fs_open_directory(const struct route *route, struct place *place,
                               struct fs_start *start, croft_error *err);

/* Of a failure: whether the path is a directory that mounts lie below, and nothing else. */
bool fs_is_virtual(const struct route *route, croft_status status);

/* Makes of such a failure of what works on a file that of a directory. */
croft_status fs_of_file(const struct route *route, croft_status status, croft_error *err);

#define FS_STAMP "croft.stamp" /* userdata: the struct stamp of a file as it was read */

/* Waits for this call's turn at the file, for a tool that may change it; nothing for others, or where
 * the path leads nowhere. Ends the call after a breach. */
void fs_take_turn(lua_State *L, const struct route *route);

/* The same for whoever calls. */
void fs_wait_turn(lua_State *L, const struct route *route);

/* As fs_take_turn, for the name itself: what a link leads to is not meant. */
void fs_take_turn_of_name(lua_State *L, const struct route *route);

/* A glob of an options table, compiled into a box on the stack; NULL when absent. Raises bad_argument
 * with reason and position. */
const struct glob *fs_glob(lua_State *L, int options, const char *name, const char *op);

/* Those of the view and the one of the call together, in a box on the stack. */
const struct glob *const *fs_excludes(lua_State *L, const struct glob *own, size_t *count);

/* Where the path of the primitive at work leads, for its record: known, or to be found. Nothing without
 * a recorder. */
void fs_note_text(lua_State *L, const char *text, size_t size);
void fs_note_opened(lua_State *L, const struct route *route, const struct node *node);
void fs_note_place(lua_State *L, const struct place *place);

/* Pushes the primitive with a record of each use, which calls it by the name that `method` has. */
void fs_push_recorded(lua_State *L, const luaL_Reg *method);

/* Fields that listings and searches share. */
struct tree_notes;
void fs_set_notes(lua_State *L, const struct tree_notes *notes);

#endif
