/* SPDX-License-Identifier: MIT */
/*
 * What a session holds for its caller: artifacts, which are files that were opened to be looked at, and
 * media, which are contents that wait to be saved. Each is a held descriptor with an id that nobody can
 * guess; the bytes stay where they are. Any thread.
 */
#ifndef CROFT_ARTIFACT_H
#define CROFT_ARTIFACT_H

#include <pthread.h>

#include "artifact_lines.h"
#include "file.h"

enum artifact_kind { ARTIFACT_TEXT, ARTIFACT_JSON, ARTIFACT_MARKDOWN, ARTIFACT_MEDIA };

enum {
    ARTIFACT_ID = 30 /* bytes of an id, without the NUL */
};

/* One handle. The fields up to `line` never change; those behind it are the store's lock's. */
struct artifact {
    char id[ARTIFACT_ID + 1];
    enum artifact_kind kind;
    const struct sys *sys;
    int fd;           /* a file of the view, or (`is_own`) memory */
    bool is_own;      /* new content: its bytes are counted, and lost unless it is saved */
    struct node node; /* of fd, when it was taken */
    char *path;       /* root-relative: of the file, or of what the content began as */
    char parent[ARTIFACT_ID + 1]; /* the medium that it was made of; "" for none */

    struct artifact *next;
    unsigned users;
    bool saved;        /* media: as it is, it is on disk, at `saved_path` */
    bool used_up;      /* media: another was made of it */
    struct stamp base; /* media: what stood at `path` when this content began, or was saved there */
    char *saved_path;  /* media: where it, or what it was made of, was saved last; or NULL */
    struct stamp saved_base; /* and what stands there since */
    uint64_t used;           /* when it was used last */
    struct line_index lines;
};

/* The limits are of the session. */
struct artifacts {
    pthread_mutex_t lock;
    struct artifact *first;
    uint64_t count, bytes, clock;
};

void artifacts_init(struct artifacts *artifacts);
void artifacts_close(struct artifacts *artifacts); /* nobody uses any of them */

/* What had to give way to something new: ids of artifacts and media that can be had again. */
struct artifact_room {
    uint64_t most, most_bytes;          /* in: the ceilings on number and on bytes of new content */
    uint64_t removed;                   /* out: how many gave way */
    char first_removed[PATH_BYTES + 1]; /* the path of the first */
};

/*
 * Takes over `fd` (also on failure) as an artifact of `kind` for the file at `path`. *out is in use: give it
 * back with artifact_release. Where the store is full, what was used longest ago and can be had again gives
 * way: artifacts, media that are saved, or that are a file as it is, or of which another was made.
 *
 *   CROFT_TOO_MANY   all that is held is new content that was not saved
 */
croft_status artifact_add(struct artifacts *artifacts, enum artifact_kind kind,
                          const struct sys *sys, int fd, const struct path *path,
                          struct artifact_room *room, struct artifact **out, croft_error *err);

/*
 * Makes a medium of new content, derived from `parent`, which is in use. CROFT_TOO_LARGE when the new
 * content of all media would pass room->most_bytes; otherwise as artifact_add.
 */
croft_status artifact_derive(struct artifacts *artifacts, struct artifact *parent, const void *data,
                             size_t size, struct artifact_room *room, struct artifact **out,
                             croft_error *err);

/* The one of that id, in use from here on. CROFT_MISSING. */
croft_status artifact_use(struct artifacts *artifacts, const char *id, size_t size,
                          struct artifact **out, croft_error *err);
void artifact_release(struct artifacts *artifacts, struct artifact *artifact); /* NULL is fine */

/* What became of the file since it was opened. */
enum artifact_change {
    ARTIFACT_SAME,
    ARTIFACT_TOUCHED,     /* its attributes, at least */
    ARTIFACT_MODIFIED,    /* its content: what is read is what it holds now */
    ARTIFACT_REMOVED_FILE /* it has no name any more: what is read is what it held */
};

/* Looks, and notes the size that the file has now. Forgets what was known of its lines when they may be
 * others. */
croft_status artifact_look(struct artifacts *artifacts, struct artifact *artifact,
                           enum artifact_change *change, uint64_t *size, croft_error *err);

/* Says that the content of `artifact` now stands at `path`, where its file is `written`: it and what was made
 * of it begin there from now on. */
void artifact_saved(struct artifacts *artifacts, struct artifact *artifact, const struct path *path,
                    const struct stamp *written);

/* A copy of what stood at `path` when the content began or was saved there; false where it did neither. */
bool artifact_base(struct artifacts *artifacts, const struct artifact *artifact,
                   const struct path *path, struct stamp *base);

/* Called for each, oldest first, under the lock: it may not call back. */
typedef void artifact_visit(void *user, const struct artifact *artifact);
void artifacts_each(struct artifacts *artifacts, artifact_visit *visit, void *user);

/* Whether it holds what would be lost with the session. Under the lock. */
bool artifact_is_unsaved(const struct artifact *artifact);

#endif
