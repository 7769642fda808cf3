/* SPDX-License-Identifier: MIT */
/* Following the links of the host's paths, once, when a view is made. */
#include "plan_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ceilings.h"

void write_where(char *where, const char *key, size_t index)
{
    snprintf(where, WHERE_BYTES, "%s %zu", key, index + 1);
}

static void complain(struct planning *p, const char *where, const char *path, const char *what)
{
    problems_add_format(p->problems, "%s: \"%.200s\" %s", where, path, what);
}

static const char *word_of(int number)
{
    switch (number) {
    case ENOENT: return "does not exist";
    case ENOTDIR: return "leads through a file";
    case ELOOP: return "leads through too many links";
    case EACCES:
    case EPERM: return "cannot be reached: permission denied";
    case ENAMETOOLONG: return "is too long";
    default: return "cannot be followed";
    }
}

/* The node of `path` itself, not followed. */
static bool look(struct planning *p, const char *path, struct node *node)
{
    int fd = p->sys->open_path(path);
    bool good;

    if (fd < 0)
        return false;
    good = p->sys->node(fd, node) == 0;
    p->sys->close(fd);
    errno = EIO; /* what is open and cannot be looked at is there all the same */
    return good;
}

bool path_exists(struct planning *p, const char *path)
{
    struct node node;

    return look(p, path, &node);
}

char *join_paths(struct planning *p, const char *above, const char *below)
{
    size_t size = strlen(above) + strlen(below) + 2;
    char *text = malloc(size);

    if (text == NULL)
        p->out_of_memory = true;
    else
        snprintf(text, size, "%s%s%s", strcmp(above, "/") == 0 ? "" : above,
                 *below == '\0' ? "" : "/", below);
    return text;
}

char *find_tree(struct planning *p, const char *where, const char *path, bool needs_directory,
                bool *is_directory)
{
    char real[PATH_BYTES + 1];
    struct node node;
    char *text;

    if (p->sys->real(path, real, sizeof real) != 0 || !look(p, real, &node)) {
        complain(p, where, path, word_of(errno));
        return NULL;
    }
    *is_directory = S_ISDIR(node.mode);
    if (needs_directory && !*is_directory) {
        complain(p, where, path, "is no directory");
        return NULL;
    }
    text = strdup(real);
    p->out_of_memory |= text == NULL;
    return text;
}

/* Follows what exists of `path`, which has no link at its end; what does not exist yet is appended. */
static char *find_above(struct planning *p, const char *where, const char *path)
{
    char real[PATH_BYTES + 1], head[PATH_BYTES + 1];
    struct node node;
    char *slash;

    if (strlen(path) > PATH_BYTES) {
        complain(p, where, path, word_of(ENAMETOOLONG));
        return NULL;
    }
    strcpy(head, path);
    while (p->sys->real(*head == '\0' ? "/" : head, real, sizeof real) != 0) {
        if (errno != ENOENT) {
            complain(p, where, path, word_of(errno));
            return NULL;
        }
        if (look(p, head, &node)) { /* where it will lead once there is something cannot be told */
            complain(p, where, path, "leads through a link to nothing");
            return NULL;
        }
        if (errno != ENOENT) {
            complain(p, where, path, word_of(errno));
            return NULL;
        }
        slash = strrchr(head, '/');
        if (slash == NULL)
            break;
        *slash = '\0';
    }
    path += strlen(head);
    return join_paths(p, real, path + strspn(path, "/"));
}

/* Where the name leads, if it is a link; errno says why that cannot be told. One that leads to nothing is
 * hidden as a name. */
static bool find_target(struct planning *p, const char *name, char **target)
{
    char real[PATH_BYTES + 1];
    struct node node;

    if (!look(p, name, &node))
        return errno == ENOENT;
    if (!S_ISLNK(node.mode))
        return true;
    if (p->sys->real(name, real, sizeof real) != 0)
        return errno == ENOENT;
    *target = join_paths(p, real, "");
    return true;
}

bool find_name(struct planning *p, const char *where, const char *path, char **name, char **target)
{
    const char *last = strrchr(path, '/');
    char *above = last == NULL ? NULL : strndup(path, (size_t)(last - path));
    char *parent;

    *name = *target = NULL;
    if (last == NULL) /* it was said already that it is not absolute */
        return false;
    if (above == NULL) {
        p->out_of_memory = true;
        return false;
    }
    parent = find_above(p, where, *above == '\0' ? "/" : above);
    free(above);
    if (parent != NULL)
        *name = join_paths(p, parent, last + 1);
    free(parent);
    if (*name == NULL || find_target(p, *name, target))
        return *name != NULL;
    complain(p, where, path, word_of(errno));
    free(*name);
    *name = NULL;
    return false;
}

/* ---- the way to a path ------------------------------------------------------------------------- */

struct way {
    char at[PATH_BYTES + 1];         /* without links; "" is "/" */
    char rest[2 * (PATH_BYTES + 1)]; /* what is still to be gone from there */
};

static void go_up(struct way *way)
{
    char *slash = strrchr(way->at, '/');

    if (slash != NULL)
        *slash = '\0';
}

/* Goes on by one name; false at the end. */
static bool go_on(struct way *way)
{
    char *name = way->rest + strspn(way->rest, "/");
    size_t size = strcspn(name, "/"), used = strlen(way->at);

    if (size == 0 || used + size + 2 > sizeof way->at)
        return false;
    if (size == 2 && memcmp(name, "..", 2) == 0) {
        go_up(way);
    } else if (size != 1 || *name != '.') {
        way->at[used] = '/';
        memcpy(way->at + used + 1, name, size);
        way->at[used + 1 + size] = '\0';
    }
    memmove(way->rest, name + size, strlen(name + size) + 1);
    return true;
}

/* Where the way is at a link, its text is gone first. False when it cannot be. */
static bool follow(struct planning *p, struct way *way)
{
    char text[2 * (PATH_BYTES + 1)];
    int fd = p->sys->open_path(*way->at == '\0' ? "/" : way->at);
    struct node node;
    ssize_t size = 0;
    bool good = fd >= 0 && p->sys->node(fd, &node) == 0;

    if (good && S_ISLNK(node.mode))
        size = p->sys->readlink(fd, text, PATH_BYTES);
    if (fd >= 0)
        p->sys->close(fd);
    if (!good || size < 0 || (size_t)size + strlen(way->rest) + 1 > sizeof text)
        return false;
    if (size == 0)
        return true;
    strcpy(text + size, way->rest);
    strcpy(way->rest, text);
    go_up(way);
    if (text[0] == '/')
        way->at[0] = '\0';
    return true;
}

bool walk_way(struct planning *p, const char *path, bool (*step)(void *user, const char *place),
              void *user)
{
    enum { STEPS = 4096 }; /* more than any way that the kernel would go */
    struct way way = {.at = ""};

    if (strlen(path) > PATH_BYTES || (path[0] != '/' && p->sys->real(".", way.at, PATH_BYTES) != 0))
        return false;
    strcpy(way.rest, path);
    for (int i = 0; i < STEPS && go_on(&way); i++) {
        if (step(user, way.at))
            return true;
        if (!follow(p, &way))
            return false;
    }
    return false;
}
